/**
 * What this program finds in its own package: a file in a folder at the root, as the bundle in
 * `dist/` is.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Whether this is the published package, bundled, rather than a clone of the repository. */
export const isPackaged = fileURLToPath(import.meta.url).endsWith('.cjs');

/**
 * @param {string} path - from the package's root
 * @returns {string} where that is on this machine
 */
export function inOwnPackage(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/**
 * @param {string} name
 * @returns {string} where another program of this package is
 */
export function besideThisProgram(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** @returns {{ version: string, devDependencies: Record<string, string> }} */
export function ownManifest() {
  return JSON.parse(readFileSync(inOwnPackage('package.json'), 'utf8'));
}
