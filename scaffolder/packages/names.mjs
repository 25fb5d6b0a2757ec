/** Checks and makes names, by npm's rules for packages and Cloudflare's rules for Workers. */
import { basename } from 'node:path';

const PACKAGE_NAME = /^(?:@[a-z\d~-][a-z\d._~-]*\/)?[a-z\d~-][a-z\d._~-]*$/;
/** The characters of a package name, for messages. */
export const PACKAGE_LETTERS = 'lower-case letters, digits, dashes, dots and underscores';
const RESERVED = new Set(['node_modules', 'favicon.ico']);
const LONGEST_PACKAGE_NAME = 214;
const LONGEST_WORKER_NAME = 63;

/** The name for a directory whose own name gives no valid name. */
export const DEFAULT_NAME = 'my-app';

/** @param {string} name */
export function isPackageName(name) {
  return PACKAGE_NAME.test(name) && name.length <= LONGEST_PACKAGE_NAME && !RESERVED.has(name);
}

/** @param {string} name */
export function isWorkerName(name) {
  return name !== '' && toWorkerName(name) === name;
}

/**
 * @param {string} text - for example a directory's name
 * @returns {string} the nearest valid package name
 */
export function toPackageName(text) {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d._~-]+/g, '-')
    .slice(0, LONGEST_PACKAGE_NAME)
    .replaceAll(/^[._~-]+|[._~-]+$/g, '');
  return isPackageName(name) ? name : DEFAULT_NAME;
}

/**
 * @param {string} packageName
 * @returns {string} lower-case letters, digits and dashes; empty if the name has none of these
 */
export function toWorkerName(packageName) {
  return packageName
    .replace(/^@[^/]*\//, '')
    .replaceAll(/[^a-z\d]+/g, '-')
    .replace(/^-/, '')
    .slice(0, LONGEST_WORKER_NAME)
    .replace(/-$/, '');
}

/**
 * @param {{ target: string, name?: string, packageName: string, workerName: string }} project - `name` is the
 *   name that the user chose
 * @returns {string[]} sentences for the user; none if both names are the directory's
 */
export function aboutNames({ target, name, packageName, workerName }) {
  const own = basename(target);
  if (packageName === own && workerName === own) return [];
  const isDerived = !name && packageName !== own && packageName === toPackageName(own);
  const why = isDerived ? `, because only ${PACKAGE_LETTERS} are allowed` : '';
  const worker = packageName === workerName ? '' : ` Worker: ${workerName}.`;
  return [`Package name: ${packageName}${why}.${worker}`];
}
