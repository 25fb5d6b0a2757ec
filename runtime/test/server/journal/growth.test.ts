/**
 * Tests how the journal finds rows that are followed by more data than it stores, without a stored
 * sum.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { JournalGrowth } from '../../../src/server/journal/growth.ts';

const MIB = 1_048_576;
const STEP = 8 * MIB;

/** The used part of a storage. It outlasts the evictions of an object. */
class FakeStorage {
  readonly values = new Map<string, unknown>();
  writes = 0;
  readonly kv = {
    get: (key: string): unknown => this.values.get(key),
    put: (key: string, value: unknown): void => {
      this.writes++;
      this.values.set(key, structuredClone(value));
    },
  };

  newLife(): JournalGrowth {
    return new JournalGrowth(this as unknown as DurableObjectStorage);
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the growth is noted every 8 MiB', () => {
  test.each([
    ['without an eviction', 1, 100 * MIB, 512],
    ['with evictions after a few MiB', 10, 20 * MIB, 512],
    ['with evictions after much less', 1_000, MIB, 1_024],
    ['with evictions after a row each', 163_840, 512, 512],
    ['with large rows', 10, 20 * MIB, 24_576],
  ])('%s', (_, lives, perLife, row) => {
    let life = 0;
    // The numbers are spread as evenly as random numbers are on average.
    vi.spyOn(Math, 'random').mockImplementation(() => (life + 0.5) / lives);
    const storage = new FakeStorage();
    for (; life < lives; life++) {
      const growth = storage.newLife();
      for (let bytes = row; bytes <= perLife; bytes += row) growth.add(row, undefined);
    }
    const expected = (lives * Math.floor(perLife / row) * row) / STEP;
    expect(Math.abs(storage.writes - expected)).toBeLessThanOrEqual(1);
  });
});

test('rows that are followed by 64 MiB are forgotten, also after evictions', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999_999);
  const storage = new FakeStorage();
  let growth = storage.newLife();
  for (let step = 1; step <= 50; step++) {
    vi.setSystemTime(step);
    for (let mib = 0; mib < 8; mib++) growth.add(MIB, undefined);
    const oldest = step < 8 ? -Infinity : step - 7;
    expect(growth.forgottenBefore(undefined)).toBe(oldest);
    if (step % 3 === 0) growth = storage.newLife();
    expect(growth.forgottenBefore(undefined)).toBe(oldest);
  }
});

test.each([
  ['users by strangers', undefined, 'Ada'],
  ['strangers by users', 'Ada', undefined],
])('rows of %s are not displaced', (_, many, few) => {
  const growth = new FakeStorage().newLife();
  growth.add(512, few);
  for (let mib = 0; mib < 200; mib++) growth.add(MIB, many);
  expect(growth.forgottenBefore(many)).toBe(0);
  expect(growth.forgottenBefore(few)).toBe(-Infinity);
});
