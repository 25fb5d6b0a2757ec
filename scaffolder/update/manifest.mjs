/**
 * The runtime's manifest: its version, and for each file a hash of what was shipped, which tells the
 * files that a user has changed.
 *
 * A hash is the start of the name that git gives to the content, so git finds the content by it in
 * the project's history. 64 bits are plenty against accidents, and there is nothing to forge:
 * whoever may write the manifest may write the files.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.mjs';

/** Where new projects have it, and the package. */
export const RUNTIME = 'src/rpc/';
export const MANIFEST = `${RUNTIME}manifest.json`;

const HASH = /^[\da-f]{16}$/;
const VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
/** No name begins with a dot, so no path leads out of the runtime's folder. */
const PATH = /^\w[\w.-]*(\/\w[\w.-]*)*$/;

/** @typedef {{ version: string, files: Record<string, string> }} Manifest - hashes by path */

/**
 * @typedef {object} Update
 * @property {string} project
 * @property {string} runtime - its folder in the project
 * @property {string} template - the folder of the new version
 * @property {Manifest} shipped - the project's
 * @property {Manifest} next
 * @property {boolean} canMerge - whether git could give back what a merge replaces
 */

/**
 * @param {string} text - as `readText` gives it
 * @returns {string} the same whatever the line ends are, as in git
 */
export function hashOf(text) {
  const bytes = Buffer.from(withLineEnds(text), 'latin1');
  const hash = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}

/**
 * @param {string} file
 * @returns {string | undefined} a character for each byte, which keeps any encoding as it is
 */
export function readText(file) {
  return existsSync(file) ? readFileSync(file, 'latin1') : undefined;
}

/**
 * @param {string} text
 * @param {string} [model]
 * @returns {string} the text with the line ends of the model
 */
export function withLineEnds(text, model = '') {
  const lines = text.replaceAll('\r\n', '\n');
  return model.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
}

/**
 * @param {string} folder - of a project
 * @param {string} [runtime] - its folder, from there
 * @returns {Manifest | undefined}
 * @throws {Failure} when it is damaged
 */
export function readManifest(folder, runtime = RUNTIME) {
  const manifest = `${runtime}manifest.json`;
  const text = readText(join(folder, manifest));
  if (text === undefined) return undefined;
  try {
    const { version, files } = JSON.parse(text);
    const valid = Object.entries(files).every(([path, hash]) => PATH.test(path) && HASH.test(hash));
    if (valid && VERSION.test(version)) return { version, files };
  } catch {
    // Not even JSON.
  }
  throw new Failure(
    `${manifest} is damaged. Nothing was changed.\n` +
      `Take it from the project's history: git checkout HEAD -- ${manifest}`,
  );
}

/**
 * @param {string} version
 * @param {string} other
 */
export function isNewer(version, other) {
  // A preview comes before its release.
  const [a = '', b = ''] = [version, other].map(
    (text) => `${text}${text.includes('-') ? '' : '-\uFFFF'}`,
  );
  return a.localeCompare(b, 'en', { numeric: true }) > 0;
}
