/**
 * `npm run bytes-cost`: compares echoed bytes with a binary frame by hand, in time and in memory of the runtime.
 * Prints the figures of docs/decisions/binary-frames.md.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Runtime } from '../../harness/runtime.ts';
import { median, pairedRatio } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../../runtime/src/client.ts';
import { bytes } from '../../runtime/src/features/bytes/client.ts';
import { ratioText } from '../ratio-table.ts';
import type { Files } from './worker.ts';

const SIZES = [65_536, 1_048_576];
const ROUNDS = 80;
/** The first rounds warm up. */
const WARM_UP = 20;
const TIMES_PER_ROUND = 4;

type Echo = (value: ArrayBuffer) => Promise<ArrayBuffer>;

const config = join(import.meta.dirname, 'wrangler.jsonc');

/** The ways to send bytes and get them back, and a function that closes their connections. */
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
  const socket = new WebSocket(`${url.replace('http', 'ws')}/by-hand`);
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

/** @throws Error if other bytes come back */
async function measureTimes(size: number): Promise<void> {
  await using runtime = await Runtime.serve({ config });
  const { ways, close } = await open(runtime.url);
  const value = crypto.getRandomValues(new Uint8Array(65_536));
  const sent = new Uint8Array(size);
  for (let start = 0; start < size; start += value.length) sent.set(value, start);
  const hash = hashOf(sent.buffer);
  const names = Object.keys(ways);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? names.toReversed() : names) {
      const echo = ways[name] as Echo;
      let back = new ArrayBuffer(0);
      const start = performance.now();
      for (let time = 0; time < TIMES_PER_ROUND; time++) back = await echo(sent.buffer);
      const time = (performance.now() - start) / TIMES_PER_ROUND;
      if (hashOf(back) !== hash) throw new Error(`${name}: other bytes came back`);
      if (round >= WARM_UP) times.get(name)?.push(time);
    }
  }
  close();
  const [floor = []] = times.values();
  for (const [name, all] of times) {
    const time = `${median(all).toFixed(2)} ms`;
    console.log(`| ${size} | ${name} | ${time} | ${ratioText(pairedRatio(all, floor), 2)} |`);
  }
}

/** The peak growth of the runtime's memory while a value is echoed, relative to the value's size. */
async function measureMemory(size: number): Promise<void> {
  const names = [
    'by hand',
    'beside the text',
    'beside the text, journaled',
    'beside the text, POST',
    'as text',
  ];
  for (const name of names) {
    const shares: number[] = [];
    for (let life = 0; life < 5; life++) {
      await using runtime = await Runtime.serve({ config });
      const { ways, close } = await open(runtime.url);
      const echo = ways[name] as Echo;
      // These calls make the runtime allocate the memory that it allocates only once.
      for (let time = 0; time < 3; time++) await echo(new ArrayBuffer(2_000));
      const most = await runtime.mostMemory(() => echo(new Uint8Array(size).fill(1).buffer));
      shares.push(most / size);
      close();
    }
    console.log(
      `| ${size} | ${name} | ${median(shares).toFixed(1)} | ${shares.map((share) => share.toFixed(1)).join(', ')} |`,
    );
  }
}

const [what = 'all'] = process.argv.slice(2);
if (what !== 'memory') for (const size of SIZES) await measureTimes(size);
if (what !== 'times') for (const size of [1_048_576, 2_097_152]) await measureMemory(size);
