/**
 * Changes a project's compiler options for the runtime: allows imports with the extension `.ts`, raises `lib`
 * to the version of ECMAScript that the runtime uses, and includes the generated types of the bindings. Of
 * several `tsconfig.json` files, it changes those that include the Worker's main file.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readText } from '../update/manifest.mjs';
import { appendTo, replaceValue, setProperty, valueOf } from './jsonc.mjs';

const NAME = /^tsconfig(?:\..+)?\.json$/;
/** Either option allows the extension. The second also works if TypeScript emits JavaScript. */
const ALLOWING = ['allowImportingTsExtensions', 'rewriteRelativeImportExtensions'];
/** The oldest version of ECMAScript whose library has all that the runtime uses, such as `toSorted`. */
const OLDEST_LIBRARY = 2023;
/** What a configuration without `files` and `include` includes. */
const EVERYTHING = ['**/*'];

/**
 * @param {string} project
 * @param {string} main - path of the main file, relative to the project
 * @param {string} [types] - path of the file with the types of the bindings, if the project may include it
 * @returns {{ changes: Map<string, string>, isFound: boolean }} `changes` has new texts by path;
 *   `isFound` is false if no configuration includes the file, or if one of them cannot be changed
 */
export function withCompilerOptions(project, main, types) {
  /** @type {Map<string, string>} */
  const changes = new Map();
  const including = configurationsOf(project, main).filter((file) => includes(project, file, main));
  let isFound = including.length > 0;
  for (const file of including) {
    const before = readText(join(project, file)) ?? '';
    // A configuration that extends a changed one inherits the options.
    const above = ancestorsOf(project, file).filter((ancestor) => including.includes(ancestor));
    const allowed = allowExtensions(project, file, above, before);
    const raised = allowed === undefined ? undefined : raiseLibrary(project, file, above, allowed);
    const after =
      types && raised !== undefined ? includeTypes(project, file, types, raised) : raised;
    if (after === undefined) isFound = false;
    else if (after !== before) changes.set(file, after);
  }
  return { changes, isFound };
}

/**
 * @param {string} project
 * @param {string} file
 * @param {string[]} above - the configurations that it extends and that are changed too
 * @param {string} text
 * @returns {string | undefined} undefined if the text cannot be changed
 */
function allowExtensions(project, file, above, text) {
  const lacksOption = (/** @type {string} */ one) => {
    const options = inherited(project, one, 'compilerOptions');
    return !ALLOWING.some((name) => options[name]);
  };
  if (!lacksOption(file) || above.some(lacksOption)) return text;
  const { noEmit, emitDeclarationOnly } = inherited(project, file, 'compilerOptions');
  const [allowing = '', rewriting = ''] = ALLOWING;
  const path = ['compilerOptions', noEmit || emitDeclarationOnly ? allowing : rewriting];
  return replaceValue(text, path, true) ?? setProperty(text, path, true);
}

/**
 * Raises the newest version of ECMAScript in `lib`. Without `lib`, TypeScript chooses by `target`.
 *
 * @param {string} project
 * @param {string} file
 * @param {string[]} above
 * @param {string} text
 * @returns {string | undefined} undefined if the text cannot be changed
 */
function raiseLibrary(project, file, above, text) {
  const { lib } = inherited(project, file, 'compilerOptions');
  const versions = Array.isArray(lib) ? lib.map(versionOf) : [];
  const newest = Math.max(...versions);
  if (versions.length === 0 || newest >= OLDEST_LIBRARY || newest === 0) return text;
  const at = versions.indexOf(newest);
  const raised = lib.with(at, lib[at].replace(/\d+$/, String(OLDEST_LIBRARY)));
  const hasOwn = (/** @type {string} */ one) => Boolean(read(project, one).compilerOptions?.lib);
  if (hasOwn(file)) return replaceValue(text, ['compilerOptions', 'lib', at], raised[at]);
  return above.some(hasOwn) ? text : setProperty(text, ['compilerOptions', 'lib'], raised);
}

/**
 * Adds the file to the configuration's own list of files. A list that is inherited stays: the configuration
 * that has it is changed itself if it includes the Worker's main file.
 *
 * @param {string} project
 * @param {string} file
 * @param {string} types
 * @param {string} text
 * @returns {string | undefined} undefined if the text cannot be changed
 */
function includeTypes(project, file, types, text) {
  const { types: named } = inherited(project, file, 'compilerOptions');
  const path = (/** @type {unknown} */ name) => posix.join(dirname(file), String(name));
  const isNamed = Array.isArray(named) && named.some((name) => path(name) === types);
  if (isNamed || includes(project, file, types)) return text;
  const added = posix.relative(dirname(file), types);
  const own = read(project, file);
  const list = ['include', 'files'].find((key) => Array.isArray(own[key]));
  if (list) return appendTo(text, [list], added);
  const isInherited = inherited(project, file, 'include') ?? inherited(project, file, 'files');
  return isInherited ? text : setProperty(text, ['include'], [...EVERYTHING, added]);
}

