/**
 * Searches for frames that cost the object much time or memory before a schema has checked them. It makes frames by a
 * grammar, keeps the frames that cost most for each byte, and changes them.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Runtime } from '../../harness/runtime.ts';
import { piecesOf } from '../../runtime/src/wire/pieces.ts';
import { CLIENT_ID, type Frame, SUBPROTOCOL } from '../../runtime/src/wire/messages.ts';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import { CONFIG } from '../clients/fleet.ts';
import { changed, describePlan, firstPlans, frameOf, type Plan } from '../costly/grammar.ts';
import { Bars, type Context, type Figures, rounded, type Scenario } from '../scenario.ts';

const MEBIBYTE = 2 ** 20;
/** The sizes of frames. Frames of the first sizes are sent several times. */
const SHORT = { sizes: [30_000], changes: 10, least: 30_000 };
const LONG = {
  sizes: [300, 6_000, 60_000, 300_000, MEBIBYTE, 4_100_000],
  changes: 500,
  least: 100_000,
};
/** The number of plans that are kept and changed, and the number of printed plans. */
const KEPT = 20;
const PRINTED = 10;
/** The number of times that the printed plans are measured again. */
const AGAIN = 3;

/** The milliseconds of CPU for each MiB. */
const MOST = 100;
/** The milliseconds that a frame and a message may take in addition, as frames and messages of small valid calls do. */
const OF_FRAME = 1;
const OF_MESSAGE = 0.05;

interface Candidate {
  readonly plan: Plan;
  readonly size: number;
}

interface Cost {
  /** The milliseconds of CPU for each MiB. */
  readonly time: number;
  /** The bytes of memory for each byte. */
  readonly memory: number;
}

type Weighed = Candidate & Cost;

export const costly: Scenario = {
  name: 'costly',
  about: 'a search for frames that cost much before they are checked',
  async run(context) {
    return [await search(context)];
  },
};

async function search(context: Context): Promise<Figures> {
  const { short, random, note } = context;
  const { sizes, changes, least } = short ? SHORT : LONG;
  await using server = await Runtime.serve({ config: CONFIG });
  const sizeOf = (): number => sizes[Math.floor(random() * sizes.length)] as number;
  let kept: Weighed[] = [];
  let count = 0;
  const weigh = async (candidate: Candidate): Promise<void> => {
    count++;
    let cost = await costOf(candidate, server, least);
    if (cost.time < (kept.at(-1)?.time ?? 0)) return;
    // Other load on the machine, or a garbage collection, can make any frame look costly.
    const again = await costOf(candidate, server, least);
    cost = { time: Math.min(cost.time, again.time), memory: Math.min(cost.memory, again.memory) };
    kept = best([...kept, { ...candidate, ...cost }]);
  };
  const begin = firstPlans().flatMap((plan) =>
    (short ? sizes : [60_000, sizeOf()]).map((size) => ({ plan, size })),
  );
  for (const candidate of begin) {
    note(`${begin.length - count} first frames to go`);
    await weigh(candidate);
  }
  for (let left = changes; left > 0; left--) {
    note(`${left} changes to go; the worst takes ${rounded(kept[0]?.time ?? 0)} ms a MiB`);
    const { plan, size } = kept[Math.floor(random() * kept.length)] as Weighed;
    await weigh({ plan: changed(plan, random), size: random() < 0.3 ? sizeOf() : size });
  }
  const worst: Weighed[] = [];
  for (const candidate of kept.slice(0, PRINTED)) {
    const costs: Cost[] = [];
    for (let left = AGAIN; left > 0; left--) costs.push(await costOf(candidate, server, least));
    const time = median(costs.map((cost) => cost.time));
    worst.push({ ...candidate, time, memory: median(costs.map(({ memory }) => memory)) });
  }
  await server.check();
  const bars = new Bars(context);
  bars.atMost(MOST, 'ms a MiB', Math.max(...worst.map(({ time }) => time)));
  const lines = worst.map(({ plan, size, time, memory }, index): [string, string] => [
    `\n    ${index + 1}.`,
    `${rounded(time)} ms a MiB, ${rounded(memory)} bytes a byte, ${size}: ${describePlan(plan)}`,
  ]);
  const failures = worst.length < PRINTED ? ['too few frames were measured'] : [];
  return bars.part('frames', { frames: count, ...Object.fromEntries(lines) }, failures);
}

/** Returns the candidates with the largest costs by time, and some by memory. A plan occurs only once. */
function best(all: readonly Weighed[]): Weighed[] {
  const chosen = new Map<string, Weighed>();
  const add = (order: (one: Weighed) => number, most: number): void => {
    for (const one of all.toSorted((a, b) => order(b) - order(a))) {
      if (chosen.size >= most) return;
      const name = describePlan(one.plan);
      if (!chosen.has(name)) chosen.set(name, one);
    }
  };
  add(({ time }) => time, KEPT - 5);
  add(({ memory }) => memory, KEPT);
  return [...chosen.values()];
}

/** The first number in the latest frame. */
let first = 0;

/** @param least - the minimum number of characters to send. A small frame is sent several times */
async function costOf({ plan, size }: Candidate, server: Runtime, least: number): Promise<Cost> {
  const frame = frameOf(plan, size, (first += 1_000_000));
  const times = Math.max(1, Math.floor(least / frame.length));
  const socket = await Visitor.connect(server);
  try {
    await socket.fence();
    const before = await server.cpuTime();
    const memory = await server.mostMemory(async () => {
      for (let left = times; left > 0; left--)
        for (const piece of piecesOf(frame)) socket.send(piece);
      await socket.fence();
    });
    const took = (await server.cpuTime()) - before;
    const free = times * (OF_FRAME + OF_MESSAGE * messagesIn(frame));
    const all = frame.length * times;
    return { time: (Math.max(0, took - free) / all) * MEBIBYTE, memory: memory / all };
  } finally {
    socket.close();
  }
}

/** Returns the approximate number of messages of a frame. */
function messagesIn(frame: string): number {
  return Math.min(5_000, frame.split('],[').length);
}

/** A client of an object that no other client uses, so that no limit counts earlier frames. */
class Visitor {
  readonly #socket: WebSocket;
  #id = 2 ** 40;
  #isClosed = false;
  #wake = (): void => {};
  #received = '';

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.#received = String(data).slice(-1_000);
      this.#wake();
    });
    socket.addEventListener('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async connect(server: Runtime): Promise<Visitor> {
    const url = `${server.url}/__rpc/SCALE/${randomUUID()}/call`.replace('http', 'ws');
    const socket = new WebSocket(url, [SUBPROTOCOL, `${CLIENT_ID}.${randomUUID()}`]);
    await once(socket, 'open');
    return new Visitor(socket);
  }

  send(message: Frame): void {
    this.#socket.send(message);
  }

  /** Resolves when the object has handled all sent frames, or has closed the connection. */
  async fence(): Promise<void> {
    const id = ++this.#id;
    this.send(`[[${id},"ping"]]`);
    while (!this.#isClosed && !this.#received.includes(`[${id},`)) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#socket.close();
  }
}
