/** Finds a git repository, and prepares the environment of git commands. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Looks for `.git`, because git itself may refuse to answer, as in a repository of another user.
 *
 * @param {string} folder
 * @returns {boolean}
 */
export function isInRepository(folder) {
  if (existsSync(join(folder, '.git'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} without the variables that a git hook sets: they name its own repository
 */
export function withoutHook(env) {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...own } = env;
  return own;
}
