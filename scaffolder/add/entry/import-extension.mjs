/** Finds the extension in a project's imports of its own files, so that added imports look and resolve like the others. */
import { compilerOptionsOf } from '../tsconfig.mjs';

const OWN_FILE = /\b(?:from|import)\s*(['"])\.{1,2}\/(?:(?!\1).)*?(\.\w+)?\1/g;
/** Options that allow the extension `.ts`. */
const ALLOWING = ['allowImportingTsExtensions', 'rewriteRelativeImportExtensions'];
/** With these values of `module` or `moduleResolution`, an import of a file needs an extension. */
const AS_IN_NODE = /^node(?:16|18|20|next)$/i;

/**
 * @param {string} project
 * @param {string} main - the path of the main file, relative to the project
 * @param {string} entry - the text of that file
 * @returns {'.ts' | '.js' | ''}
 */
export function importExtension(project, main, entry) {
  for (const [, , extension = ''] of entry.matchAll(OWN_FILE)) {
    if (/^\.[cm]?tsx?$/.test(extension)) return '.ts';
    if (/^\.[cm]?jsx?$/.test(extension)) return '.js';
    if (extension === '') return '';
  }
  const options = compilerOptionsOf(project, main);
  if (ALLOWING.some((name) => options[name])) return '.ts';
  const { module, moduleResolution = module } = options;
  return AS_IN_NODE.test(String(moduleResolution)) ? '.js' : '';
}
