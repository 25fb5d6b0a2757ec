/** Two customers use the bank of a project in a terminal, while its server is killed and restarted. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import { typedCommand } from '../../scaffolder/test/support/terminal.mjs';
import { projects } from '../setup/projects.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';

const { env, scaffoldBare } = projects({ stopAfter: 'all' });
/** @type {string} */
let project;
/** The runtime of the Worker. The project has no page, so `wrangler dev` is not needed. @type {Runtime} */
let runtime;

beforeAll(async () => {
  project = await scaffoldBare('bank', ['--example', 'bank']);
  linkPackages(project);
  runtime = await Runtime.serve({ config: join(project, 'wrangler.jsonc') });
});

afterAll(() => runtime?.stop());

test('they pay each other, are refused and asked, and go on after the server was killed', async () => {
  const terminal = enter();
  await terminal.shows('ann has 100');
  await terminal.shows('bob has 100');
  terminal.type('ann bob 20\r');
  await terminal.shows('ann has 80');
  await terminal.shows('bob has 120');
  terminal.type('bob ann 121\r');
  await terminal.shows('bob: Pay 121 to ann? (y or n)');
  terminal.type('y\r');
  await terminal.shows('Error: bob has less than 121');
  terminal.type('bob ann 0\r');
  await terminal.shows('argument [1] must be >= 1, got 0');
  terminal.type('bob ann 100\r');
  await terminal.shows('bob: Pay 100 to ann? (y or n)');
  terminal.type('n\r');
  await terminal.shows('Error: bob did not agree');
  await runtime.kill();
  // The payment waits until the server is back, and is made once.
  terminal.type('bob ann 50\r');
  await runtime.start();
  await terminal.shows('ann has 130');
  await terminal.shows('bob has 70');
  terminal.type('ann bob 130\r');
  await terminal.shows('ann: Pay 130 to bob? (y or n)');
  terminal.type('y\r');
  await terminal.shows('bob has 200');
  terminal.type('\u0004');
  expect(await terminal.ended).toBe(0);
});

function enter() {
  const options = { cwd: project, env: { ...env, BASE_URL: runtime.url } };
  return typedCommand('npm', ['run', 'bank'], options);
}
