/**
 * Adds all examples to existing projects: to a plain Worker, in which all their tests run, and to a Worker with Hono.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { add, ALL, ANSWERS, runProgram, tests } from './added.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';

const { env, root, tsc } = projects({ stopAfter: 'each' });
const TEMPLATE = join(REPOSITORY, 'node_modules/create-cloudflare/templates/hello-world/ts');

/** The same Worker with Hono. Its type of the bindings has the name that create-hono chooses. */
const HONO = `import { Hono } from 'hono';

const app = new Hono<{ Bindings: CloudflareBindings }>();

app.get('/', (c) => c.text('Hello World!'));

export default app;
`;

test('a plain Worker gets one example after another', async () => {
  const project = workerProject('plain');
  /** @type {Record<string, string>} */
  const programs = {};
  for (const name of ALL) programs[name] = await add(project, [name], env);
  await check(project);
  const { out } = await run('vitest', ['run', '--no-isolate'], { cwd: project, env });
  for (const file of ['index', ...tests()]) expect(out).toContain(`test/${file}.spec.ts`);
  const runtime = await Runtime.serve({ config: join(project, 'wrangler.jsonc') });
  onTestFinished(() => runtime.stop());
  const { url } = runtime;
  expect(await (await fetch(url)).text()).toBe('Hello World!');
  for (const [name, program] of Object.entries(programs)) {
    expect([name, await runProgram(program, project, url, env)]).toEqual([name, ANSWERS[name]]);
  }
});

test.each(['zod', 'valibot', 'arktype'])(
  'a Worker with %s gets all examples with its schemas',
  async (library) => {
    const project = workerProject(library);
    const manifest = join(project, 'package.json');
    const { devDependencies, ...others } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    const { version } = JSON.parse(
      fs.readFileSync(join(REPOSITORY, `node_modules/${library}/package.json`), 'utf8'),
    );
    fs.rmSync(join(project, 'node_modules/typebox'));
    const packages = { ...devDependencies, [library]: version };
    write(manifest, JSON.stringify({ ...others, devDependencies: packages }));
    const names = ['counter', ...ALL];
    const program = await add(project, names, env);
    await check(project);
    const { out } = await run('vitest', ['run', '--no-isolate'], { cwd: project, env });
    for (const file of ['index', 'counter', ...tests()])
      expect(out).toContain(`test/${file}.spec.ts`);
    const { url } = await startDevServer(project, [], env);
    expect(await runProgram(program, project, url, env)).toBe('1\n');
    const { createRpcClient } = await clientOf(project);
    using match = createRpcClient('MATCH', 'final', { baseUrl: url });
    await match.setScore({ home: 1, guests: 0 });
    await expect(match.setScore({ home: 1, guests: 0.5 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0].guests',
    });
    expect(await match.getScore()).toEqual({ home: 1, guests: 0 });
  },
);

test('a Worker with Hono gets all examples at once', async () => {
  const project = workerProject('hono');
  const args = ['install', 'hono@4.13.19', '--prefix', join(root, 'packages'), '--prefer-offline'];
  await run('npm', [...args, '--no-audit', '--no-fund'], { cwd: root, env });
  const linked = join(project, 'node_modules/hono');
  // A dependency of this repository may have installed another copy.
  fs.rmSync(linked, { force: true });
  fs.symlinkSync(join(root, 'packages/node_modules/hono'), linked);
  write(join(project, 'src/index.ts'), HONO);
  const program = await add(project, ALL, env);
  await check(project, '--env-interface', 'CloudflareBindings');
  const { url } = await startDevServer(project, [], env);
  expect(await (await fetch(url)).text()).toBe('Hello World!');
  expect(await runProgram(program, project, url, env)).toBe(ANSWERS['room']);
});

/**
 * @param {string} name
 * @returns {string} a project as create-cloudflare creates it, with the packages of this repository
 */
function workerProject(name) {
  const project = join(root, name);
  fs.cpSync(TEMPLATE, project, { recursive: true });
  for (const path of ['package.json', 'wrangler.jsonc']) {
    const text = fs.readFileSync(join(project, path), 'utf8');
    const dated = text.replaceAll('<COMPATIBILITY_DATE>', '2026-10-01');
    write(join(project, path), dated.replaceAll(/<(?:WORKER|PACKAGE)_NAME>/g, name));
  }
  linkPackages(project);
  return project;
}

/**
 * @param {string} project
 * @param {string[]} options - the options of `wrangler types`
 */
async function check(project, ...options) {
  await run('wrangler', ['types', ...options], { cwd: project, env });
  await tsc(project);
}
