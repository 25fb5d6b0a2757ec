/**
 * What this program finds in its own package: a file in a folder at the root, as the bundle in
 * `dist/` is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the published package has the template. */
export const PUBLISHED_TEMPLATE = 'dist/template';

/** @returns {string} the folder: of the published package, or of a clone of the repository */
export function ownTemplate() {
  const published = besideThisProgram('template');
  return existsSync(published) ? published : inOwnPackage('template');
}

/** Where the published package has the overlays. */
export const PUBLISHED_OVERLAYS = 'dist/overlays';

/**
 * @param {string} name
 * @returns {string} its folder
 */
export function ownOverlay(name) {
  const published = besideThisProgram(`overlays/${name}`);
  return existsSync(published) ? published : inOwnPackage(`overlays/${name}`);
}

/**
 * @param {string} path - from the package's root
 * @returns {string} where that is on this machine
 */
function inOwnPackage(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/**
 * @param {string} name
 * @returns {string} where that is, beside what runs
 */
export function besideThisProgram(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** @returns {{ version: string, devDependencies: Record<string, string> }} */
export function ownManifest() {
  return JSON.parse(readFileSync(inOwnPackage('package.json'), 'utf8'));
}
