/**
 * Tests the results that a summary makes of the times of rounds: each contender with the figures of
 * the others.
 */
import { expect, test } from 'vitest';
import type { Contender } from '../../../src/perf/contenders.ts';
import type { Series } from '../../../src/perf/measure.ts';
import { summarize } from '../../../src/perf/measure/summary.ts';
import { workloads } from '../../../../harness/counter-perf.ts';
import { emptyCalls } from '../../../src/perf/workloads.ts';

const connect = () => Promise.reject(new Error('not needed'));
const contender = (name: string, more: Partial<Contender> = {}): Contender => ({
  name,
  about: '',
  connect,
  ...more,
});

const own = contender('own', { floor: 'floor' });
const floor = contender('floor', { role: 'floor' });
const rival = contender('rival', { role: 'rival', floor: 'other floor' });
const reads = workloads.find(({ name }) => name === '100 reads');

function series(one: Contender, perCall: number[], more: Partial<Series> = {}): Series {
  return { workload: reads as Series['workload'], contender: one, perCall, calls: [], ...more };
}

const exactly = (value: number) => ({ value, low: value, high: value });

test('each contender is compared with its floor, with the rival, and with calls of no method', () => {
  const all = [
    series(own, [30, 60], { calls: [1, 2, 3] }),
    series(floor, [10, 20]),
    series(rival, [15, 30]),
    series(own, [7, 7], { workload: emptyCalls }),
    series(floor, [5, 5], { workload: emptyCalls }),
  ];
  const { results, leftOut } = summarize(all, 'rival');
  expect(leftOut).toEqual([]);
  const [first, second, third, fourth] = results;
  expect(first).toMatchObject({
    workload: '100 reads',
    contender: 'own',
    method: 'getValue',
    calls: 100,
    rounds: 2,
    outliers: [],
    floor: 'floor',
    ratio: exactly(3),
    rivalRatio: exactly(2),
    toEmpty: { value: 9, low: 6, high: 12 },
  });
  // If each call was timed, these figures come from the calls.
  expect([first?.median, first?.p95, first?.p99]).toEqual([2, 2.9, 2.98]);
  // The rate comes from the rounds.
  expect(first?.perSecond).toBeCloseTo(1e6 / 45);
  expect(first?.role).toBeUndefined();
  // Without times of calls, the figures come from the rounds. A floor has neither a floor nor a
  // rival, and a rival is not compared with itself.
  expect([second?.median, second?.p95, second?.p99]).toEqual([15, 19.5, 19.9]);
  expect(second).toMatchObject({ role: 'floor', ratio: undefined, rivalRatio: undefined });
  expect(second?.toEmpty).toBeUndefined();
  expect(third).toMatchObject({ role: 'rival', ratio: undefined, rivalRatio: undefined });
  expect(fourth?.method).toBeUndefined();
  expect(fourth).toMatchObject({
    ratio: exactly(1.4),
    toEmpty: exactly(1.4),
    rivalRatio: undefined,
  });
});

test('a failure is reported, and nothing is compared with it', () => {
  const all = [
    series(own, [30, 60]),
    series(floor, [], { failure: 'it broke' }),
    series(rival, [], { failure: '' }),
  ];
  const { results, leftOut } = summarize(all, 'other');
  expect(leftOut).toEqual([
    { workload: '100 reads', contender: 'floor', reason: 'it broke' },
    { workload: '100 reads', contender: 'rival', reason: '' },
  ]);
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ contender: 'own', floor: 'floor' });
  expect(results[0]?.ratio ?? results[0]?.rivalRatio ?? results[0]?.toEmpty).toBeUndefined();
});

test('rounds that lie far from the others are named, and count', () => {
  const perCall = [2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3];
  const [result] = summarize([series(own, perCall)], 'rival').results;
  expect(result).toMatchObject({ outliers: [8, 9], rounds: 10, median: 2.45 });
});
