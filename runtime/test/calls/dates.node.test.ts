/**
 * Runs the cases that may depend on the platform, at the oldest compatibility date that the package
 * supports, and at the newest date of the runtime.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import { ways } from './caller.ts';
import { NEWEST, OLDEST } from './dates.ts';
import { testCallsFromNode } from './from-node.ts';

describe.each([OLDEST, NEWEST])('%s', (date) => {
  testCallsFromNode(ways.slice(0, 1), () => 'platform', date);
});

test('the pages and the scaffolder name the oldest date', () => {
  const read = (path: string): string =>
    readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
  for (const path of [
    'runtime/docs/guides/add-to-a-worker.md',
    'runtime/src/server/diagnostics/platform.ts',
    'scaffolder/add/plan-addition.mjs',
  ]) {
    expect(read(path), path).toContain(OLDEST);
  }
});

test.each([
  ['2024-09-25', /^TypeError: lumenize-rpc needs a compatibility date of 2024-09-26 or later: /],
  [OLDEST, /^defined$/],
])('a class that is defined in development at %s: %s', async (compatibilityDate, answer) => {
  const main = join(import.meta.dirname, 'development-worker.ts');
  const config = { main, bindings: { TALLY: 'Tally' } };
  await using runtime = await Runtime.serve({ config, compatibilityDate, isProduction: false });
  expect(await (await fetch(runtime.url)).text()).toMatch(answer);
});
