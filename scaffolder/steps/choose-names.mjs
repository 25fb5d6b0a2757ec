/** Step: names the package and the Worker, after `--name` or else after the directory. */
import { basename } from 'node:path';
import { DEFAULT_NAME, toPackageName, toWorkerName } from '../names.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'name' | 'target'>} context
 * @returns {Partial<Context>}
 */
export default function chooseNames({ name, target }) {
  const packageName = name ?? toPackageName(basename(target));
  return { packageName, workerName: toWorkerName(packageName) || DEFAULT_NAME };
}
