/** Runs every scenario of `npm run torture` in its short form, with the same seed each time. */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { outcomeOf, start, stopAll } from '../harness/guarded-process.mjs';

const RUN = fileURLToPath(new URL('../torture/run.ts', import.meta.url));

/** The names of the scenarios, from the help. */
const { out: help } = await torture('--help');
const scenarios = /only this scenario: (.*)/.exec(help)?.[1]?.split(', ') ?? [];

afterAll(stopAll);

// The scenarios mostly wait, and in the short form they judge no times.
vi.setConfig({ maxConcurrency: 4 });

test.concurrent.each(scenarios)('%s', async (scenario) => {
  const { code, all } = await torture('--short', '--seed', '1', '--scenario', scenario);
  expect(code, all).toBe(0);
});

test('there are scenarios, and the first scenario tests the judge', () => {
  expect(scenarios.length).toBeGreaterThan(1);
  expect(scenarios[0]).toBe('self-test');
});

/** @param {string[]} args */
function torture(...args) {
  return outcomeOf(start(process.execPath, [RUN, ...args], { output: 'pipe' }));
}
