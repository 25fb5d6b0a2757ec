/** Step: with `--update`, updates the runtime of an existing project, and nothing comes after. */

import { EXIT, Failure } from '../failure.mjs';

/** What makes no sense for a project that is there. */
const OTHERS = /** @type {const} */ (['name', 'workerName', 'from', 'merge', 'list']);

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Context} context
 * @returns {Promise<import('../context.mjs').Changes>}
 */
export default async function updateRuntime(context) {
  if (!context.update) return;
  const other = OTHERS.find((name) => context[name]);
  if (other) {
    const option = other.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    throw new Failure(`--update and --${option} do not go together.`, EXIT.usage);
  }
  // Loaded only when it is asked for, so that a plain scaffold starts at once.
  const { updateProject } = await import('../update/update-project.mjs');
  return { ...(await updateProject(context)), finished: true };
}
