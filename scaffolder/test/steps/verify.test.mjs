/**
 * Tests the order and the output of the checks on projects with trivial scripts. Tests in e2e/ verify a real project.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packageManager } from '../../packages/package-managers.mjs';
import runVerify from '../../steps/verify.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/**
 * @param {Record<string, string>} scripts
 * @param {Record<string, string>} [files]
 */
function projectWith(scripts, files = {}) {
  const project = temporaryFolder({
    'package.json': JSON.stringify({ scripts }),
    // Replaces the real wrangler, which would need an installation.
    'node_modules/.bin/wrangler': '#!/bin/sh\necho "$@" > deployed\n',
    ...files,
  });
  chmodSync(join(project, 'node_modules/.bin/wrangler'), 0o755);
  return project;
}

/**
 * @param {string} project
 * @param {Partial<import('../../context.mjs').Context>} [fields]
 */
async function verify(project, fields) {
  const context = stepContext({ target: project, ...fields });
  const changes = await runVerify(context);
  const text = context.said.join('\n').replaceAll(/ +\d+\.\d s/g, ' TIME');
  return { exitCode: changes.exitCode, changes, text, left: contents(project) };
}

const CONFIGURATION = '{ "durable_objects": { "bindings": [{ "name": "COUNTER" }] } }';

const PACKAGE = JSON.stringify({
  name: 'lumenize-rpc',
  type: 'module',
  exports: { './client': { types: './client.d.ts', default: './client.js' } },
});

/**
 * @param {string} client - replaces the client of the project
 * @param {string} wrangler - replaces wrangler
 */
const projectWithCounter = (client, wrangler) =>
  projectWith(
    {},
    {
      'wrangler.jsonc': CONFIGURATION,
      'node_modules/lumenize-rpc/package.json': PACKAGE,
      'node_modules/lumenize-rpc/client.js': client,
      'node_modules/wrangler/package.json': '{ "name": "wrangler", "version": "0.0.0" }',
      'node_modules/wrangler/bin/wrangler.js': wrangler,
    },
  );

test('reads a package.json that begins with a byte order mark, as npm does', async () => {
  const text = `\uFEFF${JSON.stringify({ scripts: { test: 'echo x > tested' } })}`;
  const { exitCode, left } = await verify(projectWith({}, { 'package.json': text }));
  expect(exitCode).toBeUndefined();
  expect(left).toHaveProperty('tested');
});

test('runs every check, and says how long it took', async () => {
  const project = projectWith({ typecheck: 'echo x > checked', test: 'echo x > tested' });
  const { exitCode, text, left } = await verify(project);
  expect(exitCode).toBeUndefined();
  expect(text).toBe(`Verifying: type check, tests, RPC call, wrangler deploy --dry-run
 TIME  type check
 TIME  tests
  not run  RPC call: there is no counter
 TIME  wrangler deploy --dry-run`);
  expect(left).toMatchObject({
    checked: 'x\n',
    tested: 'x\n',
    deployed: 'deploy --dry-run\n',
  });
});

test('runs scripts by the package manager, in the environment of the user', async () => {
  const project = projectWith(
    { typecheck: 'a', test: 'b', build: 'c' },
    { 'node_modules/.bin/bun': '#!/bin/sh\necho "$@" $MINE $WRANGLER_SEND_METRICS >> ran\n' },
  );
  chmodSync(join(project, 'node_modules/.bin/bun'), 0o755);
  const start = performance.now();
  const context = stepContext({
    target: project,
    packageManager: packageManager('bun'),
    env: { ...process.env, MINE: 'mine' },
  });
  await runVerify(context);
  expect(contents(project)['ran']).toBe(
    'run typecheck mine false\nrun test mine false\nrun build mine false\n',
  );
  // No check took longer than all of them.
  const took = Array.from(context.said.join('\n').matchAll(/^ +(\d+\.\d) s /gm), ([, s]) =>
    Number(s),
  );
  expect(took).toHaveLength(4);
  expect(Math.max(...took)).toBeLessThanOrEqual((performance.now() - start) / 1000 + 0.1);
});

