/** Undoes the changes of a failed run, and removes the temporary folders of a successful run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {import('./context.mjs').Context} Context */

/**
 * Calls the functions in `undo`, newest first: a running command is stopped before the folder that it
 * writes to is removed. If a function fails, the others are still called.
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

/** @param {string} folder - the folder to remove, with its contents */
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

/**
 * Makes a folder in the system's temporary directory.
 *
 * @param {Pick<Context, 'undo' | 'note'>} context
 * @returns {{ folder: string, remove: () => void }} call `remove` when the folder is no longer needed;
 *   after a failure or a signal, the folder is removed without a call
 */
export function temporaryFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), 'create-lumenize-rpc-'));
  context.undo.push(() => removeFolder(folder));
  return { folder, remove: () => tryToRemoveFolder(folder, context) };
}

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
