/**
 * Runs commands as a user does, outside this repository: without the variables that npm and Vitest set, on copies
 * of the files that git has of the repository.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run as runGuarded } from '../../harness/guarded-process.mjs';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} root - a folder for the user's settings of programs
 * @returns {NodeJS.ProcessEnv} without this repository's binaries, and with an author for commits
 */
export function outsideEnvironment(root) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|(CI|INIT_CWD|NODE|NODE_ENV|NODE_OPTIONS)$)/i.test(name),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter);
  return {
    ...Object.fromEntries(inherited),
    PATH: path.filter((folder) => !folder.includes('node_modules')).join(delimiter),
    GIT_AUTHOR_NAME: 'Someone',
    GIT_AUTHOR_EMAIL: 'someone@example.com',
    GIT_COMMITTER_NAME: 'Someone',
    GIT_COMMITTER_EMAIL: 'someone@example.com',
    XDG_CONFIG_HOME: join(root, 'config'),
    WRANGLER_SEND_METRICS: 'false',
  };
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ out: string, all: string }>} rejects with the output if the command fails
 */
export function run(command, args, options) {
  return runGuarded(command, args, { ...options, output: 'pipe' });
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
 * Makes a clone of the current files, in which the package can be packed.
 *
 * @param {string} to
 */
export function copyRepository(to) {
  for (const path of filesOfGit('.')) {
    fs.mkdirSync(dirname(join(to, path)), { recursive: true });
    fs.copyFileSync(join(REPOSITORY, path), join(to, path));
  }
  // The packages that bundle the scaffolder. git and npm ignore this folder.
  fs.symlinkSync(join(REPOSITORY, 'node_modules'), join(to, 'node_modules'));
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
export function git(args, cwd) {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
