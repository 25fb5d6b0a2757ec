import { chmodSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { copyFiles } from '../../templates/copy-files.mjs';
import copyTemplate from '../../templates/copy-template.mjs';
import { templateFiles } from '../../templates/template-files.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';

const TEMPLATE = fileURLToPath(new URL('../../../template', import.meta.url));

test('copies the files of the template, byte for byte', () => {
  const project = temporaryFolder();
  copyTemplate({ cwd: '/', project });
  const copied = Object.entries(contents(project)).filter(([path]) => !path.endsWith('/'));
  const files = templateFiles(TEMPLATE).map(({ source, path }) => [
    path,
    readFileSync(source, 'utf8'),
  ]);
  expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(files));
  expect(Object.keys(Object.fromEntries(copied))).toContain('.gitignore');
});

test('copies a folder: no lock file, nothing ignored, links as links', () => {
  const cwd = temporaryFolder({
    'mine/.gitignore': 'node_modules/\n.env\n',
    'mine/package.json': '{}',
    'mine/package-lock.json': '{}',
    'mine/node_modules/x/index.js': '',
    'mine/.env': 'SECRET=1',
    'mine/.git/HEAD': '',
    'mine/bin/run.sh': '#!/bin/sh',
    'mine/_gitignore': 'theirs',
  });
  chmodSync(join(cwd, 'mine/bin/run.sh'), 0o555);
  symlinkSync('bin/run.sh', join(cwd, 'mine/link'));
  const project = temporaryFolder();
  copyTemplate({ cwd, project, from: './mine' });
  expect(contents(project)).toEqual({
    '.gitignore': 'node_modules/\n.env\n',
    _gitignore: 'theirs',
    'bin/': '',
    'bin/run.sh': '#!/bin/sh',
    'package.json': '{}',
  });
  expect(readlinkSync(join(project, 'link'))).toBe('bin/run.sh');
  const { mode } = statSync(join(project, 'bin/run.sh'));
  expect(mode & 0o200, 'its owner may write it').toBeTruthy();
  expect(mode & 0o100, 'and run it').toBeTruthy();
});

test('copies a folder of a repository without what the repository ignores', () => {
  const cwd = temporaryFolder({
    '.git/HEAD': '',
    '.gitignore': 'node_modules\n.env\n',
    'templates/one/package.json': '{}',
    'templates/one/node_modules/x/index.js': '',
    'templates/one/.env': 'SECRET=1',
  });
  const project = temporaryFolder();
  copyTemplate({ cwd, project, from: './templates/one' });
  expect(contents(project)).toEqual({ 'package.json': '{}' });
});

test('files of the package get the permissions of new files', () => {
  const [folder, project] = [temporaryFolder({ a: '', b: '' }), temporaryFolder({ new: '' })];
  chmodSync(join(folder, 'a'), 0o444);
  chmodSync(join(folder, 'b'), 0o777);
  copyFiles(folder, project, true);
  const [a, b, fresh] = ['a', 'b', 'new'].map((name) => statSync(join(project, name)).mode);
  expect([a, b]).toEqual([fresh, fresh]);
});

test('offers a folder with a similar name', () => {
  const cwd = temporaryFolder({ 'templates/mine/package.json': '{}' });
  expect(() => copyTemplate({ cwd, project: cwd, from: './templates/mien' })).toThrow(
    'Nothing was written. Did you mean ./templates/mine?',
  );
});

test.each(['./nowhere', './file'])('refuses %s, which is no folder', (from) => {
  const cwd = temporaryFolder({ file: '' });
  expect(() => copyTemplate({ cwd, project: cwd, from })).toThrow(
    `There is no directory ${join(cwd, from)} to copy from. Nothing was written.`,
  );
});