/**
 * @param {unknown} library - of `lib`
 * @returns {number} 0 if it is not a whole version of ECMAScript
 */
function versionOf(library) {
  const [, version = '0'] = /^es(\d+|next)$/i.exec(String(library)) ?? [];
  return /next/i.test(version) ? Infinity : Number(version);
}

/**
 * @param {string} project
 * @param {string} main
 * @returns {string[]} the configurations in the project's folder and in each folder on the way to the
 *   main file, and those that they reference
 */
function configurationsOf(project, main) {
  const folders = main.split('/').map((_, i, names) => posix.join('.', ...names.slice(0, i)));
  const own = folders.flatMap((folder) => {
    const names = readdirSync(join(project, folder)).filter((name) => NAME.test(name));
    return names.map((name) => posix.join(folder, name));
  });
  const references = own.flatMap((file) => {
    const { references: listed = [] } = read(project, file);
    return listed.map((/** @type {{ path: string }} */ { path }) =>
      asFile(project, posix.join(posix.dirname(file), path)),
    );
  });
  return [...new Set([...own, ...references])].filter((file) => existsSync(join(project, file)));
}

/**
 * @param {string} project
 * @param {string} file
 * @param {string} path
 */
function includes(project, file, path) {
  const files = inherited(project, file, 'files');
  const include = inherited(project, file, 'include') ?? (files ? [] : EVERYTHING);
  const exclude = inherited(project, file, 'exclude') ?? [];
  const matches = (/** @type {string} */ pattern) => patternOf(dirname(file), pattern).test(path);
  if (files?.some(matches)) return true;
  return include.some(matches) && !exclude.some(matches);
}

/**
 * Converts a pattern of `tsconfig.json`. A folder matches everything in it.
 *
 * @param {string} folder
 * @param {string} pattern
 */
function patternOf(folder, pattern) {
  const path = posix.join(folder, pattern).replace(/\/$/, '');
  const glob = path.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  const source = glob.replaceAll(/\*\*\/|\*|\?/g, (wild) => {
    if (wild === '**/') return '(?:.*/)?';
    return wild === '*' ? '[^/]*' : '[^/]';
  });
  return new RegExp(`^${source === '\\.' ? '' : `${source}(?:/|$)`}`);
}

/**
 * @param {string} project
 * @param {string} file
 * @param {'compilerOptions' | 'files' | 'include' | 'exclude'} key
 * @returns {any} the value of the key, own or inherited; compiler options are merged
 */
function inherited(project, file, key) {
  const all = [file, ...ancestorsOf(project, file)].map((name) => read(project, name)[key]);
  if (key === 'compilerOptions') return Object.assign({}, ...all.toReversed());
  return all.find((value) => Array.isArray(value));
}

/**
 * @param {string} project
 * @param {string} file
 * @param {string[]} [below] - the configurations that lead to it, in case they extend each other in a circle
 * @returns {string[]} the configurations that it extends, the one that counts most first
 */
function ancestorsOf(project, file, below = []) {
  const path = [...below, file];
  // Of several, the last counts most, and all that it extends more than the one before it.
  const parents = [read(project, file).extends ?? []].flat().toReversed();
  return parents.flatMap((parent) => {
    const isFile = String(parent).startsWith('.');
    const one = isFile
      ? asFile(project, posix.join(dirname(file), parent))
      : packaged(project, parent);
    return path.includes(one) ? [] : [one].concat(ancestorsOf(project, one, path));
  });
}

/**
 * @param {string} project
 * @param {string} name - of a package, or of a file in a package
 * @returns {string} the path of the configuration in `node_modules`, relative to the project
 */
function packaged(project, name) {
  const path = `node_modules/${name}`;
  const isIn = [path, `${path}.json`].some((one) => existsSync(join(project, one)));
  if (isIn || dirname(project) === project) return asFile(project, path);
  return posix.join('..', packaged(dirname(project), name));
}

/**
 * @param {string} project
 * @param {string} path - of a configuration, with or without its extension, or of a folder that
 *   contains `tsconfig.json`
 */
function asFile(project, path) {
  if (path.endsWith('.json')) return path;
  return existsSync(join(project, `${path}.json`))
    ? `${path}.json`
    : posix.join(path, 'tsconfig.json');
}

/**
 * @param {string} project
 * @param {string} file
 */
function read(project, file) {
  return valueOf(readText(join(project, file)) ?? '') ?? {};
}
