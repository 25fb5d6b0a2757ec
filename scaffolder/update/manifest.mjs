/**
 * The runtime's manifest: its version, and a hash of each file as it was shipped. The hashes show which
 * files the user has changed.
 *
 * A hash is the beginning of git's object id of the content, so git finds the content by it in the
 * project's history. 64 bits are enough against collisions by accident. A forged hash gains nothing:
 * a person who can write the manifest can write the files.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.mjs';

/** The runtime's folder in new projects and in the template. */
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
 * @property {string} runtime - the runtime's folder, relative to the project
 * @property {string} template - the folder of the new version
 * @property {Manifest} shipped - the manifest of the project
 * @property {Manifest} next - the manifest of the new version
 * @property {boolean} canMerge - whether git can restore what a merge replaces
 */

/**
 * @param {string} text - as `readText` returns it
 * @returns {string} the same hash for all line ends, as in git
 */
export function hashOf(text) {
  const bytes = Buffer.from(withLineEnds(text), 'latin1');
  const hash = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}

/**
 * @param {string} file
 * @returns {string | undefined} one character for each byte, so that any encoding stays unchanged;
 *   undefined if there is no file
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
 * @param {string} [runtime] - the runtime's folder, relative to the project
 * @returns {Manifest | undefined}
 * @throws {Failure} if the manifest is damaged
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
    // The text is not valid JSON.
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
  // A pre-release comes before its release.
  const [a = '', b = ''] = [version, other].map(
    (text) => `${text}${text.includes('-') ? '' : '-\uFFFF'}`,
  );
  return a.localeCompare(b, 'en', { numeric: true }) > 0;
}
