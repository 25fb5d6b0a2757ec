/** Another process measures the memory that a client holds for the functions it has passed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../../harness/guarded-process.mjs';
import { serve } from './serve.ts';

const MEMORY_CLIENT = join(import.meta.dirname, 'memory-client-process.ts');

const CALLS = 100_000;

const worker = await serve();

test('a client releases the functions of calls that have ended', async () => {
  const args = ['--expose-gc', MEMORY_CLIENT, worker.runtime.url, `${CALLS}`];
  const { out } = await run(process.execPath, args, { output: 'pipe' });
  const { held, called } = JSON.parse(out) as { held: number; called: number };
  expect(called).toBe(CALLS / 10);
  // A function and its array would take 1 000 bytes.
  expect(held / CALLS).toBeLessThan(20);
});
