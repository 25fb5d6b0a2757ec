/**
 * `npm run value-cost`: compares echoed values with Cap'n Web and with JSON by hand: a typed value of 2.5 kB, a
 * rich value of 2 kB, and a plain value of 10 KiB. Prints the figures of docs/decisions/value-codec.md.
 * Imports harness/, ratio-table, values and the template's performance test.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { newWebSocketRpcSession } from 'capnweb';
import { Runtime } from '../../harness/runtime.ts';
import { median, pairedRatio } from '../../template/perf/measure/statistics.ts';
import { createRpcClient } from '../../template/src/rpc/client.ts';
import { ratioText } from '../ratio-table.ts';
import { PLAIN, RICH, RICH_AS_JSON, TYPED } from './values.ts';
import type { EchoTarget, Values } from './worker.ts';

const ROUNDS = 120;
/** The first rounds warm up. */
const WARM_UP = 20;
const TIMES_PER_ROUND = 10;

type Echo = (value: unknown) => Promise<unknown>;

/** A value, and the way to send it. */
interface Contender {
  name: string;
  value: unknown;
  open(url: string): Promise<Echo>;
}

async function byHand(url: string): Promise<Echo> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/by-hand`);
  await once(socket, 'open');
  const waiting = new Map<number, (value: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const [id, value] = JSON.parse(data as string) as [number, unknown];
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  let id = 0;
  return (value) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      socket.send(JSON.stringify([id, value]));
    });
}

async function capnweb(url: string): Promise<Echo> {
  const api = newWebSocketRpcSession<EchoTarget>(`${url.replace('http', 'ws')}/capnweb`);
  return (value) => api.echo(value) as Promise<unknown>;
}

async function thisRpc(baseUrl: string): Promise<Echo> {
  const values = createRpcClient<Values>('VALUES', 'one', { baseUrl });
  return (value) => values.echo(value);
}

/** The others of a workload are compared with its first contender. */
const WORKLOADS: Record<string, Contender[]> = {
  'typed, 2.5 kB': [
    { name: "Cap'n Web", value: TYPED, open: capnweb },
    { name: 'this RPC', value: TYPED, open: thisRpc },
  ],
  'rich, 2 kB': [
    { name: 'its data as JSON, by hand', value: RICH_AS_JSON, open: byHand },
    { name: 'this RPC', value: RICH, open: thisRpc },
    { name: 'its data as JSON, this RPC', value: RICH_AS_JSON, open: thisRpc },
  ],
  'plain, 10 KiB': [
    { name: 'by hand', value: PLAIN, open: byHand },
    { name: 'by hand, again', value: PLAIN, open: byHand },
    { name: 'this RPC', value: PLAIN, open: thisRpc },
  ],
};

/** Measures contenders, each in a runtime of its own. @throws Error if another value comes back */
async function measure(workload: string, contenders: readonly Contender[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const ways: { contender: Contender; echo: Echo; times: number[] }[] = [];
  for (const contender of contenders) {
    const config = join(import.meta.dirname, 'wrangler.jsonc');
    const runtime = stack.use(await Runtime.serve({ config }));
    ways.push({ contender, echo: await contender.open(runtime.url), times: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { contender, echo, times } of round % 2 ? ways.toReversed() : ways) {
      let back: unknown;
      const start = performance.now();
      for (let time = 0; time < TIMES_PER_ROUND; time++) back = await echo(contender.value);
      const time = (performance.now() - start) / TIMES_PER_ROUND;
      // The clone turns a Buffer, which some return for bytes, into a Uint8Array.
      if (!isDeepStrictEqual(structuredClone(back), contender.value)) {
        throw new Error(`${workload}, ${contender.name}: another value came back`);
      }
      if (round >= WARM_UP) times.push(time);
    }
  }
  const [floor] = ways;
  for (const { contender, times } of ways) {
    const time = `${(median(times) * 1_000).toFixed(0)} µs`;
    const ratio = ratioText(pairedRatio(times, floor?.times ?? []), 2);
    console.log(`| ${workload} | ${contender.name} | ${time} | ${ratio} |`);
  }
}

for (const [workload, contenders] of Object.entries(WORKLOADS)) await measure(workload, contenders);
// Otherwise open connections would keep the process alive.
process.exit();
