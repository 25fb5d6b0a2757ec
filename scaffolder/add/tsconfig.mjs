/**
 * Includes the generated types of the bindings in a project's `tsconfig.json`, and reads its compiler options. If a
 * project has several such files, it uses the files that include the Worker's main file.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readText } from './text/file-text.mjs';
import { appendTo, setProperty, valueOf } from './text/jsonc.mjs';

const NAME = /^tsconfig(?:\..+)?\.json$/;
/** The files that a configuration without `files` and `include` includes. */
const EVERYTHING = ['**/*'];

/**
 * @param {string} project
 * @param {string} main - the path of the main file, relative to the project
 * @param {string} types - the path of the file with the types of the bindings
 * @returns {Map<string, string>} new texts by path
 */
export function withBindingTypes(project, main, types) {
  /** @type {Map<string, string>} */
  const changes = new Map();
  for (const file of configurationsFor(project, main)) {
    const before = readText(join(project, file)) ?? '';
    const after = includeTypes(project, file, types, before);
    if (after !== undefined && after !== before) changes.set(file, after);
  }
  return changes;
}

/**
 * @param {string} project
 * @param {string} main - the path of the main file, relative to the project
 * @returns {Record<string, unknown>} the options with which the file is compiled; empty if they are not known
 */
export function compilerOptionsOf(project, main) {
  const [file] = configurationsFor(project, main);
  return file === undefined ? {} : inherited(project, file, 'compilerOptions');
}

/**
 * @param {string} project
 * @param {string} main
 */
function configurationsFor(project, main) {
  return configurationsOf(project, main).filter((file) => includes(project, file, main));
}

/**
 * Adds the file to the configuration's own list of files. An inherited list stays unchanged: the configuration
 * that has the list is changed by its own call if it includes the Worker's main file.
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
 * @param {string} project
 * @param {string} main
 * @returns {string[]} the configurations in the project's folder and in each folder on the way to the
 *   main file, and the configurations that they reference
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
 * @param {string[]} [below] - the configurations that lead to this one, in case they extend each other in a circle
 * @returns {string[]} the configurations that it extends; each takes precedence over the next
 */
function ancestorsOf(project, file, below = []) {
  const path = [...below, file];
  // The last of several parents takes precedence, and so do all configurations that it extends.
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
 * @param {string} name - the name of a package, or of a file in a package
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
 * @param {string} path - the path of a configuration, with or without its extension, or of a folder that
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
