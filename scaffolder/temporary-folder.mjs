/** A folder among the system's temporary files that goes with the run, however that ends. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder, tryToRemoveFolder } from './clean-up.mjs';

/**
 * @param {Pick<import('./context.mjs').Context, 'undo' | 'note'>} context
 * @returns {{ folder: string, remove: () => void }} `remove` is for when it has served; on a failure
 *   or a signal it is called without being asked
 */
export function temporaryFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), 'create-lumenize-rpc-'));
  context.undo.push(() => removeFolder(folder));
  return { folder, remove: () => tryToRemoveFolder(folder, context) };
}
