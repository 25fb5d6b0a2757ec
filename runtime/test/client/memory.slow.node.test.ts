/** Another process measures the memory that a client holds, so that nothing else is counted. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../harness/guarded-process.mjs';
import { serve } from '../served/serve.ts';

const MEMORY_CLIENT = join(import.meta.dirname, 'memory-client-process.ts');

const worker = await serve();

async function measure(situation: string): Promise<{ held: number; most: number }> {
  const args = ['--expose-gc', MEMORY_CLIENT, situation, worker.runtime.url];
  const { out } = await run(process.execPath, args, { output: 'pipe' });
  return JSON.parse(out) as { held: number; most: number };
}

test.each([
  { situation: 'one promise of a frame', share: 0.05 },
  { situation: 'a call of a frame that is still awaited', share: 0.05 },
  { situation: 'arguments of calls that are kept', share: 0.05 },
  // The client holds one call of 54 000. The rest is the overhead of a process that has worked.
  { situation: 'the end of a chain', share: 0.01 },
])(
  '$situation holds nearly none of the memory that the calls took',
  async ({ situation, share }) => {
    const { held, most } = await measure(situation);
    expect(most).toBeGreaterThan(10_000_000);
    expect(held / most).toBeLessThan(share);
  },
);

test('a call that waits for an input takes no more memory for each tick', async () => {
  const { held } = await measure('calls that wait for many ticks');
  const perCallAndTick = held / (200 * 1_000);
  // A reaction of a promise alone takes more than a hundred bytes.
  expect(perCallAndTick).toBeLessThan(20);
});
