/** Tests a project with `--ui none`: a Worker and an object, which pass their checks and answer calls. */
import { beforeAll, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { apply } from '../guides/blocks.mjs';
import { clientOf, projects } from '../setup/projects.mjs';
import { sectionOf } from '../guides/sections.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';

const { env, scaffoldBare, npm } = projects({ stopAfter: 'all' });
/** @type {string} */
let project;

beforeAll(async () => {
  project = await scaffoldBare('none', ['--ui', 'none']);
  linkPackages(project);
});

test('its checks and tests pass, and its deployment has no page', async () => {
  await npm(project, 'typecheck');
  await npm(project, 'lint', '--deny-warnings');
  await npm(project, 'test');
  const { all } = await npm(project, 'deploy', '--dry-run');
  expect(all).toContain('env.COUNTER (Counter)');
  expect(all).not.toMatch(/assets|custom build|WARNING/);
});

test('it answers calls, and can have another object as the guide says', async () => {
  for (const block of sectionOf('Add a Durable Object')) if (block.file) apply(block, project);
  await npm(project, 'types');
  await npm(project, 'typecheck');
  const { url: baseUrl } = await startDevServer(project, [], env);
  const { createRpcClient } = await clientOf(project);
  using counter = createRpcClient('COUNTER', 'none', { baseUrl });
  expect(await counter.increment(2)).toBe(2);
  using notes = createRpcClient('NOTES', 'none', { baseUrl });
  expect(await notes.add('Hello')).toMatch(/^[0-9a-f-]{36}$/);
  const home = await fetch(baseUrl);
  expect([home.status, await home.text()]).toEqual([404, 'Not found']);
});
