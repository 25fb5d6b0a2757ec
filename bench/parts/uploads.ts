/**
 * Measures streams as arguments, for docs/decisions/subscriptions-and-streams.md:
 *
 * - an upload as a stream, compared with frames by hand that have an equal window;
 * - a small call during an upload, compared with a call without an upload;
 * - an item of a stream, compared with a call.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { createRpcClient } from '../../runtime/src/client.ts';
import { bytes as asBytes } from '../../runtime/src/features/bytes/client/bytes.ts';
import { stream } from '../../runtime/src/features/argument-streams/client/stream.ts';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import type { PartOptions } from '../part.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { serve } from '../serve.ts';
import { inTurns } from '../turns.ts';
import type { Files } from './workers/uploads.ts';

const WORKER = join(import.meta.dirname, 'workers/uploads.ts');

const MEBIBYTE = 2 ** 20;
const PIECE = 65_536;
/** The window of the frames by hand, in bytes. It is equal to the largest window of a stream. */
const WINDOW = MEBIBYTE;

/** @throws Error if the bytes that arrive differ from the bytes that were sent */
export async function measureUploads({ isQuick, note }: PartOptions): Promise<Row[]> {
  const size = (isQuick ? 1 : 64) * MEBIBYTE;
  const count = isQuick ? 200 : 20_000;
  const turns = isQuick ? { rounds: 2, warmUp: 0 } : { rounds: 10 };
  await using runtime = await serve(WORKER, { FILES: 'Files', FLOOR: 'Floor' });
  using files = createRpcClient<Files>('FILES', 'files', {
    baseUrl: runtime.url,
    bytes: asBytes,
    timeout: 120_000,
  });
  const bytes = randomBytes(size);
  const source = (): ReadableStream<Uint8Array> => {
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        controller.enqueue(bytes.subarray(at, (at += PIECE)));
        if (at >= size) controller.close();
      },
    });
  };
  const hash = Buffer.from(await files.hash(stream(source()))).toString('hex');
  if (hash !== createHash('sha256').update(bytes).digest('hex')) {
    throw new Error('The bytes that arrived differ from the bytes that were sent');
  }
  const upload = async (): Promise<void> => {
    if ((await files.count(stream(source()))) !== size)
      throw new Error('Not all bytes have arrived');
  };

  note('bytes');
  const floor = await openFloor(runtime.url);
  const byHand = async (): Promise<void> => {
    if ((await floor.send(source())) !== size) throw new Error('Not all bytes have arrived');
  };
  const whole = await inTurns(
    new Map([
      ['a stream', () => timeOf(upload)],
      ['frames by hand', () => timeOf(byHand)],
    ]),
    turns,
  );
  floor.close();

  note('small calls');
  /** Returns the median time of small calls, one every few milliseconds, until a promise resolves. */
  const latency = async (until: Promise<unknown>): Promise<number> => {
    const taken: number[] = [];
    const end = { isHere: false };
    void until.then(() => (end.isHere = true));
    do {
      taken.push(await timeOf(async () => files.one()));
      await sleep(2);
    } while (!end.isHere);
    return median(taken);
  };
  const small = await inTurns(
    new Map([
      ['beside a stream', () => latency(upload())],
      ['alone', () => latency(sleep(isQuick ? 10 : 500))],
    ]),
    turns,
  );

  note('items');
  function* lines(): Generator<string> {
    for (let line = 0; line < count; line++) yield `line ${line}`;
  }
  const each = async (act: () => Promise<unknown>) => ((await timeOf(act)) * 1000) / count;
  const items = await inTurns(
    new Map([
      [
        'an item',
        () =>
          each(async () => {
            if ((await files.lines(stream(lines()))) !== count)
              throw new Error('Lines are missing');
          }),
      ],
      [
        'a call of the same tick',
        () => each(() => Promise.all(Array.from(lines(), (line) => files.line(line)))),
      ],
    ]),
    turns,
  );
  return [
    ...rowsOf(`${size / MEBIBYTE} MiB to the object`, 'ms', whole, ['frames by hand']),
    ...rowsOf('a small call', 'ms', small, ['alone']),
    ...rowsOf(`one of ${count} lines`, 'µs', items, ['a call of the same tick']),
  ];
}

interface Floor {
  /** Sends all bytes as frames, at most a window ahead of the acknowledged bytes. Resolves to the number that arrived. */
  send(source: AsyncIterable<Uint8Array>): Promise<number>;
  close(): void;
}

async function openFloor(url: string): Promise<Floor> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/FLOOR/floor`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  /** Receives the object's next message, except acknowledgements of a window. */
  let answered: ((said: string) => void) | undefined;
  /** The number of bytes that the object has not acknowledged, and a function that wakes the sender when it shrinks. */
  const way = { unsaid: 0, wake: (): void => {} };
  socket.addEventListener('message', ({ data }) => {
    if (data) return answered?.(data as string);
    way.unsaid -= WINDOW / 2;
    way.wake();
  });
  return {
    async send(source) {
      way.unsaid = 0;
      for await (const piece of source) {
        while (way.unsaid >= WINDOW) await new Promise<void>((resolve) => (way.wake = resolve));
        way.unsaid += piece.length;
        socket.send(piece as Uint8Array<ArrayBuffer>);
      }
      const said = new Promise<string>((resolve) => (answered = resolve));
      socket.send('end');
      return Number(await said);
    },
    close: () => socket.close(),
  };
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}
