/** What is under version control already, and how git is asked. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Looks at the files, because git itself may refuse to answer (a repository of another owner).
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
 * @returns {NodeJS.ProcessEnv} it, without what points at the repository of a hook that starts us
 */
export function withoutHook(env) {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...own } = env;
  return own;
}
