/** A project's configuration of wrangler, whatever language it is in. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../failure.mjs';
import { readText } from '../update/manifest.mjs';
import * as jsonc from './jsonc.mjs';
import * as toml from './toml.mjs';

/** As wrangler looks for them: the first counts. */
const CONFIGURATIONS = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * @typedef {object} Configuration
 * @property {string} file - its name
 * @property {string} text - as `readText` gives it
 * @property {any} value
 */

/**
 * @param {string} project
 * @returns {Configuration | undefined}
 * @throws {import('../failure.mjs').Failure} when it cannot be read
 */
export function readConfiguration(project) {
  const file = CONFIGURATIONS.find((name) => existsSync(join(project, name)));
  if (!file) return undefined;
  const text = readText(join(project, file)) ?? '';
  const value = languageOf(file).valueOf(text);
  if (value) return { file, text, value };
  const language = file.endsWith('.toml') ? 'TOML' : 'JSON';
  throw conflict(`${join(project, file)} is not valid ${language}.`, 'Correct it and try again.');
}

/**
 * @param {any} value - of a configuration
 * @returns {string} the Worker's main file, from the project's folder; empty when there is none
 */
export function mainOf({ main }) {
  // The texts of files are read as bytes.
  const path = typeof main === 'string' ? Buffer.from(main, 'latin1').toString() : '';
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}

/**
 * The result is read again: it must mean what it meant, and the addition.
 *
 * @param {string} file
 * @param {string} text
 * @param {[path: string[], item: import('./jsonc.mjs').Json][]} additions - to lists
 * @returns {string}
 */
export function extended(file, text, additions) {
  const { appendTo, valueOf } = languageOf(file);
  return additions.reduce((before, [path, item]) => {
    const after = appendTo(before, path, item);
    const expected = valueOf(before);
    const isAsMeant =
      listAt(expected, path)?.push(item) && isSame(after && valueOf(after), expected);
    if (after !== undefined && isAsMeant) return after;
    const what = `${path.join('.')}: ${JSON.stringify(item)}`;
    throw conflict(`${file} cannot be extended.`, `Add this yourself:\n  ${what}`);
  }, text);
}

/** @param {string} file */
function languageOf(file) {
  return file.endsWith('.toml') ? toml : jsonc;
}

/**
 * @param {any} value
 * @param {string[]} path
 * @returns {unknown[] | undefined} the list there, which is made if there is none
 */
function listAt(value, path) {
  let place = value;
  for (const [i, key] of path.entries()) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = place[key] ??= i === path.length - 1 ? [] : {};
  }
  return Array.isArray(place) ? place : undefined;
}

/**
 * Whatever their prototypes are.
 *
 * @param {unknown} a
 * @param {unknown} b
 */
function isSame(a, b) {
  return a !== undefined && isDeepStrictEqual(structuredClone(a), structuredClone(b));
}
