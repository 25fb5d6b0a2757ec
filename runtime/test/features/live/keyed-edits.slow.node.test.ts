/** Runs the test of `keyed-edits.node.test.ts` for a long time. */
import { expect, test } from 'vitest';
import { follow, serve } from './board/edits.ts';

const worker = await serve();

test('50 000 random edits with cuts and kills give each client the right list', async () => {
  const witnesses = await follow(worker, { edits: 50_000, kills: 20, seed: 2 });
  for (const { mistakes, ended } of witnesses)
    expect({ mistakes, ended }).toEqual({ mistakes: [], ended: undefined });
});
