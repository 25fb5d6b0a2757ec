/** Compares the validator with TypeBox's compiler, with many more values. */
import { expect, test } from 'vitest';
import { differences } from './compare.ts';

test.each(Array.from({ length: 20 }, (_, index) => index + 2))(
  'five thousand random schemas and values, by seed %i',
  (seed) => {
    expect(differences(seed, 5_000).found).toEqual([]);
  },
);
