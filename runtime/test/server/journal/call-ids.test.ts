/** Compares the set of call ids with a model: a Set, and the rules of what the set may forget. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallIds } from '../../../src/server/journal/call-ids.ts';
import { tries } from '../../support/effort.ts';

const range = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: -2, max: 8 }));

/** More ids than any range contains. */
const LOOKED_AT = Array.from({ length: 75 }, (_, id) => id);

function heldBy(ids: Pick<CallIds, 'has'>): number[] {
  return LOOKED_AT.filter((id) => ids.has(id));
}

test('holds the added ids in as few ranges as possible', () => {
  fc.assert(
    fc.property(fc.array(range), (added) => {
      const ids = new CallIds();
      const model = new Set<number>();
      for (const [first, length] of added) {
        const fresh = Array.from({ length: Math.max(length + 1, 0) }, (_, index) => first + index);
        const isNew = fresh.some((id) => !model.has(id));
        for (const id of fresh) model.add(id);
        expect(ids.add(first, first + length)).toBe(isNew);
      }
      expect(heldBy(ids)).toEqual(heldBy(model));
      const runs = [...model].filter((id) => !model.has(id - 1)).length;
      expect(ids.edges).toHaveLength(2 * runs);
      const again = new CallIds([...ids.edges]);
      expect(heldBy(again)).toEqual(heldBy(model));
    }),
    { numRuns: tries(5_000) },
  );
});

test('holds single ids that are added together, in any order', () => {
  fc.assert(
    fc.property(fc.array(range), fc.array(fc.integer({ min: 1, max: 60 })), (ranges, singles) => {
      const [one, other] = [new CallIds(), new CallIds()];
      for (const ids of [one, other]) {
        for (const [first, length] of ranges) ids.add(first, first + length);
      }
      one.addAll(singles);
      for (const id of singles) other.add(id);
      expect(one.edges).toEqual(other.edges);
    }),
    { numRuns: tries(5_000) },
  );
});

test('closes its oldest gaps also when ids are added together', () => {
  const ids = new CallIds([1, 1]);
  ids.addAll(Array.from({ length: 10_000 }, (_, index) => 40_000 - 4 * index));
  expect(ids.edges).toHaveLength(4_000);
  expect([ids.has(3), ids.has(39_998), ids.has(40_000)]).toEqual([true, false, true]);
});

test('closes its oldest gaps beyond the given number', () => {
  const [one, other] = [new CallIds([], 3), new CallIds([1, 1], 3)];
  for (let id = 1; id < 20; id += 2) one.add(id);
  other.addAll(Array.from({ length: 9 }, (_, index) => 19 - 2 * index));
  for (const ids of [one, other]) expect(ids.edges).toEqual([1, 15, 17, 17, 19, 19]);
});

test('closes its oldest gaps rather than grow', () => {
  const ids = new CallIds();
  for (let id = 1; id < 40_000; id += 2) ids.add(id);
  expect(ids.edges.length).toBeLessThanOrEqual(4_000);
  expect([ids.has(2), ids.has(39_998), ids.has(39_999), ids.has(40_001)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
