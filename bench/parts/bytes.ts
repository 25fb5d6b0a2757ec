/**
 * Compares echoed bytes with a binary frame by hand, by time and by memory of the runtime.
 * docs/decisions/wire-and-values.md has the figures.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createRpcClient } from '../../runtime/src/client.ts';
import { bytes } from '../../runtime/src/features/bytes/client/bytes.ts';
import type { PartOptions } from '../part.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { serve } from '../serve.ts';
import { inTurns } from '../turns.ts';
import type { Files } from './workers/bytes.ts';

const WORKER = join(import.meta.dirname, 'workers/bytes.ts');

const BINDINGS = { FILES: 'Files', BY_HAND: 'ByHand' };
const TIMES_PER_ROUND = 4;

type Echo = (value: ArrayBuffer) => Promise<ArrayBuffer>;

/** Returns functions that send bytes and receive them, and a function that closes their connections. */
async function open(url: string): Promise<{ ways: Record<string, Echo>; close: () => void }> {
  const byHand = await echoByHand(url);
  const beside = createRpcClient<Files>('FILES', 'beside', { baseUrl: url, bytes });
  const asText = createRpcClient<Files>('FILES', 'text', { baseUrl: url });
  const posted = createRpcClient<Files>('FILES', 'posted', {
    baseUrl: url,
    bytes,
    transport: 'http',
  });
  const ways: Record<string, Echo> = {
    'by hand': byHand.echo,
    'by hand, again': byHand.echo,
    'beside the text': (value) => beside.echo(value),
    'beside the text, journaled': (value) => beside.store(value),
    'beside the text, POST': (value) => posted.echo(value),
    'as text': (value) => asText.echo(value),
  };
  const clients = [beside, asText, posted];
  return {
    ways,
    close() {
      for (const client of clients) client.close();
      byHand.close();
    },
  };
}

async function echoByHand(url: string): Promise<{ echo: Echo; close: () => void }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/BY_HAND/one`);
  socket.binaryType = 'arraybuffer';
  await once(socket, 'open');
  return {
    async echo(value) {
      socket.send(value);
      const [{ data }] = (await once(socket, 'message')) as [{ data: ArrayBuffer }];
      return data;
    },
    close: () => socket.close(),
  };
}

function hashOf(value: ArrayBuffer): string {
  return createHash('sha256').update(new Uint8Array(value)).digest('hex');
}

/** @throws Error if the received bytes differ from the sent bytes */
async function times(size: number, { isQuick, note }: PartOptions): Promise<Row[]> {
  await using runtime = await serve(WORKER, BINDINGS);
  const { ways, close } = await open(runtime.url);
  const value = crypto.getRandomValues(new Uint8Array(65_536));
  const sent = new Uint8Array(size);
  for (let start = 0; start < size; start += value.length) sent.set(value, start);
  const hash = hashOf(sent.buffer);
  const acts = Object.entries(ways).map(([name, echo]) => {
    const act = async (): Promise<number> => {
      let back = new ArrayBuffer(0);
      const start = performance.now();
      for (let time = 0; time < TIMES_PER_ROUND; time++) back = await echo(sent.buffer);
      const time = (performance.now() - start) / TIMES_PER_ROUND;
      if (hashOf(back) !== hash)
        throw new Error(`${name}: the received bytes differ from the sent bytes`);
      return time;
    };
    return [name, act] as const;
  });
  const [rounds, warmUp] = isQuick ? [2, 0] : [60, 20];
  const all = await inTurns(new Map(acts), {
    rounds,
    warmUp,
    onRound: (round) => note(`${size} bytes, round ${round + 1} of ${rounds}`),
  });
  close();
  return rowsOf(`${size} bytes, there and back`, 'ms', all, ['by hand']);
}

/** Returns the peak growth of the runtime's memory while a value is echoed, relative to the value's size. */
async function peaks(size: number, isQuick: boolean): Promise<Row[]> {
  const names = [
    'by hand',
    'beside the text',
    'beside the text, journaled',
    'beside the text, POST',
    'as text',
  ];
  const shares = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const [name, all] of shares) {
    for (let life = 0; life < (isQuick ? 1 : 5); life++) {
      await using runtime = await serve(WORKER, BINDINGS);
      const { ways, close } = await open(runtime.url);
      const echo = ways[name] as Echo;
      // These calls make the runtime allocate the memory that it allocates only once.
      for (let time = 0; time < 3; time++) await echo(new ArrayBuffer(2_000));
      const most = await runtime.mostMemory(() => echo(new Uint8Array(size).fill(1).buffer));
      all.push(most / size);
      close();
    }
  }
  return rowsOf(`${size} bytes, peak of memory`, 'times their size', shares);
}

/** @throws Error if the received bytes differ from the sent bytes */
export async function measureBytes(options: PartOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of [65_536, 1_048_576]) rows.push(...(await times(size, options)));
  options.note('peaks of memory');
  for (const size of [1_048_576, 2_097_152]) rows.push(...(await peaks(size, options.isQuick)));
  return rows;
}
