/** Reads and extends a project's wrangler configuration, in JSON or TOML. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../console/failure.mjs';
import { readText } from './text/file-text.mjs';
import * as jsonc from './text/jsonc.mjs';
import * as toml from './text/toml.mjs';

/** In the order in which wrangler looks for them. It uses the first that exists. */
const CONFIGURATIONS = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * @param {string} folder
 * @returns {string | undefined} the name of the configuration that wrangler uses
 */
export function configurationIn(folder) {
  return CONFIGURATIONS.find((name) => existsSync(join(folder, name)));
}

/**
 * @typedef {object} Configuration
 * @property {string} file - its name
 * @property {string} text - as `readText` returns it
 * @property {any} value
 */

/**
 * @param {string} project
 * @returns {Configuration | undefined}
 * @throws {import('../console/failure.mjs').Failure} if it cannot be parsed
 */
export function readConfiguration(project) {
  const file = configurationIn(project);
  if (!file) return undefined;
  const text = readText(join(project, file)) ?? '';
  const value = languageOf(file).valueOf(text);
  if (value) return { file, text, value };
  const language = file.endsWith('.toml') ? 'TOML' : 'JSON';
  throw conflict(`${join(project, file)} is not valid ${language}.`, 'Correct it and try again.');
}

/**
 * @param {any} value - of a configuration
 * @returns {string} path of the Worker's main file, relative to the project; empty if there is none
 */
export function mainOf({ main }) {
  // `readText` turns each byte into a character.
  const path = typeof main === 'string' ? Buffer.from(main, 'latin1').toString() : '';
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}

/**
 * Appends items to lists. Each result is parsed again, and must have the old content and the new item.
 *
 * @param {string} file
 * @param {string} text
 * @param {[path: string[], item: import('./text/jsonc.mjs').Json][]} additions - paths of lists, and the
 *   items to append
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
 * @returns {unknown[] | undefined} the list at the path, which is created if there is none; undefined
 *   if another value is in the way
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
 * Compares values, but not their prototypes.
 *
 * @param {unknown} a
 * @param {unknown} b
 */
function isSame(a, b) {
  return a !== undefined && isDeepStrictEqual(structuredClone(a), structuredClone(b));
}
