/** A process with many readers of relays, whose parent is the scenario `relays`. Each reader checks its events at once. */
import { readSettings } from '../../harness/child-program.ts';
import { sleep, until } from '../../harness/waiting.mjs';
import { createRpcClient, type RpcError, subscribe } from '../../runtime/src/client.ts';
import type { RoomRelay, Said } from '../objects/relays.ts';

export interface ReaderSettings {
  baseUrl: string;
  relays: readonly string[];
  rooms: readonly string[];
  topics: readonly string[];
  readers: number;
}

/** The life and the number of the last event, by room. */
export type LastSaid = Record<string, readonly [life: number, number: number]>;

/**
 * `ready`: report when every reader has begun. The JSON of `LastSaid`: report when every reader has read these last
 * events.
 */
export type ReaderOrder = string;

export interface ReaderReport {
  read: number;
  /** The number of events that arrived after a later event, or did not arrive. */
  lost: number;
  doubled: number;
  /** The number of events of another room or topic, or of an earlier life. */
  mixed: number;
  /** The number of times that a reader has gone on in another life of its room. */
  lives: number;
  /** The number of times that a reader was refused, and has asked again. */
  refused: number;
  /** The number of values of the live value, and of values that were lower than the value before. */
  values: number;
  wrong: number;
  errors: string[];
}

/** The time until a refused reader asks again, in milliseconds. */
const ASK_AGAIN = 300;

const { baseUrl, relays, rooms, topics, readers } = readSettings<ReaderSettings>();
const report: ReaderReport = {
  read: 0,
  lost: 0,
  doubled: 0,
  mixed: 0,
  lives: 0,
  refused: 0,
  values: 0,
  wrong: 0,
  errors: [],
};
/** The position of each reader. */
const places: { room: string; of: string; life: number; last: number }[] = [];
let begun = 0;

/** Reads until a promise rejects, and asks again after it was refused. */
async function insist(read: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await read();
    } catch (error) {
      if ((error as Partial<RpcError>).code !== 'FORBIDDEN') {
        report.errors.push(String(error));
        return;
      }
      report.refused++;
      await sleep(ASK_AGAIN);
    }
  }
}

for (let reader = 0; reader < readers; reader++) {
  const relay = relays[reader % relays.length] ?? '';
  const room = rooms[Math.floor(reader / relays.length) % rooms.length] ?? '';
  const topic = topics[Math.floor(reader / relays.length / rooms.length) % topics.length] ?? '';
  const client = createRpcClient<RoomRelay>('RELAY', relay, { baseUrl });
  const place = { room, of: `${room} ${topic}`, life: -1, last: 0 };
  places.push(place);
  const take = ({ of, life, number, isSnapshot }: Said): void => {
    report.read++;
    if (of !== place.of || life < place.life) return void report.mixed++;
    if (life > place.life) {
      if (place.life >= 0) report.lives++;
      else begun++;
      // A life begins with a snapshot, or goes on after the last number of the reader.
      if (!isSnapshot && number !== place.last + 1) report.lost++;
    } else if (number <= place.last) report.doubled++;
    else report.lost += number - place.last - (isSnapshot ? 0 : 1);
    place.life = life;
    place.last = number;
  };
  let after: string | undefined;
  void insist(async () => {
    const loop = subscribe(client, { after }).numbers(room, topic);
    try {
      for await (const said of loop) take(said);
    } finally {
      after = loop.cursor;
    }
  });
  // Checking all readers would be twice the work.
  if (reader % 10 > 0) continue;
  let [lastLife, last] = [0, -1];
  void insist(async () => {
    for await (const [life, number] of subscribe(client).said(room)) {
      report.values++;
      if (life < lastLife || (life === lastLife && number < last)) report.wrong++;
      [lastLife, last] = [life, number];
    }
  });
}

process.on('message', async (order: ReaderOrder) => {
  if (order === 'ready') await until(() => begun === readers);
  else {
    const said = JSON.parse(order) as LastSaid;
    const missing = ({ room, life, last }: (typeof places)[number]): number => {
      const [lastLife, number] = said[room] ?? [0, 0];
      return life === lastLife ? number - last : 1;
    };
    await until(() => report.errors.length > 0 || places.every((one) => missing(one) <= 0)).catch(
      () => {},
    );
    for (const place of places) report.lost += Math.max(missing(place), 0);
  }
  process.send?.(report);
});
