/**
 * The order and the output of the checks, on projects with trivial scripts. Tests in e2e/ verify a real
 * project.
 */
import { expect, onTestFinished, test, vi } from 'vitest';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
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

/** @param {string} project */
async function verify(project) {
  const context = stepContext({ target: project });
  const { exitCode } = await runVerify(context);
  const text = context.said.join('\n').replaceAll(/ +\d+\.\d s/g, ' TIME');
  return { exitCode, text, left: contents(project) };
}

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

test('builds what has a build, before anything takes its output', async () => {
  const scripts = { typecheck: 'echo types', test: 'echo tests', build: 'echo x > built' };
  const { text, left } = await verify(projectWith(scripts));
  expect(text).toContain('Verifying: type check, tests, build, RPC call, wrangler deploy');
  expect(text).toContain(' TIME  build\n  not run  RPC call');
  expect(left).toMatchObject({ built: 'x\n', deployed: 'deploy --dry-run\n' });
});

test('a template of another kind is checked as far as it goes', async () => {
  const { exitCode, text } = await verify(projectWith({}));
  expect(exitCode).toBeUndefined();
  expect(text).toContain('  not run  type check: there is no script "typecheck"\n');
  expect(text).toContain('  not run  tests: there is no script "test"\n');
});

test('ends at the first check that fails, with what it printed', async () => {
  const project = projectWith({ typecheck: 'echo out; echo err >&2; exit 7', test: 'echo x > y' });
  const { exitCode, text, left } = await verify(project);
  expect(exitCode).toBe(1);
  expect(text).toContain(' TIME  type check failed with exit code 7:\n\n');
  // The lines come through two pipes, and either may be read first.
  for (const line of [/^out$/m, /^err$/m]) expect(text).toMatch(line);
  expect(Object.keys(left)).not.toContain('y');
  expect(Object.keys(left)).not.toContain('deployed');
});

test('a call that is not answered as it should be is a failure', async () => {
  const project = projectWith(
    {},
    {
      'wrangler.jsonc': '{ "durable_objects": { "bindings": [{ "name": "COUNTER" }] } }',
      'src/rpc/client.ts': '',
      'node_modules/wrangler/package.json': '{ "name": "wrangler", "version": "0.0.0" }',
      'node_modules/wrangler/bin/wrangler.js': 'console.error("no Worker today")',
    },
  );
  const { exitCode, text } = await verify(project);
  expect(exitCode).toBe(1);
  expect(text).toMatch(/ TIME {2}RPC call failed with exit code 1:\n\n.*no Worker today/s);
});

test('leaves nothing among the temporary files', async () => {
  const project = projectWith({});
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  await verify(project);
  expect(contents(temporary)).toEqual({});
});
