/**
 * Measures native Workers RPC, from a Worker to an object. Clients outside the runtime cannot use it, and a Worker's
 * clock stands still while it computes. So one request makes the Worker do all the calls, and the request is timed
 * here, in turns with a round of the same calls by other contenders.
 */
import type { Contender } from '../runtime/src/perf/contenders.ts';
import type { CounterConnection } from '../runtime/src/perf/workloads.ts';
import { type Estimate, median, pairedRatio } from '../runtime/src/perf/measure/statistics.ts';

type Method = 'increment' | 'getValue';

/** Times in microseconds per call. A ratio is the native time relative to another contender's. */
export interface NativeResult {
  method: Method;
  calls: number;
  rounds: number;
  native: number;
  others: { contender: string; median: number; ratio: Estimate }[];
}

/** @throws Error if an answer is wrong */
export async function measureNative(
  url: string,
  method: Method,
  others: readonly Contender[],
  { calls = 100, rounds = 60 } = {},
): Promise<NativeResult> {
  const name = `native-${method}`;
  const connections = await Promise.all(others.map((other) => other.connect(url, name)));
  const runs = [
    () => runNative(url, name, method, calls),
    ...connections.map((connection) => () => runFrom(connection, method, calls)),
  ];
  const times = runs.map((): number[] => []);
  const expected = runs.map(() => 0);
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const order = runs.map((_, index) => index);
    for (const index of round % 2 ? order.toReversed() : order) {
      const start = performance.now();
      const last = await runs[index]?.();
      const time = ((performance.now() - start) * 1000) / calls;
      if (method === 'increment') (expected[index] as number) += calls;
      if (last !== expected[index])
        throw new Error(`The answer is ${last}, not ${expected[index]}`);
      if (round > 0) times[index]?.push(time);
    }
  }
  for (const connection of connections) connection.close();
  const [native = [], ...theirs] = times;
  return {
    method,
    calls,
    rounds,
    native: median(native),
    others: others.map(({ name: contender }, index) => ({
      contender,
      median: median(theirs[index] as number[]),
      ratio: pairedRatio(native, theirs[index] as number[]),
    })),
  };
}

async function runNative(url: string, name: string, method: Method, calls: number) {
  const response = await fetch(`${url}/native/${name}?method=${method}&calls=${calls}`);
  const answers = (await response.json()) as number[];
  return answers.at(-1);
}

async function runFrom(connection: CounterConnection, method: Method, calls: number) {
  let answer: number | undefined;
  for (let call = 0; call < calls; call++) answer = await connection[method]();
  return answer;
}
