/**
 * Measures an event to many clients: the time until the last client has it, the CPU time of the runtime, and the
 * traffic on the wire.
 */
import { join } from 'node:path';
import type { Runtime } from '../../../harness/runtime.ts';
import { countTraffic } from '../../../runtime/src/perf/measure/wire.ts';
import { CALLBACKS, EVENT_BYTES, LOOP, ofEvent } from '../../results/names.ts';
import type { PartOptions } from '../../part.ts';
import { type Row, rowsOf } from '../../results/rows.ts';
import { serve } from '../../serve.ts';
import { inTurns, type TurnOptions } from '../../turns.ts';
import {
  type Broadcaster,
  broadcasters,
  CAPNWEB_DROPPED,
  type Listener,
  rawBroadcasters,
  type Speaker,
  STORED,
} from './contenders.ts';

const WORKER = join(import.meta.dirname, '../workers/broadcasts.ts');
const BINDINGS = {
  ROOM: 'Room',
  BY_HAND: 'ByHand',
  BY_HAND_STORED: 'ByHandStored',
  CAPNWEB: 'CapnwebRoom',
  CAPNWEB_DROPPED: 'CapnwebDroppedRoom',
};

const SIZES = [
  { listeners: 1, rounds: 300, warmUp: 2 },
  { listeners: 100, rounds: 100, warmUp: 2 },
  { listeners: 1_000, rounds: 40, warmUp: 2 },
];
const QUICK = [{ listeners: 3, rounds: 2, warmUp: 0 }];

const EVENT_FRAMES = 'frames of an event to a client, up and down';

/** Connections that are opened at once. */
const AT_ONCE = 50;

/** The pause after a round, in milliseconds, because the runtime goes on working after the last listener has the event. */
const SETTLE = 3;

/** The time to wait for an event, in milliseconds. No event takes as long. */
const PATIENCE = 60_000;

interface Room {
  contender: Broadcaster;
  listeners: Listener[];
  speaker: Speaker;
  /** The next text for the listeners, the number of listeners that have received it, and the time of the first of them. */
  expected: string;
  heard: number;
  firstAt: number;
  done: PromiseWithResolvers<void>;
}

/** The milliseconds from the call to the first and the last listener, and the CPU time of the runtime. */
type Round = { first: number; last: number; cpu: number };

/** @throws Error if a listener receives a wrong text or no text */
export async function measureBroadcasts({ isQuick, note }: PartOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { listeners, ...turns } of isQuick ? QUICK : SIZES) {
    for (const isRaw of [false, true]) {
      note(`${listeners} listeners${isRaw ? ', bare sockets' : ''}`);
      rows.push(...(await compare(listeners, turns, isRaw)));
    }
  }
  note('on the wire');
  return [...rows, ...(await measureWire(isQuick ? 32 : 96))];
}

async function compare(count: number, turns: TurnOptions, isRaw: boolean): Promise<Row[]> {
  await using runtime = await serve(WORKER, BINDINGS);
  const rooms = new Map<string, Room>();
  for (const contender of isRaw ? rawBroadcasters : broadcasters) {
    rooms.set(contender.name, await fill(contender, runtime.url, count));
  }
  let number = 0;
  const acts = Array.from(
    rooms,
    ([name, room]) => [name, () => broadcast(room, runtime, ++number)] as const,
  );
  const results = await inTurns(new Map(acts), turns);
  await runtime.check();
  for (const { listeners, speaker } of rooms.values()) {
    for (const one of [...listeners, speaker]) one.close();
  }
  return (['last', 'first', 'cpu'] as const).flatMap((name) => {
    const figures = Array.from(
      results,
      ([who, own]) => [who, own.map((one) => one[name])] as const,
    );
    const against = [LOOP, STORED, CALLBACKS, CAPNWEB_DROPPED];
    return rowsOf(
      ofEvent(count, name, isRaw),
      'ms',
      new Map(figures),
      name === 'first' ? [] : against,
    );
  });
}

