/** Artificial versions of the runtime, in projects and as the template of a newer package. */
import { hashOf, MANIFEST, RUNTIME } from '../../update/manifest.mjs';
import { temporaryFolder } from './folders.mjs';

/** @typedef {{ version: string, files: Record<string, string> }} Runtime - texts by path */

/** A file so long that changes at its two ends do not touch. */
export const BASE = 'one\ntwo\nthree\nfour\nfive\nsix\n';

/**
 * @param {Runtime} runtime
 * @returns {Record<string, string>} all its files, with the manifest, by path relative to the project
 */
export function runtimeFiles({ version, files }) {
  const hashes = Object.entries(files).map(([path, text]) => [
    path,
    hashOf(Buffer.from(text).toString('latin1')),
  ]);
  const manifest = { version, files: Object.fromEntries(hashes) };
  return {
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [RUNTIME + path, text])),
    [MANIFEST]: `${JSON.stringify(manifest, undefined, 2)}\n`,
  };
}

/**
 * @param {Runtime} runtime
 * @param {Record<string, string>} [others] - further files by path
 * @returns {string} a new folder
 */
export function runtimeFolder(runtime, others = {}) {
  return temporaryFolder({ ...runtimeFiles(runtime), ...others });
}
