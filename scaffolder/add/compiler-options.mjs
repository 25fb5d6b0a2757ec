/**
 * The runtime imports its files with their extension, `.ts`, which a project's `tsconfig.json` has to
 * allow: the one that includes the Worker's main file, of several the one for the Worker.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readText } from '../update/manifest.mjs';
import { setProperty, valueOf } from './jsonc.mjs';

const NAME = /^tsconfig(?:\..+)?\.json$/;
/** Either allows the extension; the second also where TypeScript writes JavaScript. */
const ALLOWING = ['allowImportingTsExtensions', 'rewriteRelativeImportExtensions'];

/**
 * @param {string} project
 * @param {string} main - from there
 * @returns {{ changes: Map<string, string>, isFound: boolean }} texts by path; `isFound` is false
 *   where no configuration includes the file, or one cannot be changed
 */
export function withCompilerOptions(project, main) {
  /** @type {Map<string, string>} */
  const changes = new Map();
  const including = configurationsOf(project, main).filter((file) => includes(project, file, main));
  let isFound = including.length > 0;
  for (const file of including) {
    const option = (/** @type {string} */ name) =>
      inherited(project, file, 'compilerOptions')?.[name];
    if (ALLOWING.some(option)) continue;
    const [allowing, rewriting] = ALLOWING;
    const key = (option('noEmit') || option('emitDeclarationOnly') ? allowing : rewriting) ?? '';
    const changed = setProperty(
      readText(join(project, file)) ?? '',
      ['compilerOptions', key],
      true,
    );
    if (changed === undefined) isFound = false;
    else changes.set(file, changed);
  }
  // What extends a changed one has the option from there.
  for (const file of changes.keys()) {
    if (ancestorsOf(project, file).some((ancestor) => changes.has(ancestor))) changes.delete(file);
  }
  return { changes, isFound };
}

/**
 * @param {string} project
 * @param {string} main
 * @returns {string[]} those of the project, of the folders on the way to the file, and their references
 */
function configurationsOf(project, main) {
  const folders = main.split('/').map((_, i, names) => posix.join('.', ...names.slice(0, i)));
  const own = folders.flatMap((folder) => {
    const names = readdirSync(join(project, folder)).filter((name) => NAME.test(name));
    return names.map((name) => posix.join(folder, name));
  });
  const references = own.flatMap((file) => {
    const { references: listed = [] } = read(project, file);
    const paths = listed.map((/** @type {{ path: string }} */ { path }) =>
      asFile(project, posix.join(posix.dirname(file), path)),
    );
    return paths.filter((/** @type {string} */ path) => !path.startsWith('..'));
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
  const include = inherited(project, file, 'include') ?? (files ? [] : ['**/*']);
  const exclude = inherited(project, file, 'exclude') ?? ['node_modules'];
  const matches = (/** @type {string} */ pattern) => patternOf(dirname(file), pattern).test(path);
  if (files?.some(matches)) return true;
  return include.some(matches) && !exclude.some(matches);
}

/**
 * In TypeScript's notation: a folder stands for all that is in it.
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
 * @returns {any} what it has for that, or has from those that it extends
 */
function inherited(project, file, key) {
  const all = [file, ...ancestorsOf(project, file)].map((name) => read(project, name)[key]);
  if (key === 'compilerOptions') return Object.assign({}, ...all.toReversed());
  return all.find((value) => Array.isArray(value));
}

/**
 * @param {string} project
 * @param {string} file
 * @returns {string[]} the configurations that it extends, the nearest first
 */
function ancestorsOf(project, file) {
  const found = new Set([file]);
  // A set takes what is added while it is gone through.
  for (const one of found) {
    for (const parent of [read(project, one).extends ?? []].flat()) {
      const isFile = String(parent).startsWith('.');
      found.add(
        isFile ? asFile(project, posix.join(dirname(one), parent)) : packaged(project, parent),
      );
    }
  }
  return [...found].slice(1);
}

/**
 * @param {string} project
 * @param {string} name - of a package, or of a file in one
 * @returns {string}
 */
function packaged(project, name) {
  const path = `node_modules/${name}`;
  const isIn = existsSync(join(project, path)) || dirname(project) === project;
  return isIn ? asFile(project, path) : posix.join('..', packaged(dirname(project), name));
}

/**
 * @param {string} project
 * @param {string} path - of a configuration, with its extension or without, or of a folder that has one
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
