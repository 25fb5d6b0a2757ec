/** Makes repositories with the real git, independent of the identity and configuration of the machine. */
import { execFileSync } from 'node:child_process';

const SETTINGS = [
  'user.name=Someone',
  'user.email=someone@example.com',
  'commit.gpgSign=false',
  'init.defaultBranch=main',
].flatMap((setting) => ['-c', setting]);

/**
 * @param {string} cwd
 * @param {string[]} args
 * @returns {string} the output of git
 */
export function git(cwd, ...args) {
  return execFileSync('git', [...SETTINGS, ...args], { cwd, encoding: 'utf8' });
}

/**
 * Commits everything in a folder, and makes it a repository if it is not one.
 *
 * @param {string} folder
 */
export function commitAll(folder) {
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'x');
}
