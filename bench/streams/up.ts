/**
 * `node bench/streams/up.ts`: compares an upload of 64 MiB as a stream with frames by hand, with a window of the same
 * size. It also measures a small call during an upload, and an item relative to a call. Prints the figures of
 * docs/decisions/streams.md.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Runtime } from '../../harness/runtime.ts';
import { median, pairedRatio } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../../runtime/src/client.ts';
import { bytes as asBytes } from '../../runtime/src/features/bytes/client.ts';
import { stream } from '../../runtime/src/features/uploads/client.ts';
import { ratioText } from '../ratio-table.ts';
import type { Files } from './up-worker.ts';

const SIZE = 64 * 2 ** 20;
const PIECE = 65_536;
/** Window in bytes for frames by hand: the largest window of a stream. */
const WINDOW = 2 ** 20;
const ROUNDS = 10;
const WARM_UP = 2;
const LINES = 20_000;

await using runtime = await Runtime.serve({ config: join(import.meta.dirname, 'up.jsonc') });
using files = createRpcClient<Files>('FILES', 'files', {
  baseUrl: runtime.url,
  bytes: asBytes,
  timeout: 120_000,
});

const bytes = randomBytes(SIZE);

function source(): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, (at += PIECE)));
      if (at >= SIZE) controller.close();
    },
  });
}

const hash = Buffer.from(await files.hash(stream(source()))).toString('hex');
if (hash !== createHash('sha256').update(bytes).digest('hex'))
  throw new Error('Other bytes arrived');
console.log(`Bytes arrived as they were: SHA-256 ${hash.slice(0, 16)}…`);

const socket = new WebSocket(`${runtime.url.replace('http', 'ws')}/floor`);
await new Promise((resolve) => socket.addEventListener('open', resolve));
/** Receives the object's next message, except acknowledgements of a window. */
let answered: ((said: string) => void) | undefined;
/** Bytes that the object has not acknowledged, and a function that wakes the sender when there are fewer. */
const way = { unsaid: 0, wake: (): void => {} };
socket.addEventListener('message', ({ data }) => {
  if (data) return answered?.(data as string);
  way.unsaid -= WINDOW / 2;
  way.wake();
});

/** Sends pieces as frames by hand, with at most a window of bytes that are not acknowledged. */
async function floor(): Promise<void> {
  way.unsaid = 0;
  for await (const piece of source()) {
    while (way.unsaid >= WINDOW) await new Promise<void>((resolve) => (way.wake = resolve));
    way.unsaid += piece.length;
    socket.send(piece as Uint8Array<ArrayBuffer>);
  }
  const said = new Promise<string>((resolve) => (answered = resolve));
  socket.send('end');
  if (Number(await said) !== SIZE) throw new Error('Not all has arrived');
}

async function upload(): Promise<void> {
  if ((await files.count(stream(source()))) !== SIZE) throw new Error('Not all has arrived');
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** Runs two functions in turns, and returns their results as pairs. */
async function pairs(
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const one = [0, 0] as [number, number];
    for (const which of round % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      one[which] = await (which === 0 ? first : second)();
    }
    if (round >= WARM_UP) for (const which of [0, 1] as const) times[which].push(one[which]);
  }
  return times;
}

function say(what: string, [ours, others]: [number[], number[]], most: number): void {
  const [one, other] = [median(ours).toFixed(2), median(others).toFixed(2)];
  console.log(
    `${what} ${one} ms and ${other} ms: ${ratioText(pairedRatio(ours, others), 2)}, at most ${most}`,
  );
}

const whole = await pairs(
  () => timeOf(upload),
  () => timeOf(floor),
);
say('64 MiB as a stream, and as frames by hand:', whole, 1.2);

/** Median time of small calls, one every few milliseconds, until a promise resolves. */
async function latency(until: Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  const end = { isHere: false };
  void until.then(() => (end.isHere = true));
  while (!end.isHere) {
    taken.push(await timeOf(async () => files.one()));
    await sleep(2);
  }
  return median(taken);
}

const beside = await pairs(
  () => latency(upload()),
  () => latency(sleep(500)),
);
say('A small call beside a stream, and alone:', beside, 2);

function* lines(): Generator<string> {
  for (let line = 0; line < LINES; line++) yield `line ${line}`;
}

const items = await pairs(
  async () => (await timeOf(async () => files.lines(stream(lines())))) / LINES,
  async () =>
    (await timeOf(async () => Promise.all(Array.from(lines(), (line) => files.line(line))))) /
    LINES,
);
const [perItem, perCall] = items.map((one) => (median(one) * 1_000).toFixed(1));
console.log(`An item, and a call of the same tick: ${perItem} µs and ${perCall} µs`);
socket.close();
