/** What is in a folder, at any depth. Links are entries; what is behind them is not looked at. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder
 * @param {string} [parent] - where to begin, ending in `/`
 * @returns {Generator<{ path: string, entry: import('node:fs').Dirent }>} paths from the folder on,
 *   with `/` on every platform; a folder comes before what is in it
 */
export function* entriesIn(folder, parent = '') {
  for (const entry of readdirSync(join(folder, parent), { withFileTypes: true })) {
    const path = parent + entry.name;
    yield { path, entry };
    if (entry.isDirectory()) yield* entriesIn(folder, `${path}/`);
  }
}
