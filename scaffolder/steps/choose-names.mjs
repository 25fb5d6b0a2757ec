/**
 * Step: chooses the names of the package and of the Worker, by `--name` or else by the directory. If the
 * directory's name is not valid for a package and there is a terminal, the step asks for the name.
 */
import { basename } from 'node:path';
import { ask } from '../console/question.mjs';
import {
  DEFAULT_NAME,
  isPackageName,
  PACKAGE_LETTERS,
  toPackageName,
  toWorkerName,
} from '../packages/names.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'name' | 'target' | 'interactive' | 'yes' | 'undo'> & Partial<Context>} context
 * @returns {Promise<Partial<Context>>}
 */
export default async function chooseNames(context) {
  const packageName = context.name ?? (await nameAfter(basename(context.target), context));
  const workerName = context.workerName ?? (toWorkerName(packageName) || DEFAULT_NAME);
  return { packageName, workerName };
}

/**
 * @param {string} directory
 * @param {Pick<Context, 'interactive' | 'yes' | 'undo'>} context
 */
async function nameAfter(directory, context) {
  const name = toPackageName(directory);
  if (name === directory || context.yes || !context.interactive) return name;
  return ask(context, 'Package name', name, (answer) =>
    isPackageName(answer) ? undefined : `It must be ${PACKAGE_LETTERS}`,
  );
}
