/** A folder among the system's temporary files that goes with the run, however that ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @param {Pick<import('./context.mjs').Context, 'undo'>} context
 * @returns {{ folder: string, remove: () => void }} `remove` is for when it has served; on a failure
 *   or a signal it is called without being asked
 */
export function temporaryFolder({ undo }) {
  const folder = mkdtempSync(join(tmpdir(), 'create-lumenize-rpc-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  undo.push(remove);
  return { folder, remove };
}
