/**
 * Compares a call over plain HTTP with a route written by hand that calls the same method of the same object by native
 * Workers RPC. It measures the CPU time of the runtime, and the time until the answer.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NOT_TOLD, tellsProcesses } from '../../harness/machine.ts';
import { sleep } from '../../harness/waiting.mjs';
import type { PartOptions } from '../part.ts';
import { type Figures, type Row, rowsOf } from '../results/rows.ts';
import { serve } from '../serve.ts';
import { inTurns } from '../turns.ts';

const WORKER = join(import.meta.dirname, 'workers/http.ts');

const ROUNDS = 30;
/** The number of requests of a round, and the number of requests that wait at a time. */
const CALLS = 200;
const LANES = 10;
/** The pause after a round, in milliseconds, because the runtime goes on working after the last answer. */
const SETTLE = 5;

const BY_HAND = 'a route by hand, by native RPC';
const DOOR = 'the door';

interface Contender {
  readonly path: string;
  /** True if the calls have a key. */
  readonly isKeyed?: boolean;
}

const CONTENDERS: Readonly<Record<string, Contender>> = {
  [BY_HAND]: { path: '/hand' },
  [`${BY_HAND}, again`]: { path: '/hand' },
  'a route by hand, by fetch': { path: '/fetch' },
  [DOOR]: { path: '/__rpc/COUNTER' },
};
const WITH_KEY: Readonly<Record<string, Contender>> = {
  [`${DOOR}, with keys`]: { path: '/__rpc/COUNTER', isKeyed: true },
};

/** The CPU time and the wall-clock time of a round, in microseconds for one call. */
interface Round {
  cpu: number;
  wall: number;
}

/** @throws Error if an answer is wrong */
export async function measureHttp({ isQuick, note }: PartOptions): Promise<Row[]> {
  if (!tellsProcesses) return [{ what: 'reads', who: DOOR, note: NOT_TOLD }];
  await using runtime = await serve(WORKER, { COUNTER: 'Counter' });
  const calls = isQuick ? 20 : CALLS;
  const rows: Row[] = [];
  for (const method of ['increment', 'getValue'] as const) {
    const isIncrement = method === 'increment';
    const contenders = isIncrement ? { ...CONTENDERS, ...WITH_KEY } : CONTENDERS;
    const acts = Object.entries(contenders).map(([who, contender], index) => {
      const url = `${runtime.url}${contender.path}/${method}${index}/${method}`;
      let value = 0;
      const act = async (): Promise<Round> => {
        const before = await runtime.cpuTime();
        const begun = performance.now();
        const answers = await callAll(url, contender, isIncrement, calls);
        const wall = performance.now() - begun;
        await sleep(SETTLE);
        const cpu = (await runtime.cpuTime()) - before;
        const sorted = answers.toSorted((one, other) => one - other);
        for (const [at, answer] of sorted.entries()) {
          const right = isIncrement ? value + at + 1 : value;
          if (answer !== right) throw new Error(`${who}: an answer is ${answer} and not ${right}`);
        }
        if (isIncrement) value += calls;
        return { cpu: (cpu * 1000) / calls, wall: (wall * 1000) / calls };
      };
      return [who, act] as const;
    });
    const results = await inTurns(new Map(acts), {
      rounds: isQuick ? 2 : ROUNDS,
      warmUp: isQuick ? 1 : 6,
      onRound: (round) => note(`${method}, round ${round + 1}`),
    });
    for (const figure of ['cpu', 'wall'] as const) {
      const figures: Figures = new Map(
        Array.from(results, ([who, own]) => [who, own.map((one) => one[figure])]),
      );
      const what = `${isIncrement ? 'an increment' : 'a read'}, ${figure === 'cpu' ? 'CPU of the runtime' : 'time'}`;
      rows.push(...rowsOf(what, 'µs', figures, [BY_HAND]));
    }
  }
  return rows;
}

async function callAll(
  url: string,
  { isKeyed }: Contender,
  isIncrement: boolean,
  calls: number,
): Promise<number[]> {
  const answers: number[] = [];
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const headers: Record<string, string> = { 'Content-Type': 'application/json' };
      if (isKeyed) headers['Idempotency-Key'] = randomUUID();
      const response = await fetch(
        url,
        isIncrement ? { method: 'POST', headers, body: '[1]' } : {},
      );
      answers.push((await response.json()) as number);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return answers;
}
