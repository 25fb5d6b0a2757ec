/**
 * Measures native Workers RPC, from a Worker to an object. Clients outside the runtime cannot use it, and a Worker's
 * clock stands still while it computes. So one request makes the Worker do all the calls, and the request is timed
 * here, in turns with a round of the same calls by other contenders.
 */
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import type { CounterConnection } from '../../runtime/src/perf/workloads.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { inTurns } from '../turns.ts';

const NATIVE = 'native Workers RPC, from a Worker';

type Method = 'increment' | 'getValue';

/**
 * @returns a row with microseconds for a call
 * @throws Error if an answer is wrong
 */
export async function measureNative(
  url: string,
  method: Method,
  others: readonly Contender[],
  { calls = 100, rounds = 60 } = {},
): Promise<Row> {
  const object = `native-${method}`;
  const connections = new Map<string, CounterConnection>();
  for (const { name, connect } of others) connections.set(name, await connect(url, object));
  const runs: [string, () => Promise<number | undefined>][] = [
    [NATIVE, () => runNative(url, object, method, calls)],
    ...Array.from(
      connections,
      ([name, connection]): [string, () => Promise<number | undefined>] => [
        name,
        () => runFrom(connection, method, calls),
      ],
    ),
  ];
  const acts = runs.map(([name, run]) => {
    let expected = 0;
    const act = async (): Promise<number> => {
      const start = performance.now();
      const last = await run();
      const time = ((performance.now() - start) * 1000) / calls;
      if (method === 'increment') expected += calls;
      if (last !== expected) throw new Error(`${name}: the answer is ${last}, not ${expected}`);
      return time;
    };
    return [name, act] as const;
  });
  const times = await inTurns(new Map(acts), { rounds });
  for (const connection of connections.values()) connection.close();
  const [native] = rowsOf(`${calls} of ${method} by one request`, 'µs', times, [
    ...connections.keys(),
  ]);
  return native as Row;
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
