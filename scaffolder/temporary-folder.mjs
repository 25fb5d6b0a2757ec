/** A folder in the system's temporary directory that is removed with the run, also after a failure. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder, tryToRemoveFolder } from './clean-up.mjs';

/**
 * @param {Pick<import('./context.mjs').Context, 'undo' | 'note'>} context
 * @returns {{ folder: string, remove: () => void }} call `remove` when the folder is no longer needed;
 *   after a failure or a signal, the folder is removed without a call
 */
export function temporaryFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), 'create-lumenize-rpc-'));
  context.undo.push(() => removeFolder(folder));
  return { folder, remove: () => tryToRemoveFolder(folder, context) };
}
