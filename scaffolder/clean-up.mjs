/** Undoes what a failed run did, and removes the temporary folders of a successful run. */
import { rmSync } from 'node:fs';

/** @typedef {import('./context.mjs').Context} Context */

/**
 * Calls the functions in `undo`, newest first: a running command is stopped before the folder that it
 * writes to is removed. If one fails, the others are still called.
 *
 * @param {Pick<Context, 'undo'>} context
 * @returns {Promise<string[]>} the error messages of the functions that failed
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

/** @param {string} folder - is removed with its contents */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Removes a folder that is no longer needed. If that fails, the user gets a note, and the run goes on.
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
