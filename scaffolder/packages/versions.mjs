/** Compares the versions of a project's packages, which package.json gives as ranges. */
import { dirname, join } from 'node:path';
import { readText } from '../add/text/file-text.mjs';
import { valueOf } from '../add/text/jsonc.mjs';

/** @typedef {readonly [major: number, minor: number]} Version */

/**
 * @param {string} text - the text of a package.json
 * @returns {Record<string, string>} ranges by the names of the packages
 */
export function packagesOf(text) {
  const { dependencies, devDependencies } = valueOf(text) ?? {};
  return { ...devDependencies, ...dependencies };
}

/** @param {string} range */
export function majorOf(range) {
  return /^[\^~>=v\s]*(\d+)/.exec(range)?.[1];
}

/**
 * Returns whether a range has only versions that are older.
 *
 * @param {string} range
 * @param {Version} oldest
 */
export function isOlder(range, [oldestMajor, oldestMinor]) {
  const major = Number(majorOf(range) ?? Infinity);
  if (major !== oldestMajor) return major < oldestMajor;
  const [, minor] = /^[~=v\s]*\d+\.(\d+)/.exec(range) ?? [];
  return minor !== undefined && Number(minor) < oldestMinor;
}

/**
 * @param {string} folder - the folder of a project
 * @param {string} name - the name of a package
 * @param {string} range
 * @returns {Version | undefined} the installed version, or else the lowest version of the range; undefined if the range
 *   has no number
 */
export function versionOf(folder, name, range) {
  const [, major, minor = '0'] =
    /^[\^~>=v\s]*(\d+)(?:\.(\d+))?/.exec(installedVersion(folder, name) ?? range) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

/**
 * @param {Version} version
 * @param {Version} oldest
 */
export function isBefore([major, minor], [oldestMajor, oldestMinor]) {
  return major === oldestMajor ? minor < oldestMinor : major < oldestMajor;
}

/**
 * @param {string} folder
 * @param {string} name - the name of a package
 * @returns {string | undefined} undefined if the package is not installed, in the folder or above it
 */
function installedVersion(folder, name) {
  const manifest = readText(join(folder, 'node_modules', name, 'package.json'));
  if (manifest !== undefined) return valueOf(manifest)?.version;
  const parent = dirname(folder);
  return parent === folder ? undefined : installedVersion(parent, name);
}
