/** Adds `--add http` to projects: they pass their checks and tests, and answer calls by plain HTTP. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { projects, write } from '../setup/projects.mjs';
import { add, runProgram } from './added.mjs';

const { env, root, scaffold, npm, testProject, tsc } = projects({ stopAfter: 'each' });
const TEMPLATE = join(REPOSITORY, 'node_modules/create-cloudflare/templates/hello-world/ts');

/**
 * @param {string} project
 * @param {string} program - the printed program
 */
async function call(project, program) {
  const { url } = await startDevServer(project, [], env);
  // The second request repeats the first, so it gets the same answer.
  expect(await runProgram(program, project, url, env)).toBe('200 5\n200 5\n');
  const command = `curl -s ${url}/__rpc/COUNTER/mine/getValue`;
  expect((await run('sh', ['-c', command], { cwd: project, env })).out).toBe('5');
  const response = await fetch(`${url}/__rpc/openapi.json`);
  const { paths } = /** @type {{ paths: object }} */ (await response.json());
  expect(Object.keys(paths)).toContain('/__rpc/COUNTER/{instance}/increment');
  return url;
}

test('a project that is created with it passes its checks', async () => {
  const project = await scaffold('created', ['--example', 'http']);
  await npm(project, 'types');
  await npm(project, 'typecheck');
  await npm(project, 'lint');
  const { out } = await testProject(project);
  expect(out).toContain('test/http.test.ts');
});

test('a new project answers calls after it is added', async () => {
  const project = await scaffold('later');
  const program = await add(project, ['http'], env);
  await npm(project, 'typecheck');
  await call(project, program);
});

test('a Worker of another template gets it with the counter', async () => {
  const project = join(root, 'worker');
  fs.cpSync(TEMPLATE, project, { recursive: true });
  for (const path of ['package.json', 'wrangler.jsonc']) {
    const text = fs.readFileSync(join(project, path), 'utf8');
    const dated = text.replaceAll('<COMPATIBILITY_DATE>', '2026-10-01');
    write(join(project, path), dated.replaceAll(/<(?:WORKER|PACKAGE)_NAME>/g, 'worker'));
  }
  linkPackages(project);
  await add(project, ['counter', 'http'], env);
  await run('wrangler', ['types'], { cwd: project, env });
  await tsc(project);
  const { out } = await run('vitest', ['run', '--no-isolate'], { cwd: project, env });
  for (const file of ['counter', 'http', 'index']) expect(out).toContain(`test/${file}.spec.ts`);
});
