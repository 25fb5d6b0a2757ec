/** Every scenario of `npm run torture` in its short form, with the same seed each time. */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { start, stopAll } from '../scripts/guarded-process.mjs';

const RUN = fileURLToPath(new URL('../torture/run.ts', import.meta.url));

const SCENARIOS = ['self-test', 'kills', 'cuts', 'clocks', 'silence', 'crowd', 'abuse'];

afterAll(stopAll);

test.each(SCENARIOS)('%s', async (scenario) => {
  const { code, text } = await torture('--short', '--seed', '1', '--scenario', scenario);
  expect(code, text).toBe(0);
});

test('every scenario is listed', async () => {
  const { text } = await torture('--help');
  expect(text).toContain(`only this one: ${SCENARIOS.join(', ')}`);
});

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, text: string }>}
 */
async function torture(...args) {
  const child = start(process.execPath, [RUN, ...args], { output: 'pipe' });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (text += data));
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
  });
  return { code, text };
}
