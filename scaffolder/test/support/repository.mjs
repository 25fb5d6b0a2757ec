/** Repositories made by the real git, whatever the identity and configuration of the machine. */
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
 * @returns {string} what git printed
 */
export function git(cwd, ...args) {
  return execFileSync('git', [...SETTINGS, ...args], { cwd, encoding: 'utf8' });
}

/**
 * Commits everything in a folder, which becomes a repository if it is none.
 *
 * @param {string} folder
 */
export function commitAll(folder) {
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'x');
}
