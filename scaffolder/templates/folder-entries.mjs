/** Lists a folder recursively. Links are entries, and are not followed. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder
 * @param {string} [parent] - the subfolder to list, ending in `/`
 * @returns {Generator<{ path: string, entry: import('node:fs').Dirent }>} paths relative to `folder`,
 *   with `/` on every platform; a folder comes before its contents
 */
export function* entriesIn(folder, parent = '') {
  for (const entry of readdirSync(join(folder, parent), { withFileTypes: true })) {
    const path = parent + entry.name;
    yield { path, entry };
    if (entry.isDirectory()) yield* entriesIn(folder, `${path}/`);
  }
}
