/**
 * What is measured: one entry each. A workload does its calls, has each timed by `time`, and says
 * which answers are right. A new workload is a new entry. Imports types only.
 */
import type { CounterConnection } from './contenders.ts';

/** Makes one call and notes how long its answer took. */
export type Stopwatch = (call: () => Promise<number>) => Promise<number>;

export interface Workload {
  readonly name: string;
  readonly calls: number;
  /** Makes the calls; returns their answers in order. */
  run(counter: CounterConnection, time: Stopwatch): Promise<number[]>;
  /**
   * The answers that are right.
   *
   * @param value - of the counter before the workload
   */
  expect(value: number): number[];
}

type Operation = 'increment' | 'getValue';

export const workloads: readonly Workload[] = [
  inSequence('100 increments', repeat(100, ['increment'])),
  inSequence('100 reads', repeat(100, ['getValue'])),
  inSequence('50 increments, each then read', repeat(50, ['increment', 'getValue'])),
];

/** Each call is made when the one before it has been answered. */
function inSequence(name: string, operations: readonly Operation[]): Workload {
  return {
    name,
    calls: operations.length,
    async run(counter, time) {
      const answers: number[] = [];
      for (const operation of operations) answers.push(await time(() => counter[operation]()));
      return answers;
    },
    expect(value) {
      return operations.map((operation) => (operation === 'increment' ? ++value : value));
    },
  };
}

function repeat(times: number, operations: readonly Operation[]): Operation[] {
  return Array.from({ length: times }, () => operations).flat();
}
