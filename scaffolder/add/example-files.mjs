/** Places the files of an example in a project, and adapts their imports and names to it. */
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { filesOf } from '../examples.mjs';
import { decoded, readText } from './text/file-text.mjs';
import { valueOf } from './text/jsonc.mjs';

/** @typedef {import('../examples.mjs').Example} Example */

const SPEC = /\.spec\.[cm]?tsx?$/;
const TEST_FOLDERS = ['test', 'tests', '__tests__'];
const IMPORT = /\b(from\s+|import\s+|import\()(['"])(\.{1,2}\/[^'"]+)\2/g;
/** Matches the import of an object of the template. The example `counter` imports its object from there. */
const TEMPLATE = /^(?:\.\.\/)+template\//;

/**
 * @typedef {object} Place - the places of an example's files in a project, and the facts that decide which files the
 *   project gets
 * @property {string} sources - the folder of the main file
 * @property {'.ts' | '.js' | ''} extension - the extension of the project's own files in imports
 * @property {boolean} isOurs - whether this program made the project
 * @property {boolean} hasPage - whether its pages are the plain pages of the template
 * @property {boolean} hasUi - whether its page is the React page of this package
 * @property {string} tests - the folder of its tests
 * @property {boolean} isSpec - whether the names of tests have `.spec`
 */

/**
 * @param {string} project
 * @param {string} main - the path of its main file
 * @param {Place['extension']} extension
 * @returns {Place}
 */
export function placeIn(project, main, extension) {
  const has = (/** @type {string} */ path) => existsSync(join(project, path));
  const sources = posix.dirname(main);
  const tests = TEST_FOLDERS.find(has) ?? sources;
  // In a project of Vite's own templates, this configuration includes a single file.
  const inNode = valueOf(readText(join(project, 'tsconfig.node.json')) ?? '')?.include;
  return {
    sources,
    extension,
    isOurs: Array.isArray(inNode) && inNode.includes('*.ts'),
    hasPage: has('src/page/build.mjs'),
    hasUi: has('src/ui/main.tsx') && has('src/ui/clients.ts'),
    tests,
    isSpec: readdirSync(join(project, tests)).some((name) => SPEC.test(name)),
  };
}

/**
 * @param {Example} example
 * @param {import('./names.mjs').Names} names - the names that the example gets in the project
 * @param {Place} place
 * @param {boolean} hasTests - whether the project can run its tests
 * @returns {[path: string, text: string][]} the files that the project gets
 */
export function filesFor(example, names, place, hasTests) {
  const files = [...filesOf(example)].filter(([path]) => isFor(path, place, hasTests));
  return files.map(([path, source]) => {
    const text = readText(source) ?? '';
    return [pathOf(path, names, place), adapted(text, path, names, place)];
  });
}

/**
 * @param {Example} example
 * @param {string} name - the name of a file that is shown, and not copied
 * @param {import('./names.mjs').Names} names
 * @param {Place} place
 * @returns {string | undefined} the file's text, adapted to the project's folder; undefined if there is no such file
 */
export function shownFile(example, name, names, place) {
  const source = filesOf(example).get(name);
  return source && adapted(decoded(readText(source) ?? ''), name, names, place).trimEnd();
}

/**
 * @param {string} path
 * @param {Place} place
 * @param {boolean} hasTests
 */
function isFor(path, { hasPage, hasUi, isOurs }, hasTests) {
  if (path.startsWith('public/') || path.startsWith('src/page/')) return hasPage;
  if (path.startsWith('src/ui/')) return hasUi;
  if (path.startsWith('test/')) return hasTests;
  return path.startsWith('src/') || (isOurs && /^(?!first-)[^/]+\.ts$/.test(path));
}

/**
 * @param {string} path - the path in the example
 * @param {import('./names.mjs').Names} names
 * @param {Place} place
 * @returns {string} path in the project
 */
function pathOf(path, names, { sources, tests, isSpec }) {
  const [, folder = '', file = ''] = /^(src|test)\/([^/]+)$/.exec(path) ?? [];
  const name = names.renamedFile(file);
  if (folder === 'src') return posix.join(sources, name);
  if (folder === 'test')
    return posix.join(tests, isSpec ? name.replace(/\.test\.ts$/, '.spec.ts') : name);
  return path;
}

/**
 * @param {string} text
 * @param {string} path - the path of its file in the example
 * @param {import('./names.mjs').Names} names
 * @param {Place} place
 */
function adapted(text, path, names, place) {
  const folder = posix.dirname(pathOf(path, names, place));
  const imported = text.replaceAll(IMPORT, (_, before, quote, specifier) => {
    const file = posix.join(posix.dirname(path), specifier).replace(TEMPLATE, '');
    const way = posix.relative(folder, pathOf(file, names, place));
    const own = way.startsWith('.') ? way : `./${way}`;
    return before + quote + own.replace(/\.ts$/, place.extension) + quote;
  });
  const renamed = names.renamed(imported);
  if (place.isOurs) return renamed;
  // The default type argument of `DurableObject` is the type of the bindings, which may have another name than `Env`.
  return renamed
    .replaceAll('DurableObject<Env>', 'DurableObject')
    .replaceAll(/(?<=\w: )Env\b/g, 'Cloudflare.Env');
}
