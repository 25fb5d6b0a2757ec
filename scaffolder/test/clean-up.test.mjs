/** Tests the messages and effects of a failed run that cannot undo all its changes. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder, takeBack } from '../clean-up.mjs';
import { contents, temporaryFolder } from './support/folders.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';

test('undoes all changes, newest first, even if some fail', async () => {
  /** @type {number[]} */
  const undone = [];
  const undo = [
    () => undone.push(1),
    () => {
      throw new Error('two');
    },
    () => undone.push(3),
    () => Promise.reject(new Error('four')),
    async () => {
      await new Promise((resolve) => setImmediate(resolve));
      undone.push(5);
    },
  ];
  expect(await takeBack({ undo })).toEqual(['four', 'two']);
  expect(undone).toEqual([5, 3, 1]);
});

test('a folder that another program has removed is not a failure', () => {
  const folder = temporaryFolder();
  removeFolder(join(folder, 'gone'));
  expect(contents(folder)).toEqual({});
});

const OFFLINE = ['--no-install', '--no-git'];
const PRELOAD = new URL('support/injected-failure.mjs', import.meta.url).href;
const NODE_OPTIONS = `--import ${PRELOAD}`;
const STAGING = String.raw`\.create-lumenize-rpc-\w+$`;
const LEFT = /This could not be undone: EBUSY: injected, rm '(.*\.create-lumenize-rpc-\w+)'\n$/;

test.each([
  ['no space', 'ENOSPC', 1, "Failed: ENOSPC: injected, open '"],
  ['an interrupt', 'SIGINT', 130, 'Interrupted.\n'],
])('after %s it names what failed, and what is left', async (_, failure, code, message) => {
  const cwd = temporaryFolder({ 'notes.txt': 'keep me' });
  const env = { NODE_OPTIONS, FAIL_AT: 'src/counter.ts', FAIL_WITH: failure, HELD: STAGING };
  const outcome = await runScaffolder(['new', ...OFFLINE], { cwd, env });
  expect(outcome.code).toBe(code);
  expect(outcome.err.startsWith(message)).toBe(true);
  expect(outcome.err.trim().split('\n')).toHaveLength(2);
  const [, left = ''] = LEFT.exec(outcome.err) ?? [];
  expect(Object.keys(contents(left))).toContain('project/');
  expect(Object.keys(contents(cwd)).filter((path) => !path.startsWith('.'))).toEqual(['notes.txt']);
});

test('does not say that nothing was written, and reports all changes with --json', async () => {
  const cwd = temporaryFolder({ 'mine/package.json': 'no JSON' });
  const env = { NODE_OPTIONS, HELD: STAGING };
  const args = ['new', '--from', './mine', '--json', ...OFFLINE];
  const outcome = await runScaffolder(args, { cwd, env });
  const { message, ...result } = JSON.parse(outcome.out);
  expect(result).toEqual({ ok: false, code: 'FAILED', exitCode: 1 });
  expect(message).toContain('The package.json of ./mine is not JSON.\n  SyntaxError');
  expect(`${message}\n`).toMatch(LEFT);
  expect(message).not.toContain('Nothing was');
});

test('undoes the other changes, and keeps the only copy of a file that cannot be restored', async () => {
  const project = {
    'package.json': '{}',
    'wrangler.jsonc': '{ "main": "src/index.ts" }',
    'src/index.ts': 'export default {};',
  };
  const cwd = temporaryFolder(project);
  const env = {
    NODE_OPTIONS,
    FAIL_AT: 'src/counter.ts',
    FAIL_WITH: 'ENOSPC',
    HELD: 'scaffolder-test-\\w+/package.json$',
  };
  const outcome = await runScaffolder(['--add', '--yes'], { cwd, env });
  expect(outcome.code).toBe(1);
  const [failed, left, ...others] = outcome.err.trim().split('\n');
  expect(others).toEqual([]);
  expect(failed).toBe(`Failed: ENOSPC: injected, open '${join(cwd, 'src/counter.ts')}'`);
  const [, saved = '', place] =
    /: EBUSY: injected, rename '(.*)' -> '(.*)'$/.exec(left ?? '') ?? [];
  expect(readFileSync(saved, 'utf8')).toBe('{}');
  expect(place).toBe(join(cwd, 'package.json'));
  const { 'package.json': _, ...restored } = project;
  expect(contents(cwd)).toMatchObject(restored);
  expect(Object.keys(contents(cwd)).filter((path) => path.startsWith('vendor'))).toEqual([]);
});

test('a complete project is not a failure, even if the staging folder stays', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'app'));
  const env = { NODE_OPTIONS, HELD: STAGING };
  const outcome = await runScaffolder(['app', ...OFFLINE], { cwd, env });
  expect(outcome.code).toBe(0);
  expect(outcome.err).toMatch(/^A temporary folder could not be removed. Remove it yourself: EBU/);
  expect(outcome.out).toContain('Created app. Next:');
});
