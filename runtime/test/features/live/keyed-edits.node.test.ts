/** Random edits of lists whose rows have keys. Each client has the right list, and keeps the rows that stay. */
import { expect, test } from 'vitest';
import { follow, serve } from './board/edits.ts';

const worker = await serve();

test('3 000 random edits with cuts and kills give each client the right list', async () => {
  const witnesses = await follow(worker, { edits: 3_000, kills: 2, seed: 1 });
  for (const { mistakes, ended, values, kept } of witnesses) {
    expect({ mistakes, ended }).toEqual({ mistakes: [], ended: undefined });
    expect(values).toBeGreaterThan(10);
    expect(kept).toBeGreaterThan(values);
  }
});
