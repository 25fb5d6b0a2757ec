/**
 * Lists the files of a folder that belong to the template: all that `.gitignore` files do not exclude,
 * except lock files. So a clone with dependencies, builds, local state and secrets gives the same project
 * as the published package.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Not part of the template: the user's package manager writes its own lock file. */
const LOCK_FILE =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/** A part of an ignore rule: a wildcard, a set of characters, an escaped character, or a character. */
const PART = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[[!^]?(?:\w-\w|[\w.+~])+\]|\\.|[^]/g;

/**
 * @param {string} folder
 * @param {boolean} [isInRepository] - whether the rules of the repository around the folder count too
 * @returns {{ source: string, path: string, isLink: boolean }[]} for each file its location, and its
 *   path in a project; a link counts as a file, also if its target is a folder
 */
export function templateFiles(folder, isInRepository = false) {
  /** @type {ReturnType<typeof templateFiles>} */
  const files = [];
  const walk = (/** @type {string} */ parent, /** @type {IgnoreRule[]} */ above) => {
    const own = rulesIn(`${folder}/${parent}`, (path) => path.slice(parent.length));
    const rules = [...above, ...own];
    for (const entry of readdirSync(`${folder}/${parent}`, { withFileTypes: true })) {
      const path = parent + entry.name;
      if (entry.name === '.git' || LOCK_FILE.test(entry.name)) continue;
      if (isIgnored(rules, path, entry.isDirectory())) continue;
      if (entry.isDirectory()) walk(`${path}/`, rules);
      else files.push({ source: `${folder}/${path}`, path, isLink: entry.isSymbolicLink() });
    }
  };
  walk('', isInRepository ? rulesAround(folder) : []);
  return files;
}

/**
 * @param {string} project
 * @param {string} path - of a folder in it, relative to it
 * @returns {boolean} whether git leaves it out
 */
export function isIgnoredFolder(project, path) {
  const rules = [...rulesAround(project), ...rulesIn(project, (one) => one)];
  const way = path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/'));
  return way.some((folder) => isIgnored(rules, folder, true));
}

/**
 * @typedef {object} IgnoreRule
 * @property {(path: string) => boolean} matches - the path is relative to the template
 * @property {boolean} ignore
 * @property {boolean} directories - whether it applies only to directories
 */

/**
 * @param {string} folder - of the template
 * @returns {IgnoreRule[]} the rules of the folders above it, up to the repository that contains it
 */
function rulesAround(folder) {
  /** @type {IgnoreRule[]} */
  const rules = [];
  let [place, way] = [resolve(folder), ''];
  while (!existsSync(join(place, '.git'))) {
    const parent = dirname(place);
    // Without a repository, nothing says which folders above belong to the template.
    if (parent === place) return [];
    const from = `${basename(place)}/${way}`;
    [place, way] = [parent, from];
    rules.unshift(...rulesIn(place, (path) => from + path));
  }
  // A template that is ignored as a whole was put there on purpose.
  return isIgnored(rules, 'package.json', false) ? [] : rules;
}

/**
 * @param {string} folder
 * @param {(path: string) => string} relativePath - from one in the template to one in the folder
 * @returns {IgnoreRule[]}
 */
function rulesIn(folder, relativePath) {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const pattern = patternOf(line.replace(/^!/, '').replace(/\/$/, ''));
      return {
        matches: (path) => pattern.test(relativePath(path)),
        ignore: !line.startsWith('!'),
        directories: line.endsWith('/'),
      };
    });
}

/**
 * Supports git's syntax, except classes such as `[[:alpha:]]` and spaces at the end of a name.
 *
 * @param {string} rule
 */
function patternOf(rule) {
  // A rule with a slash before its end is relative to the folder of the ignore file.
  const start = rule.includes('/') ? '^' : '(?:^|/)';
  const glob = rule.replace(/^\//, '').replaceAll(PART, (part, /** @type {number} */ at) => {
    if (part === '**/' && at === 0) return '(?:.*/)?';
    if (part === '/**/') return '/(?:.*/)?';
    if (part === '/**') return '/.+';
    if (part.startsWith('*')) return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.startsWith('[')) return part.replace('[!', '[^');
    return part.replace(/^\\(?=.)/, '').replace(/[.+?*^${}()|[\]\\]/, String.raw`\$&`);
  });
  try {
    return new RegExp(`${start}${glob}$`);
  } catch {
    // Nobody means a range such as `[z-a]`.
    return /(?!)/;
  }
}

/**
 * @param {IgnoreRule[]} rules
 * @param {string} path
 * @param {boolean} isDirectory
 */
function isIgnored(rules, path, isDirectory) {
  // As in git, the last rule that matches decides.
  const rule = rules.findLast(
    ({ matches, directories }) => (isDirectory || !directories) && matches(path),
  );
  return rule?.ignore ?? false;
}
