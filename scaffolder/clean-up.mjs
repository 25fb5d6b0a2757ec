/** Leaves nothing behind: takes back what a failed run did, removes what a good one needed. */
import { rmSync } from 'node:fs';

/** @typedef {import('./context.mjs').Context} Context */

/**
 * Newest first: a running command is stopped before the folder it writes to is removed. One that
 * fails keeps none of the others from being taken back.
 *
 * @param {Pick<Context, 'undo'>} context
 * @returns {Promise<string[]>} what could not be taken back, and why
 */
export async function takeBack({ undo }) {
  /** @type {string[]} */
  const failures = [];
  for (const step of undo.toReversed()) {
    try {
      await step();
    } catch (error) {
      failures.push(reasonOf(error));
    }
  }
  return failures;
}

/** @param {string} folder - with all that is in it */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * For a folder that has served: that it stays is told, and is no failure of what it served for.
 *
 * @param {string} folder
 * @param {Pick<Context, 'note'>} context
 */
export function tryToRemoveFolder(folder, { note }) {
  try {
    removeFolder(folder);
  } catch (error) {
    note(`A temporary folder could not be removed. Remove it yourself: ${reasonOf(error)}`);
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
