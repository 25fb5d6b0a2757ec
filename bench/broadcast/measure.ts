/**
 * Measures an event to many clients: the time until the last client has it, the CPU time of the runtime, and the
 * traffic on the wire.
 */
import { join } from 'node:path';
import { Runtime } from '../../harness/runtime.ts';
import { countTraffic } from '../../runtime/src/perf/measure/wire.ts';
import {
  type Estimate,
  median,
  pairedRatio,
  percentile,
  randomNumbers,
} from '../../runtime/src/perf/measure/statistics.ts';
import {
  type Broadcaster,
  broadcasters,
  CAPNWEB,
  CAPNWEB_DROPPED,
  FEED,
  type Listener,
  LOOP,
  rawBroadcasters,
  type Speaker,
  STORED,
} from './contenders.ts';

const CONFIG = join(import.meta.dirname, 'wrangler.jsonc');

const SIZES = [
  { listeners: 1, rounds: 300 },
  { listeners: 100, rounds: 100 },
  { listeners: 1_000, rounds: 40 },
];
const QUICK = [{ listeners: 3, rounds: 2 }];

/** Connections that are opened at once. */
const AT_ONCE = 50;

/** Milliseconds, because work of a broadcast goes on after its last listener has it. */
const SETTLE = 3;

/** Longer than any event takes, in milliseconds. */
const PATIENCE = 60_000;

/** The result of one contender, for a number of listeners. Times in milliseconds from the call. */
export interface BroadcastResult {
  contender: string;
  listeners: number;
  /** Whether the clients do almost nothing. */
  isRaw: boolean;
  rounds: number;
  first: number;
  last: number;
  p95: number;
  /** CPU time of the runtime. */
  cpu: number;
  /** Time to the last listener, and CPU time, relative to other contenders. */
  ratios: Record<string, { last: Estimate; cpu: Estimate }>;
}

/** The traffic of one event to one listener. `up` is what the listener sends for it. */
export interface BroadcastWire {
  contender: string;
  frames: { up: number; down: number };
  bytes: { up: number; down: number };
  /** Bytes of the text as JSON. */
  payload: number;
}

export interface Broadcasts {
  results: BroadcastResult[];
  wire: BroadcastWire[];
}

interface Room {
  contender: Broadcaster;
  listeners: Listener[];
  speaker: Speaker;
  rounds: Round[];
  /** The next text for the listeners, how many have received it, and when the first one did. */
  expected: string;
  heard: number;
  firstAt: number;
  done: PromiseWithResolvers<void>;
}

type Round = { first: number; last: number; cpu: number };

export async function measureBroadcasts(
  isQuick: boolean,
  note: (text: string) => void,
): Promise<Broadcasts> {
  const results: BroadcastResult[] = [];
  for (const { listeners, rounds } of isQuick ? QUICK : SIZES) {
    for (const isRaw of [false, true]) {
      note(`${listeners} listeners${isRaw ? ', bare sockets' : ''}`);
      results.push(...(await compare(listeners, rounds, isRaw)));
    }
  }
  note('on the wire');
  return { results, wire: await measureWire(isQuick ? 32 : 96) };
}

/** @throws Error if a listener receives a wrong text, or none */
async function compare(count: number, rounds: number, isRaw: boolean): Promise<BroadcastResult[]> {
  await using runtime = await Runtime.serve({ config: CONFIG });
  const random = randomNumbers(1);
  const all = isRaw ? rawBroadcasters : broadcasters;
  const rooms: Room[] = [];
  for (const contender of all) rooms.push(await fill(contender, runtime.url, count));
  // The first rounds warm up.
  for (let round = -2; round < rounds; round++) {
    const order = rooms.map((room) => [random(), room] as const).toSorted(([a], [b]) => a - b);
    for (const [, room] of order) {
      const result = await broadcast(room, runtime, round);
      if (round >= 0) room.rounds.push(result);
    }
  }
  await runtime.check();
  for (const { listeners, speaker } of rooms)
    for (const one of [...listeners, speaker]) one.close();
  return rooms.map((room) => summaryOf(room, rooms, count, isRaw));
}

async function fill(contender: Broadcaster, url: string, count: number): Promise<Room> {
  const name = 'room';
  const room: Room = {
    contender,
    listeners: [],
    speaker: await contender.speak(url, name),
    rounds: [],
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
    room.done.reject(new Error(`${room.contender.name}: ${text} was not said`));
  }
  if (room.heard++ === 0) room.firstAt = performance.now();
  if (room.heard === room.listeners.length) room.done.resolve();
  if (room.heard > room.listeners.length) throw new Error(`${room.contender.name}: heard twice`);
}

async function broadcast(room: Room, runtime: Runtime, round: number): Promise<Round> {
  room.expected = textOf(round);
  room.heard = 0;
  room.done = Promise.withResolvers();
  const impatience = setTimeout(
    () => room.done.reject(new Error(`${room.contender.name}: ${room.heard} have heard it`)),
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

/** A different text for each round, all of the same length. */
function textOf(round: number): string {
  return `event ${String(round + 1_000).padStart(6, '0')} of a broadcast to everybody`;
}

function summaryOf(
  { contender, rounds }: Room,
  rooms: readonly Room[],
  listeners: number,
  isRaw: boolean,
): BroadcastResult {
  const of = (name: keyof Round, room = rounds): number[] => room.map((round) => round[name]);
  const others = rooms.filter((room) => room.contender !== contender);
  const against = new Set([LOOP, STORED, CAPNWEB, CAPNWEB_DROPPED]);
  return {
    contender: contender.name,
    listeners,
    isRaw,
    rounds: rounds.length,
    first: median(of('first')),
    last: median(of('last')),
    p95: percentile(of('last'), 0.95),
    cpu: median(of('cpu')),
    ratios: Object.fromEntries(
      others
        .filter((room) => against.has(room.contender.name))
        .map((room) => [
          room.contender.name,
          {
            last: pairedRatio(of('last'), of('last', room.rounds)),
            cpu: pairedRatio(of('cpu'), of('cpu', room.rounds)),
          },
        ]),
    ),
  };
}

/** Counts the traffic of a listener that sends no messages. */
async function measureWire(events: number): Promise<BroadcastWire[]> {
  await using runtime = await Runtime.serve({ config: CONFIG });
  const wire: BroadcastWire[] = [];
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
    // The last acknowledgement, and other late frames, belong to the count.
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    wire.push({
      contender: contender.name,
      frames: { up: up.frames / events, down: down.frames / events },
      bytes: { up: up.bytes / events, down: down.bytes / events },
      payload: JSON.stringify(textOf(0)).length,
    });
    for (const one of [listener, speaker]) one.close();
  }
  return wire;
}

/** The result of this RPC's feed. */
export function feedTo(
  { results }: Broadcasts,
  listeners: number,
  isRaw: boolean,
): BroadcastResult | undefined {
  return results.find(
    (one) => one.contender === FEED && one.listeners === listeners && one.isRaw === isRaw,
  );
}
