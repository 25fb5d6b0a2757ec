import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { templateFiles } from '../template-files.mjs';
import { temporaryFolder } from './support/folders.mjs';

const TEMPLATE = fileURLToPath(new URL('../../template', import.meta.url));

/** @param {string} folder */
const paths = (folder) =>
  templateFiles(folder)
    .map(({ path }) => path)
    .toSorted();

/** @param {string} folder */
function filesOfGit(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\0');
  return listed.filter((path) => path && existsSync(join(folder, path))).toSorted();
}

test('the template is what git has of it, whatever was built or installed there', () => {
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

test('lock files stay behind', () => {
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
