/** Ten calls, made in three ways. Another entry in the list is another row on the page. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from '../rpc/client.ts';

export interface Way {
  name: string;
  /** How it is written, in two lines. */
  code: string;
  run(trial: RpcClient<Counter>): Promise<unknown>;
}

export const WAYS: readonly Way[] = [
  {
    name: 'Sequential',
    code: 'await trial.increment();\nawait trial.increment(); …',
    /** Each waits for the answer to the one before: ten round trips. */
    async run(trial) {
      await trial.reset();
      for (let call = 0; call < 9; call++) await trial.increment();
    },
  },
  {
    name: 'Batched',
    code: 'await Promise.all([\n  trial.increment(), …]);',
    /** All in one tick, so in one frame. */
    run(trial) {
      const increments = Array.from({ length: 9 }, () => trial.increment());
      return Promise.all([trial.reset(), ...increments]);
    },
  },
  {
    name: 'Pipelined',
    code: 'const sum = trial.increment();\nawait trial.increment(sum); …',
    /** Each takes the result of the one before, which is not there yet: one frame all the same. */
    run(trial) {
      const start = trial.reset();
      let sum = trial.increment();
      for (let call = 0; call < 8; call++) sum = trial.increment(sum);
      return Promise.all([start, sum]);
    },
  },
];
