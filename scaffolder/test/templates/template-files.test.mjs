import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { templateFiles } from '../../templates/template-files.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const TEMPLATE = fileURLToPath(new URL('../../../template', import.meta.url));

/**
 * @param {string} folder
 * @param {boolean} [isInRepository]
 */
const paths = (folder, isInRepository) =>
  templateFiles(folder, isInRepository)
    .map(({ path }) => path)
    .toSorted();

/** @param {string} folder */
function filesOfGit(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\0');
  return listed.filter((path) => path && existsSync(join(folder, path))).toSorted();
}

test('copies only the files that git has, even if others were built or installed', () => {
  expect(paths(TEMPLATE)).toEqual(filesOfGit(TEMPLATE));
});

test('the rules are those of git', () => {
  const rules = ['# a comment', '', 'built/', '*.log  ', '/root-only', 'public/app.js'];
  const folder = temporaryFolder({
    '.gitignore': [...rules, '.env*', '!.env.example', 'a+b', 'deep/*.tmp'].join('\n'),
    '# a comment': '',
    'built/x': '',
    'src/built/x': '',
    'src/built.ts': '',
    // A rule for folders leaves it.
    'other/built': '',
    'a.log': '',
    'src/a.log': '',
    'src/a.logs': '',
    'root-only': '',
    'src/root-only': '',
    'public/app.js': '',
    'public/app.json': '',
    'src/public/app.js': '',
    '.env': '',
    '.env.local': '',
    '.env.example': '',
    'a+b': '',
    aab: '',
    'deep/x.tmp': '',
    'deep/er/x.tmp': '',
  });
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  expect(paths(folder)).toEqual(filesOfGit(folder));
});

test('the rules for any folder, for letters, and in folders are those of git', () => {
  const rules = [
    '**/secrets',
    '**/.env',
    'cache/**',
    'a/**/b',
    '*.py[co]',
    '?.tmp',
    '[!x]y',
    '[b-A]x',
    '/*.md',
  ];
  const folder = temporaryFolder({
    '.gitignore': [...rules, '!README.md', String.raw`\#odd`, String.raw`\!odd`].join('\r\n'),
    secrets: '',
    'src/secrets/key': '',
    'src/secrets.ts': '',
    '.env': '',
    'src/deep/.env': '',
    'cache/x': '',
    'cache/deep/x': '',
    'src/cache/x': '',
    'a/b': '',
    'a/c/b': '',
    'a/c/d/b': '',
    'a/cb': '',
    'x.pyc': '',
    'x.py': '',
    'a.tmp': '',
    'aa.tmp': '',
    xy: '',
    cx: '',
    zy: '',
    'LICENSE.md': '',
    'README.md': '',
    '#odd': '',
    '!odd': '',
    'packages/one/.gitignore': '/dist\n*.tsx\n!**/cache/x\n',
    'packages/one/dist': '',
    'packages/one/src/dist': '',
    'packages/one/src/page.tsx': '',
    'packages/two/page.tsx': '',
  });
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  expect(paths(folder)).toEqual(filesOfGit(folder));
});

describe('a folder of a repository', () => {
  const files = {
    '.gitignore': 'node_modules/\n.env\n/templates/one/built\n/built\nkept\n',
    'templates/.gitignore': '!kept\n/one/own\n',
    'templates/one/package.json': '{}',
    'templates/one/.env': 'TOKEN=secret',
    'templates/one/node_modules/x/index.js': '',
    'templates/one/built': '',
    'templates/one/src/built': '',
    'templates/one/own': '',
    'templates/one/kept': '',
  };

  test('is without what the repository ignores', () => {
    const repository = temporaryFolder(files);
    execFileSync('git', ['init', '--quiet'], { cwd: repository });
    const folder = join(repository, 'templates/one');
    expect(paths(folder, true)).toEqual(filesOfGit(folder));
    expect(paths(folder, true)).toEqual(['kept', 'package.json', 'src/built']);
  });

  test('is complete if the repository ignores the whole folder', () => {
    const repository = temporaryFolder({ ...files, '.gitignore': 'templates/**\n' });
    execFileSync('git', ['init', '--quiet'], { cwd: repository });
    expect(paths(join(repository, 'templates/one'), true)).toContain('package.json');
  });

  test('is complete outside a repository', () => {
    const folder = join(temporaryFolder(files), 'templates/one');
    expect(paths(folder, true)).toContain('.env');
  });
});

test('does not copy lock files', () => {
  const folder = temporaryFolder({
    'package-lock.json': '',
    'npm-shrinkwrap.json': '',
    'pnpm-lock.yaml': '',
    'yarn.lock': '',
    'bun.lock': '',
    'bun.lockb': '',
    'src/lock.ts': '',
  });
  expect(paths(folder)).toEqual(['src/lock.ts']);
});
