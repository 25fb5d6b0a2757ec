import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import checkTargetOf from '../../steps/check-target.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/** @param {Partial<import('../../context.mjs').Context>} fields */
const checkTarget = (fields) => checkTargetOf(stepContext(fields));

test.each(['new', 'deep/er/new', 'with space', 'ünï'])('accepts a new place: %s', (directory) => {
  const cwd = temporaryFolder();
  expect(checkTarget({ cwd, directory })).toEqual({
    target: join(cwd, directory),
    targetExists: false,
    merge: false,
  });
  expect(contents(cwd)).toEqual({});
});

test('accepts an absolute path', () => {
  const target = join(temporaryFolder(), 'new');
  expect(checkTarget({ cwd: '/', directory: target })).toEqual({
    target,
    targetExists: false,
    merge: false,
  });
});

test('accepts an empty directory, a directory with only .git, and a link to one', () => {
  const cwd = temporaryFolder({ 'repository/.git/HEAD': '' });
  mkdirSync(join(cwd, 'empty'));
  symlinkSync(join(cwd, 'empty'), join(cwd, 'link'));
  for (const directory of ['empty', 'repository', 'link']) {
    expect(checkTarget({ cwd, directory })).toMatchObject({ targetExists: true });
  }
  expect(checkTarget({ cwd: join(cwd, 'empty'), directory: '.' })).toEqual({
    target: join(cwd, 'empty'),
    targetExists: true,
    merge: false,
  });
});

test('refuses a directory that is not empty, and lists its files', () => {
  const filled = (/** @type {string} */ folder, /** @type {number} */ length) =>
    Object.fromEntries(Array.from({ length }, (_, i) => [`${folder}/${i + 10}`, '']));
  const cwd = temporaryFolder({
    'used/notes.txt': 'keep me',
    'used/.git/HEAD': '',
    file: '',
    ...filled('eight', 8),
    ...filled('nine', 9),
  });
  symlinkSync(join(cwd, 'nowhere'), join(cwd, 'broken'));
  const before = contents(cwd);
  for (const [directory, message] of [
    [
      'used',
      'used is not empty: notes.txt.\nNothing was changed. Choose another directory, or add to this one with --merge.',
    ],
    ['eight', ': 10, 11, 12, 13, 14, 15, 16, 17.'],
    ['nine', ': 10, 11, 12, 13, 14, 15, 16, 17 and 1 more.'],
    ['file', 'file is a file'],
    ['file/inside', 'file is a file'],
    ['broken', 'a link to something that does not exist'],
  ]) {
    const run = () => checkTarget({ cwd, directory });
    expect(run).toThrow(message);
    expect(run).toThrow(expect.objectContaining({ exitCode: 3 }));
  }
  expect(contents(cwd)).toEqual(before);
});

test('in a Workers project, it names the option for that project', () => {
  const manifest = JSON.stringify({ dependencies: { 'lumenize-rpc': '^1.0.0' } });
  const cwd = temporaryFolder({
    'shop/wrangler.toml': 'main = "worker/index.ts"',
    'app/wrangler.jsonc': '{ "main": "worker/index.ts" }',
    'app/package.json': manifest,
  });
  const create = 'npm create lumenize-rpc@latest';
  for (const [fields, command] of [
    [{ cwd, directory: 'shop' }, `${create} shop -- --add`],
    [{ cwd: join(cwd, 'shop') }, `${create} -- --add`],
  ]) {
    const run = () => checkTarget(/** @type {object} */ (fields));
    expect(run).toThrow(`: ${command}\nFor a new project, choose another directory.`);
    expect(run).not.toThrow('--merge');
  }
  const run = () => checkTarget({ cwd, directory: 'app' });
  expect(run).toThrow(
    /It has lumenize-rpc already\. To add an example: npm create .* --add room\n/,
  );
  expect(run).not.toThrow('--merge');
});

test('accepts a directory that is not empty with --merge', () => {
  const cwd = temporaryFolder({ 'used/notes.txt': '', file: '' });
  expect(checkTarget({ cwd, directory: 'used', merge: true })).toEqual({
    target: join(cwd, 'used'),
    targetExists: true,
    merge: true,
  });
  expect(() => checkTarget({ cwd, directory: 'file', merge: true })).toThrow('is a file');
});

test.each([
  'con',
  'CON',
  'nul.txt',
  'aux/app',
  'apps/com1',
  'LPT9',
  'a:b',
  'what?',
  'a*',
  'tab\there',
  'ends.',
  'ends ',
  String.raw`apps\prn`,
])('refuses %j, which Windows has no directory for', (directory) => {
  const cwd = temporaryFolder();
  expect(() => checkTarget({ cwd, directory })).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringContaining('cannot be the name of a directory on Windows.'),
    }),
  );
});

test.each(['c:/new', 'console', 'com10', 'nullable', 'a.b', '.hidden', 'com'])(
  'accepts %s',
  (directory) => {
    const cwd = temporaryFolder();
    expect(checkTarget({ cwd, directory }).target).toBe(join(cwd, directory));
  },
);

test.each([
  ['package.json', '{ "workspaces": ["apps/*"] }'],
  ['pnpm-workspace.yaml', 'packages: []'],
])('says that a workspace is around the target: %s', (path, text) => {
  const cwd = temporaryFolder({ [path]: text, 'apps/package.json': '{}' });
  const context = stepContext({ cwd, directory: 'apps/new' });
  checkTargetOf(context);
  const target = join(cwd, 'apps/new');
  expect(context.said).toEqual([
    `Note: ${target} is inside the workspace ${cwd}. You may have to add it to the workspace's packages.`,
  ]);
});

test('a parent with dependencies of its own is not a workspace', () => {
  const cwd = temporaryFolder({ 'package.json': '{}', 'node_modules/x/package.json': '{}' });
  const context = stepContext({ cwd, directory: 'app' });
  checkTargetOf(context);
  expect(context.said).toEqual([]);
});
