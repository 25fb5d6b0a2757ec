/** Makes temporary folders that are removed after the test, and reads their contents for comparisons. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { entriesIn } from '../../templates/folder-entries.mjs';

/**
 * @param {Record<string, string>} [files] - texts of files in it, by path
 * @returns {string} the path of a new folder, removed when the test is over
 */
export function temporaryFolder(files = {}) {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'scaffolder-test-')));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
    fs.writeFileSync(join(folder, path), text);
  }
  return folder;
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} text by path; folders end in `/`, links are left out
 */
export function contents(folder) {
  const entries = [...entriesIn(folder)]
    .filter(({ entry }) => !entry.isSymbolicLink())
    .map(({ path, entry }) =>
      entry.isDirectory() ? [`${path}/`, ''] : [path, fs.readFileSync(join(folder, path), 'utf8')],
    );
  return Object.fromEntries(entries.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} targets of its links, by path
 */
export function links(folder) {
  const found = [...entriesIn(folder)].filter(({ entry }) => entry.isSymbolicLink());
  return Object.fromEntries(found.map(({ path }) => [path, fs.readlinkSync(join(folder, path))]));
}
