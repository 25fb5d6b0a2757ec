/** Tests the statistics of the performance test with samples whose answers are known. */
import { describe, expect, test } from 'vitest';
import {
  estimate,
  median,
  outliers,
  pairedRatio,
  percentile,
  randomNumbers,
  ratioOfMedians,
} from '../../../src/perf/measure/statistics.ts';

const oneToHundred = Array.from({ length: 100 }, (_, index) => index + 1);

describe('median', () => {
  test.each([
    ['one sample', [7], 7],
    ['an odd number', [9, 1, 5], 5],
    ['an even number', [4, 1, 3, 2], 2.5],
    ['numbers that sort differently as text', [10, 9, 100], 10],
    ['an outlier', [1, 2, 3, 4, 1e9], 3],
  ])('of %s', (_, samples, expected) => {
    expect(median(samples)).toBe(expected);
  });

  test('of no samples', () => {
    expect(() => median([])).toThrow(RangeError);
  });

  test('leaves the samples as they were', () => {
    const samples = [3, 1, 2];
    median(samples);
    expect(samples).toEqual([3, 1, 2]);
  });
});

describe('percentile', () => {
  test.each([
    [0, 1],
    [0.25, 25.75],
    [0.5, 50.5],
    [0.95, 95.05],
    [0.99, 99.01],
    [1, 100],
  ])('%d of 1 to 100', (part, expected) => {
    expect(percentile(oneToHundred, part)).toBeCloseTo(expected, 10);
  });

  test.each([-0.1, 1.1, NaN])('refuses the part %d', (part) => {
    expect(() => percentile([1], part)).toThrow(RangeError);
  });
});

describe('outliers', () => {
  // The median is 2.45 and the median deviation 0.15, so that the bound is 0.15 × 3.5 / 0.6745 = 0.78.
  test.each([
    ['two of ten', [2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3], [8, 9]],
    ['one beyond the bound, one within', [2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 3.2, 3.24], [9]],
    ['none', [1, 2, 3, 4, 5], []],
    ['none if most are equal', [1, 1, 1, 9], []],
    ['none of one sample', [7], []],
  ])('%s', (_, samples, expected) => {
    expect(outliers(samples)).toEqual(expected);
  });
});

describe('pairedRatio', () => {
  test('is exact if every round has the same ratio, however the rounds differ', () => {
    const floor = [1, 20, 3, 400];
    const times = floor.map((time) => time * 1.5);
    expect(pairedRatio(times, floor)).toEqual({ value: 1.5, low: 1.5, high: 1.5 });
  });

  test('pairs rounds by their index', () => {
    expect(pairedRatio([2, 30, 4], [1, 10, 4]).value).toBe(2);
  });

  test('lies in its interval, which more rounds make narrower', () => {
    const few = pairedRatio(noisy(10, 1.1), noisy(10, 1));
    const many = pairedRatio(noisy(1000, 1.1), noisy(1000, 1));
    for (const { value, low, high } of [few, many]) {
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
    expect(many.high - many.low).toBeLessThan(few.high - few.low);
    expect(many.low).toBeLessThan(1.1);
    expect(many.high).toBeGreaterThan(1.1);
  });

  test.each([
    ['no rounds', [], []],
    ['rounds without pairs', [1, 2], [1]],
  ])('refuses %s', (_, times, floor) => {
    expect(() => pairedRatio(times, floor)).toThrow(RangeError);
  });
});

describe('ratioOfMedians', () => {
  test('is the ratio of the medians, however many samples each has', () => {
    expect(ratioOfMedians([6, 6, 6, 6], [2, 2])).toEqual({ value: 3, low: 3, high: 3 });
  });

  test('lies in its interval', () => {
    const { value, low, high } = ratioOfMedians(noisy(50, 3), noisy(40, 1));
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    expect(value).toBeCloseTo(3, 0);
  });
});

describe('estimate', () => {
  test('gives the same interval for the same samples', () => {
    expect(estimate(oneToHundred)).toEqual(estimate(oneToHundred));
  });

  test('has the width that the theory predicts', () => {
    // The density of 1 to 100 is 0.01, so the median of 100 of them has a standard deviation of
    // 1 / (2 × 0.01 × √100) = 5.
    const { value, low, high } = estimate(oneToHundred);
    expect(value).toBe(50.5);
    expect(high - low).toBeGreaterThan(2 * 1.96 * 5 * 0.85);
    expect(high - low).toBeLessThan(2 * 1.96 * 5 * 1.15);
  });
});

test('randomNumbers are spread evenly from 0 to 1', () => {
  const random = randomNumbers(42);
  const numbers = Array.from({ length: 10_000 }, random);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(mean(numbers)).toBeCloseTo(0.5, 1);
  expect(percentile(numbers, 0.1)).toBeCloseTo(0.1, 1);
  expect(new Set(numbers).size).toBeGreaterThan(9_990);
});

test('randomNumbers are the numbers of mulberry32', () => {
  expect(Array.from({ length: 3 }, randomNumbers(1))).toEqual([
    0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
  ]);
});

function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

/** Returns times around a centre, each at most 5 % away. Another centre gives another series. */
function noisy(count: number, centre: number): number[] {
  const random = randomNumbers(centre * 1000);
  return Array.from({ length: count }, () => centre * (0.95 + random() / 10));
}
