/** Every scenario of `npm run torture` in its short form, with the same seed each time. */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { outcomeOf, start, stopAll } from '../harness/guarded-process.mjs';

const RUN = fileURLToPath(new URL('../torture/run.ts', import.meta.url));

const SCENARIOS = ['self-test', 'kills', 'cuts', 'clocks', 'silence', 'crowd', 'abuse'];

afterAll(stopAll);

test.each(SCENARIOS)('%s', async (scenario) => {
  const { code, all } = await torture('--short', '--seed', '1', '--scenario', scenario);
  expect(code, all).toBe(0);
});

test('every scenario is listed', async () => {
  const { out } = await torture('--help');
  expect(out).toContain(`only this one: ${SCENARIOS.join(', ')}`);
});

/** @param {string[]} args */
function torture(...args) {
  return outcomeOf(start(process.execPath, [RUN, ...args], { output: 'pipe' }));
}
