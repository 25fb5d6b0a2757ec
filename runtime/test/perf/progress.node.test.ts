/** Tests the progress of a measurement of a counter in this process. */
import { expect, test } from 'vitest';
import type { Contender } from '../../src/perf/contenders.ts';
import { measure, type MeasureOptions } from '../../src/perf/measure.ts';
import { workloads } from '../../../harness/counter-perf.ts';

const contender: Contender = {
  name: 'in this process',
  about: 'calls without a connection',
  async connect() {
    let value = 0;
    return {
      call: async (method) => (method === 'increment' ? ++value : value),
      close() {},
    };
  },
};

async function partsOf(options: MeasureOptions): Promise<number[]> {
  const chosen = workloads.filter(({ name }) => /^100 (increments|reads)$/.test(name));
  const parts: number[] = [];
  await measure('', [contender], chosen, {
    ...options,
    onProgress: (part) => void parts.push(part),
  });
  return parts;
}

test('follows the rounds if they take longer than the time', async () => {
  const parts = await partsOf({ warmUp: 0, duration: 0, fewestRounds: 4 });
  expect(parts).toEqual([0, 0.25, 0.5, 0.75, 1]);
});

test('rounds an odd number of rounds up', async () => {
  const parts = await partsOf({ warmUp: 1, duration: 0, fewestRounds: 3 });
  expect(parts).toHaveLength(5);
  expect(parts.indexOf(1)).toBe(4);
});

test('follows the time if it takes longer than the rounds, and is complete only at the end', async () => {
  const parts = await partsOf({ warmUp: 0, duration: 200, fewestRounds: 2 });
  expect(parts).toEqual(parts.toSorted((one, other) => one - other));
  expect(parts.indexOf(1)).toBe(parts.length - 1);
});
