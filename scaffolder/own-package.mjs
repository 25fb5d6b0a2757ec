/**
 * Finds files in the program's own package. This file has to be in a folder at the package's root, as
 * the bundle in `dist/` is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folders that the published package has in `dist/`. A clone of the repository has them at its root. */
export const PUBLISHED = /** @type {const} */ (['template', 'examples']);

/**
 * @param {string} path - the path of one of these folders, or of a file or folder in it
 * @returns {string} the absolute path, in the published package or in a clone of the repository
 */
export function ownFolder(path) {
  const published = besideThisProgram(path);
  return existsSync(published) ? published : inOwnPackage(path);
}

/**
 * @param {string} path - relative to the package's root
 * @returns {string} the absolute path
 */
function inOwnPackage(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/**
 * @param {string} name - the name of a file or a folder beside this file, or beside the bundle
 * @returns {string} the absolute path
 */
export function besideThisProgram(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** @returns {{ version: string, devDependencies: Record<string, string> }} */
export function ownManifest() {
  return JSON.parse(readFileSync(inOwnPackage('package.json'), 'utf8'));
}
