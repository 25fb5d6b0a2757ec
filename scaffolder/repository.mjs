/** Whether a place is under version control already. */
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
