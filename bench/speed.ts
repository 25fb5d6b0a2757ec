/** Measures the speed of every contender on every workload, in one runtime, with one compression setting. */
import { join } from 'node:path';
import { Runtime, workerd } from '../harness/runtime.ts';
import { contenders, workloads } from '../harness/counter-perf.ts';
import { CAPNWEB, type Contender, negotiatedExtensions } from '../runtime/src/perf/contenders.ts';
import { measure, type Series } from '../runtime/src/perf/measure.ts';
import { type Configuration, type Report, summarize } from '../runtime/src/perf/measure/summary.ts';
import { countWire } from '../runtime/src/perf/measure/wire.ts';
import type { Workload } from '../runtime/src/perf/workloads.ts';
import { cpu } from './machine.ts';
import { measureNative, type NativeResult } from './native.ts';
import { heartbeatOfRpcDo, peers } from './peers.ts';

/** Workloads without events. Events have a part of their own: see broadcast/. */
const ofCalls = workloads.filter(({ name }) => !name.includes('heard by'));

export const CONFIG = join(import.meta.dirname, 'wrangler.jsonc');

const RECONNECTING = 'rpc.do, WebSocket, reconnecting';
const AFTER_HEARTBEAT = 'a call after 32 seconds';

/** `warmUp` in pairs of rounds, `duration` in milliseconds, `fewestRounds` in rounds. */
const QUICK = { warmUp: 0, duration: 0, fewestRounds: 2 };

export interface SpeedOptions {
  isQuick: boolean;
  onProgress(text: string): void;
}

export interface Speed {
  /** All rounds, for ratios that the report does not contain. */
  series: Series[];
  report: Report & { native: NativeResult[] };
}

/** @throws Error if a contender of the template gives a wrong answer or none */
export async function measureSpeed(
  webSocketCompression: boolean,
  { isQuick, onProgress }: SpeedOptions,
): Promise<Speed> {
  const time = new Date().toISOString();
  const runtime = await Runtime.serve({ config: CONFIG, webSocketCompression });
  try {
    const { url } = runtime;
    const heartbeat = isQuick ? undefined : reasonOf(heartbeatOfRpcDo(url));
    const chosen = isQuick ? quickOf(webSocketCompression) : ofCalls;
    const series = await measure(url, contenders, chosen, {
      ...(isQuick ? QUICK : { warmUp: 1, duration: 140_000 }),
      onProgress: (part) => onProgress(`${Math.floor(part * 100)} %`),
    });
    const { results, leftOut } = summarize(series, CAPNWEB);
    const theirs = await measurePeers(url, chosen, isQuick);
    results.push(...theirs.results);
    leftOut.push(...theirs.leftOut);
    const reason = await heartbeat;
    if (reason) leftOut.push({ workload: AFTER_HEARTBEAT, contender: RECONNECTING, reason });
    const able = [...contenders, ...peers].filter(({ name }) =>
      results.some(({ contender }) => contender === name),
    );
    const wire = await countWire(url, able);
    const native = await measureBothNatively(url, isQuick);
    const configuration = await configurationOf(runtime);
    const who = able.map(({ name, about }) => ({ name, about }));
    const common = { time, configuration, contenders: who, rival: CAPNWEB };
    const report = { ...common, results, leftOut, wire, native };
    return { series, report };
  } finally {
    await runtime.stop();
  }
}

/** Returns, with compression, only the workloads that are judged first: all have run without it before. */
function quickOf(webSocketCompression: boolean): Workload[] {
  return ofCalls.filter(({ isLong, weight }) => !isLong && (!webSocketCompression || weight));
}

/**
 * Measures the peers in rounds of their own, with the floors and Cap'n Web. In a round with fewer contenders,
 * the times that are compared are closer to each other.
 */
async function measurePeers(
  url: string,
  all: readonly Workload[],
  isQuick: boolean,
): Promise<Pick<Report, 'results' | 'leftOut'>> {
  // The peers run only the counter. The bookings compare this project with itself.
  const chosen = all.filter(({ isLong, name }) => !isLong && !name.includes('bookings'));
  const options = isQuick ? QUICK : { warmUp: 1, duration: 60_000 };
  const beside = contenders.filter(({ role }) => role !== undefined);
  const series = await measure(url, [...beside, ...peers], chosen, options);
  const { results, leftOut } = summarize(series, CAPNWEB);
  const isPeer = ({ contender }: { contender: string }): boolean =>
    peers.some(({ name }) => name === contender);
  return { results: results.filter(isPeer), leftOut: leftOut.filter(isPeer) };
}

/**
 * Measures this RPC with the template's settings and Cap'n Web with the platform's settings. Each has a
 * runtime of its own. Both runtimes exist at the same time and run in turns.
 */
export async function measureAsShipped(isQuick: boolean): Promise<Series[]> {
  const runtimes: Runtime[] = [];
  const at = async (name: string, runtime: Promise<Runtime>): Promise<Contender> => {
    const one = await runtime;
    runtimes.push(one);
    const contender = contenders.find((other) => other.name === name) as Contender;
    return { ...contender, connect: (_, counter) => contender.connect(one.url, counter) };
  };
  try {
    const pair = [
      await at('this RPC', Runtime.serve({ config: CONFIG })),
      await at(CAPNWEB, Runtime.serve({ config: CONFIG, webSocketCompression: true })),
    ];
    const reads = workloads.filter(({ name }) => name === '100 reads');
    return await measure('', pair, reads, isQuick ? QUICK : { warmUp: 1, duration: 15_000 });
  } finally {
    for (const runtime of runtimes) await runtime.stop();
  }
}

async function measureBothNatively(url: string, isQuick: boolean): Promise<NativeResult[]> {
  const others = contenders.filter(({ name }) =>
    ['this RPC', 'by hand, hibernating'].includes(name),
  );
  const results: NativeResult[] = [];
  for (const method of ['increment', 'getValue'] as const) {
    results.push(await measureNative(url, method, others, isQuick ? { calls: 10, rounds: 2 } : {}));
  }
  return results;
}

async function configurationOf(runtime: Runtime): Promise<Configuration> {
  return {
    target: 'workerd, the bare Workers runtime',
    node: process.versions.node,
    cpu: cpu(),
    workerd: workerd.version,
    ...runtime.compatibility,
    webSocketCompression: (await negotiatedExtensions(runtime.url)) || 'off',
  };
}

async function reasonOf(attempt: Promise<unknown>): Promise<string | undefined> {
  return attempt.then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
}

/** The message of the original error. rpc.do rejects with an error that wraps it. */
function messageOf(error: unknown): string {
  const { cause, value } = error as { cause?: unknown; value?: unknown };
  if (cause ?? value) return messageOf(cause ?? value);
  return error instanceof Error ? error.message : String(error);
}