async function fill(contender: Broadcaster, url: string, count: number): Promise<Room> {
  const name = 'room';
  const room: Room = {
    contender,
    listeners: [],
    speaker: await contender.speak(url, name),
    expected: '',
    heard: 0,
    firstAt: 0,
    done: Promise.withResolvers(),
  };
  const hear = (text: string): void => take(room, text);
  while (room.listeners.length < count) {
    const length = Math.min(AT_ONCE, count - room.listeners.length);
    const opening = Array.from({ length }, () => contender.listen(url, name, hear));
    room.listeners.push(...(await Promise.all(opening)));
  }
  return room;
}

function take(room: Room, text: string): void {
  // A live value has an empty first value. Raw listeners get JSON.
  if (text === '' && room.expected === '') return;
  if (text !== room.expected && text !== JSON.stringify(room.expected)) {
    room.done.reject(new Error(`${room.contender.name}: received ${text}, which was not sent`));
  }
  if (room.heard++ === 0) room.firstAt = performance.now();
  if (room.heard === room.listeners.length) room.done.resolve();
  if (room.heard > room.listeners.length)
    throw new Error(`${room.contender.name}: a listener received the text twice`);
}

/** @param round - a number that is used only once */
async function broadcast(room: Room, runtime: Runtime, round: number): Promise<Round> {
  room.expected = textOf(round);
  room.heard = 0;
  room.done = Promise.withResolvers();
  const impatience = setTimeout(
    () =>
      room.done.reject(
        new Error(`${room.contender.name}: only ${room.heard} listeners received the text`),
      ),
    PATIENCE,
  );
  const cpu = await runtime.cpuTime();
  const begun = performance.now();
  room.speaker.say(room.expected);
  await room.done.promise;
  const ended = performance.now();
  clearTimeout(impatience);
  // The runtime goes on working after the clients have the text. This must not count for the next round.
  await new Promise((resolve) => {
    setTimeout(resolve, SETTLE + (ended - begun));
  });
  return {
    first: room.firstAt - begun,
    last: ended - begun,
    cpu: (await runtime.cpuTime()) - cpu,
  };
}

/** Returns a different text for each round, all of the same length. */
function textOf(round: number): string {
  return `event ${String(round + 1_000).padStart(6, '0')} of a broadcast to everybody`;
}

/** Counts the traffic of a listener that sends no messages. */
async function measureWire(events: number): Promise<Row[]> {
  await using runtime = await serve(WORKER, BINDINGS);
  const rows: Row[] = [];
  const { WebSocket, fetch } = globalThis;
  for (const contender of broadcasters) {
    const speaker = await contender.speak(runtime.url, 'wire');
    const isSaid = (text: string): boolean => text === said || text === JSON.stringify(said);
    let said = textOf(-1);
    let heard = Promise.withResolvers<void>();
    const hear = (text: string): void => void (isSaid(text) && heard.resolve());
    const first = await contender.listen(runtime.url, 'wire', hear);
    speaker.say(said);
    await heard.promise;
    // From now on, a listener has something to receive.
    first.close();
    const traffic = countTraffic(WebSocket, fetch);
    const listener = await contender
      .listen(runtime.url, 'wire', hear)
      .finally(() => Object.assign(globalThis, { WebSocket, fetch }));
    const { up, down } = traffic;
    for (const one of [up, down]) one.frames = one.bytes = 0;
    for (let event = 0; event < events; event++) {
      heard = Promise.withResolvers();
      said = textOf(event);
      speaker.say(said);
      await heard.promise;
    }
    // The count includes the last acknowledgement and other late frames.
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    const who = contender.name;
    const text = JSON.stringify(textOf(0)).length;
    const bytes = (up.bytes + down.bytes) / events;
    rows.push(
      { what: EVENT_BYTES, who, value: bytes, unit: 'bytes', note: `${text} of them for the text` },
      { what: EVENT_FRAMES, who, value: (up.frames + down.frames) / events },
    );
    for (const one of [listener, speaker]) one.close();
  }
  return rows;
}
