/** Reads and extends a project's wrangler configuration, in JSON or TOML. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../console/failure.mjs';
import { readText } from './text/file-text.mjs';
import * as jsonc from './text/jsonc.mjs';
import * as toml from './text/toml.mjs';

/** The names of the configuration, in the order in which wrangler looks for them. It uses the first file that exists. */
export const CONFIGURATIONS = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * @param {string} folder
 * @returns {string | undefined} the name of the configuration that wrangler uses
 */
export function configurationIn(folder) {
  return CONFIGURATIONS.find((name) => existsSync(join(folder, name)));
}

/**
 * @typedef {object} Configuration
 * @property {string} file - the name of the configuration
 * @property {string} text - the text as `readText` returns it
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
 * @param {any} value - the value of a configuration
 * @returns {string} path of the Worker's main file, relative to the project; empty if there is none
 */
export function mainOf({ main }) {
  // `readText` turns each byte into a character.
  const path = typeof main === 'string' ? Buffer.from(main, 'latin1').toString() : '';
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}

/**
 * An item to append to a list, or a property to set. `list` and `property` are paths.
 *
 * @typedef {{ list: string[], item: import('./text/jsonc.mjs').Json } | { property: string[], value: Record<string, string> }} Addition
 */

/**
 * Makes additions. Each result is parsed again, to check that it has the old content and the addition.
 *
 * @param {string} file
 * @param {string} text
 * @param {Addition[]} additions
 * @returns {string}
 */
export function extended(file, text, additions) {
  const { appendTo, setProperty, valueOf } = languageOf(file);
  return additions.reduce((before, addition) => {
    const after =
      'list' in addition
        ? appendTo(before, addition.list, addition.item)
        : setProperty(before, addition.property, addition.value);
    const expected = valueOf(before);
    const isAsMeant = makeAddition(expected, addition) && isSame(after && valueOf(after), expected);
    if (after !== undefined && isAsMeant) return after;
    throw conflict(`${file} cannot be extended.`, `Add this yourself:\n${shown(file, addition)}`);
  }, text);
}

/**
 * @param {string} file
 * @param {Addition} addition
 * @returns {string} the addition as the user can write it, in indented lines
 */
export function shown(file, addition) {
  const language = languageOf(file);
  const text =
    'list' in addition
      ? language.shown(addition.list, addition.item, true)
      : language.shown(addition.property, addition.value, false);
  return text.replaceAll(/^/gm, '  ');
}

/** @param {string} file */
function languageOf(file) {
  return file.endsWith('.toml') ? toml : jsonc;
}

/**
 * Makes an addition to a value.
 *
 * @param {any} value
 * @param {Addition} addition
 * @returns {boolean} false if another value is in the way
 */
function makeAddition(value, addition) {
  const path = 'list' in addition ? addition.list : addition.property;
  let place = value;
  for (const key of path.slice(0, -1)) {
    if (typeof place !== 'object' || place === null) return false;
    place = place[key] ??= {};
  }
  const key = path.at(-1) ?? '';
  if (typeof place !== 'object' || place === null) return false;
  if ('property' in addition) {
    const isFree = place[key] === undefined;
    place[key] = addition.value;
    return isFree;
  }
  const list = (place[key] ??= []);
  return Array.isArray(list) && list.push(addition.item) > 0;
}

/**
 * Returns whether two values are equal. Their prototypes do not count.
 *
 * @param {unknown} a
 * @param {unknown} b
 */
function isSame(a, b) {
  return a !== undefined && isDeepStrictEqual(structuredClone(a), structuredClone(b));
}
