/**
 * Finds files in the program's own package. This file has to be in a folder at the package's root, as
 * the bundle in `dist/` is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The template's folder in the published package. */
export const PUBLISHED_TEMPLATE = 'dist/template';

/** @returns {string} the template's folder, in the published package or in a clone of the repository */
export function ownTemplate() {
  const published = besideThisProgram('template');
  return existsSync(published) ? published : inOwnPackage('template');
}

/** The overlays' folder in the published package. */
export const PUBLISHED_OVERLAYS = 'dist/examples/ui';

/**
 * @param {string} name
 * @returns {string} the overlay's folder
 */
export function ownOverlay(name) {
  const published = besideThisProgram(`examples/ui/${name}`);
  return existsSync(published) ? published : inOwnPackage(`examples/ui/${name}`);
}

/**
 * @param {string} path - relative to the package's root
 * @returns {string} the absolute path
 */
function inOwnPackage(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/**
 * @param {string} name - of a file or a folder beside this file, or beside the bundle
 * @returns {string} the absolute path
 */
export function besideThisProgram(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** @returns {{ version: string, devDependencies: Record<string, string> }} */
export function ownManifest() {
  return JSON.parse(readFileSync(inOwnPackage('package.json'), 'utf8'));
}