test('runs the build of a project before the checks that need its output', async () => {
  const scripts = { typecheck: 'echo types', test: 'echo tests', build: 'echo x > built' };
  const { text, left } = await verify(projectWith(scripts));
  expect(text).toContain('Verifying: type check, tests, build, RPC call, wrangler deploy');
  expect(text).toContain(' TIME  build\n  not run  RPC call');
  expect(left).toMatchObject({ built: 'x\n', deployed: 'deploy --dry-run\n' });
});

test('runs only the checks that a template of another kind supports', async () => {
  const { exitCode, text } = await verify(projectWith({}));
  expect(exitCode).toBeUndefined();
  expect(text).toContain('  not run  type check: there is no script "typecheck"\n');
  expect(text).toContain('  not run  tests: there is no script "test"\n');
});

test('ends at the first check that fails, and shows its output', async () => {
  const project = projectWith({ typecheck: 'echo out; echo err >&2; exit 7', test: 'echo x > y' });
  const { changes, text, left } = await verify(project);
  expect(changes).toEqual({
    exitCode: 1,
    failure: {
      code: 'VERIFY_FAILED',
      exitCode: 1,
      message: expect.stringMatching(/^type check failed with exit code 7\. .*\nout\b/s),
    },
  });
  expect(text).toContain(' TIME  type check failed with exit code 7:\n\n');
  // The lines come through two pipes, and either may be read first.
  for (const line of [/^out$/m, /^err$/m]) expect(text).toMatch(line);
  expect(Object.keys(left)).not.toContain('y');
  expect(Object.keys(left)).not.toContain('deployed');
});

test('a wrong answer to the call is a failure', async () => {
  const wrangler = 'console.error("no Worker today", ...process.argv.slice(2))';
  const { exitCode, text } = await verify(projectWithCounter('', wrangler));
  expect(exitCode).toBe(1);
  expect(text).toMatch(/ TIME {2}RPC call failed with exit code 1:\n\n.*no Worker today/s);
  // The ports and the state differ from those of the user's own server.
  expect(text).toMatch(/dev --ip=127.0.0.1 --port=0 --inspector-port=0 --persist-to \S+create-lum/);
});

test.each([
  [1, undefined],
  [2, 1],
])('a new counter that answers %i: exit code %s', async (value, code) => {
  const client = `
    export const createRpcClient = (binding, name, { baseUrl }) => ({
      increment: async () => (binding === 'COUNTER' && baseUrl === 'http://127.0.0.1:7' ? ${value} : 0),
      [Symbol.dispose]() {},
    });`;
  const wrangler = 'console.log("Ready on http://127.0.0.1:7"); setInterval(() => {}, 1e6);';
  const { exitCode, text } = await verify(projectWithCounter(client, wrangler));
  expect(exitCode).toBe(code);
  const failure = / failed with exit code 1:.*\nincrement\(\) of a new counter answered 2$/s;
  expect(text).toMatch(code ? failure : / TIME {2}RPC call\n TIME {2}wrangler deploy --dry-run$/);
});

test('a call that is rejected is a failure, and the client does not go on', async () => {
  const client = `
    export const createRpcClient = () => {
      const reconnecting = setInterval(() => {}, 1e6);
      return {
        increment: async () => { throw new Error('refused'); },
        [Symbol.dispose]: () => clearInterval(reconnecting),
      };
    };`;
  const wrangler = 'console.log("Ready on http://127.0.0.1:7"); setInterval(() => {}, 1e6);';
  const { exitCode, text } = await verify(projectWithCounter(client, wrangler));
  expect(exitCode).toBe(1);
  expect(text).toMatch(/RPC call failed with exit code 1:.*\nrefused$/s);
});

test.each([
  ['no counter is bound', { 'wrangler.jsonc': '{}', 'node_modules/lumenize-rpc/client.js': '' }],
  ['there is no runtime', { 'wrangler.jsonc': CONFIGURATION }],
])('nothing is called if %s', async (_, files) => {
  const { changes, text } = await verify(projectWith({}, files));
  expect(changes).toEqual({});
  expect(text).toContain('  not run  RPC call: there is no counter\n');
});

test('leaves nothing among the temporary files', async () => {
  const project = projectWith({});
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  await verify(project);
  expect(contents(temporary)).toEqual({});
});
