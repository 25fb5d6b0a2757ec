/** Step: names the package and the Worker, after `--name` or else after the directory. */
import { basename } from 'node:path';
import { DEFAULT_NAME, toPackageName, toWorkerName } from '../names.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'name' | 'target'> & { workerName?: string | undefined }} context
 * @returns {Partial<Context>}
 */
export default function chooseNames({ name, target, workerName }) {
  const packageName = name ?? toPackageName(basename(target));
  return { packageName, workerName: workerName ?? (toWorkerName(packageName) || DEFAULT_NAME) };
}
