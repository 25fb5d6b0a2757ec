/** Measures relays: the delay that they add, and the CPU time of the origin's process for an event to its readers. */
import { join } from 'node:path';
import type { Runtime } from '../../harness/runtime.ts';
import { sleep, until } from '../../harness/waiting.mjs';
import { createRpcClient, type RpcClient, subscribe } from '../../runtime/src/client.ts';
import { median, percentile } from '../../runtime/src/perf/measure/statistics.ts';
import type { PartOptions } from '../part.ts';
import { type Figures, type Row, rowsOf } from '../results/rows.ts';
import { serve } from '../serve.ts';
import { inTurns } from '../turns.ts';
import type { Room } from './workers/relays.ts';

const WORKER = join(import.meta.dirname, 'workers/relays.ts');
const BINDINGS = { ROOM: 'Room', RELAY: 'RoomRelay' };

/** The number of events of a round, and the milliseconds between them. */
const EVENTS = 20;
const FEW_EVENTS = 3;
const PAUSE = 10;

/** The pause after a round, in milliseconds, because the runtime goes on working after the last reader has an event. */
const SETTLE = 20;

const DELAY = 'time from the call to a reader';
const CPU = "CPU time of the origin's process for an event";

/** The objects of the readers: the binding, and the names. */
interface Place {
  binding: string;
  names: readonly string[];
}

/** A room with a speaker and readers. */
class Audience implements Disposable {
  readonly #speaker: RpcClient<Room>;
  readonly #readers: RpcClient<Room>[] = [];
  #number = 0;
  #heard = 0;
  /** The milliseconds from the call of the last event to each reader. */
  #delays: number[] = [];
  #saidAt = 0;
  /** The error that has ended a reader. */
  #failure: unknown;

  private constructor(speaker: RpcClient<Room>) {
    this.#speaker = speaker;
  }

  static async gather(
    [binding, room]: readonly [string, string],
    origin: string,
    baseUrl: string,
    places: Place,
    count: number,
  ): Promise<Audience> {
    const speaker = createRpcClient<Room>(binding, room, { baseUrl: origin });
    const audience = new Audience(speaker);
    let begun = 0;
    for (let index = 0; index < count; index++) {
      const name = places.names[index % places.names.length] ?? '';
      const reader = createRpcClient<Room>(places.binding, name, { baseUrl });
      audience.#readers.push(reader);
      audience.#read(reader, () => begun++).catch((error: unknown) => (audience.#failure = error));
    }
    // A reader that has begun receives an event.
    await until(async () => {
      await audience.#speaker.say('begin');
      return begun === count;
    });
    await sleep(200);
    return audience;
  }

  async #read(reader: RpcClient<Room>, begin: () => void): Promise<void> {
    let isBegun = false;
    let last = 0;
    for await (const text of subscribe(reader).messages()) {
      if (!isBegun) begin();
      isBegun = true;
      if (text === 'begin') continue;
      const number = Number(text);
      if (last > 0 && number !== last + 1)
        throw new Error(`A reader got event ${number} after event ${last}`);
      last = number;
      this.#delays.push(performance.now() - this.#saidAt);
      this.#heard++;
    }
  }

  /** @returns the milliseconds from the call of one event to each reader */
  async say(): Promise<number[]> {
    this.#delays = [];
    this.#heard = 0;
    this.#saidAt = performance.now();
    const said = this.#speaker.say(`${++this.#number}`);
    const isHeard = (): boolean => {
      if (this.#failure) throw this.#failure;
      return this.#heard === this.#readers.length;
    };
    await Promise.all([said, until(isHeard)]);
    return this.#delays;
  }

  [Symbol.dispose](): void {
    for (const client of [this.#speaker, ...this.#readers]) client.close();
  }
}

/** @throws Error if a reader does not get each event once and in order */
export async function measureRelays({ isQuick, note }: PartOptions): Promise<Row[]> {
  const rounds = isQuick ? 2 : 40;
  const readers = isQuick ? 4 : 400;
  await using all = new AsyncDisposableStack();
  const origin = all.use(await serve(WORKER, BINDINGS));
  const elsewhere = all.use(await serve(WORKER, BINDINGS, { peers: { PEER: origin.port } }));

  note('delays');
  const rows = await measureDelays(origin.url, rounds, all);

  const events = isQuick ? FEW_EVENTS : EVENTS;
  const cpuOf = (audience: Audience): Promise<number> => cpuOfEvents(audience, origin, events);
  const acts = new Map<string, () => Promise<number>>();
  const add = (who: string, audience: Audience): void => {
    all.use(audience);
    acts.set(who, () => cpuOf(audience));
  };
  const few = isQuick ? 2 : 40;
  for (const count of [few, readers]) {
    const places = { binding: 'ROOM', names: [`direct ${count}`] };
    const room = ['ROOM', `direct ${count}`] as const;
    add(
      `${count} readers, no relay`,
      await Audience.gather(room, origin.url, origin.url, places, count),
    );
  }
  for (const [relays, count] of [
    [4, few],
    [1, readers],
    [2, readers],
    [4, readers],
  ] as const) {
    const room = `${relays} of ${count}`;
    const names = Array.from({ length: relays }, (_, index) => `${room}/${index}`);
    const who = `${count} readers, ${relays} ${relays === 1 ? 'relay' : 'relays'}`;
    const places = { binding: 'RELAY', names };
    add(who, await Audience.gather(['ROOM', room], origin.url, elsewhere.url, places, count));
  }
  const times = await inTurns(acts, { rounds, onRound: (round) => note(`round ${round + 1}`) });
  rows.push(...rowsOf(CPU, 'ms', times as Figures, [`${readers} readers, no relay`]));
  for (const runtime of [origin, elsewhere]) await runtime.check();
  return rows;
}

/** @returns CPU time of a runtime for one event, in milliseconds */
async function cpuOfEvents(audience: Audience, runtime: Runtime, events: number): Promise<number> {
  const before = await runtime.cpuTime();
  for (let event = 0; event < events; event++) {
    await audience.say();
    await sleep(PAUSE);
  }
  await sleep(SETTLE);
  return ((await runtime.cpuTime()) - before) / events;
}

async function measureDelays(
  url: string,
  rounds: number,
  all: AsyncDisposableStack,
): Promise<Row[]> {
  const places: Record<string, Place> = {
    'a subscription to the origin': { binding: 'ROOM', names: ['delay 0'] },
    'a subscription to a relay': { binding: 'RELAY', names: ['delay 1/0'] },
  };
  const acts = new Map<string, () => Promise<number[]>>();
  for (const [index, [who, place]] of Object.entries(places).entries()) {
    const audience = all.use(
      await Audience.gather(['ROOM', `delay ${index}`], url, url, place, 10),
    );
    acts.set(who, () => audience.say());
  }
  const results = await inTurns(acts, { rounds: 10 * rounds });
  const medians = Array.from(results, ([who, own]) => [who, own.map(median)] as const);
  const tails = Array.from(results, ([who, own]) => [who, [percentile(own.flat(), 0.99)]] as const);
  return [
    ...rowsOf(`${DELAY}, median`, 'ms', new Map(medians), Object.keys(places).slice(0, 1)),
    ...rowsOf(`${DELAY}, 99th percentile`, 'ms', new Map(tails)),
  ];
}
