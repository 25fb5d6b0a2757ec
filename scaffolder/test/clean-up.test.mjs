/** Messages and effects of a failed run that cannot undo everything that it did. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder, takeBack } from '../clean-up.mjs';
import { hashOf, MANIFEST } from '../update/manifest.mjs';
import { contents, temporaryFolder } from './support/folders.mjs';
import { commitAll } from './support/repository.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';

test('what was done is undone, newest first, whatever fails', async () => {
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

test('a folder that somebody else has removed is no failure', () => {
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

test('it does not say that nothing was written, and tells all of it with --json', async () => {
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

/** Files of the runtime, in the order of the update. */
const FILES = ['client.ts', 'server.ts', 'wire/tags.ts'];

test('the rest is taken back all the same, and the only copy of a file is kept', async () => {
  const cwd = temporaryFolder();
  await runScaffolder(['app', ...OFFLINE], { cwd });
  const app = join(cwd, 'app');
  const manifest = JSON.parse(readFileSync(join(app, MANIFEST), 'utf8'));
  manifest.version = '0.0.1';
  for (const file of FILES) {
    manifest.files[file] = hashOf(`old ${file}\n`);
    writeFileSync(join(app, 'src/rpc', file), `old ${file}\n`);
  }
  writeFileSync(join(app, MANIFEST), JSON.stringify(manifest));
  commitAll(app);

  const env = {
    NODE_OPTIONS,
    FAIL_AT: 'wire/tags.ts',
    FAIL_WITH: 'ENOSPC',
    HELD: 'rpc/server.ts$',
  };
  const outcome = await runScaffolder(['app', '--update'], { cwd, env });
  expect(outcome).toMatchObject({ code: 1, out: '' });
  const [failed, left, ...others] = outcome.err.trim().split('\n');
  expect(others).toEqual([]);
  expect(failed).toBe(`Failed: ENOSPC: injected, open '${join(app, 'src/rpc/wire/tags.ts')}'`);
  const [, saved = '', place] =
    /: EBUSY: injected, rename '(.*)' -> '(.*)'$/.exec(left ?? '') ?? [];
  expect(readFileSync(saved, 'utf8')).toBe('old server.ts\n');
  expect(place).toBe(join(app, 'src/rpc/server.ts'));
  expect(contents(app)).toMatchObject({
    'src/rpc/client.ts': 'old client.ts\n',
    'src/rpc/wire/tags.ts': 'old wire/tags.ts\n',
    [MANIFEST]: JSON.stringify(manifest),
  });
});

test('a project that is complete is no failure, whatever is left beside it', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'app'));
  const env = { NODE_OPTIONS, HELD: STAGING };
  const outcome = await runScaffolder(['app', ...OFFLINE], { cwd, env });
  expect(outcome.code).toBe(0);
  expect(outcome.err).toMatch(/^A temporary folder could not be removed. Remove it yourself: EBU/);
  expect(outcome.out).toContain('Created app. Next:');
});
