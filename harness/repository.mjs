/** Lists the files of this repository in git, makes copies of them, and packs packages of them. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string[]} args
 * @param {string} cwd
 * @returns {string} the output of git
 */
export function git(args, cwd) {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}

/**
 * @param {string} folder
 * @returns {string[]} its files in git, and new files that git does not ignore; relative to the repository
 */
export function filesOfGit(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', folder];
  const paths = git(args, REPOSITORY).split('\0').filter(Boolean);
  return paths.filter((path) => fs.existsSync(join(REPOSITORY, path))).toSorted();
}

/**
 * Makes a copy of the current files, in which the packages can be built and packed.
 *
 * @param {string} to
 */
export function copyRepository(to) {
  for (const path of filesOfGit('.')) {
    fs.mkdirSync(dirname(join(to, path)), { recursive: true });
    fs.copyFileSync(join(REPOSITORY, path), join(to, path));
  }
  // This folder has the packages that bundle the scaffolder. git and npm ignore it.
  fs.symlinkSync(join(REPOSITORY, 'node_modules'), join(to, 'node_modules'));
}

/**
 * @param {string} output - the output of `npm pack --json`
 * @returns {{ name: string, version: string, filename: string, size: number, files: { path: string }[] }}
 */
export function packedIn(output) {
  // npm 12 prints one object by package name, npm 11 a list.
  const [packed] = Object.values(JSON.parse(output));
  return packed;
}
