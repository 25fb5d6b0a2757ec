/**
 * Lists the files of a folder that belong to the template: all that `.gitignore` files do not exclude,
 * except lock files. So a clone with dependencies, builds, local state and secrets gives the same project
 * as the published package.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import ignore from 'ignore';

/** Lock files are not part of the template, because the user's package manager writes its own. */
const LOCK_FILE =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/**
 * @param {string} folder
 * @param {boolean} [isInRepository] - whether the rules of the repository around the folder count too
 * @returns {{ source: string, path: string, isLink: boolean }[]} the location of each file, and its
 *   path in a project; a link counts as a file, even if its target is a folder
 */
export function templateFiles(folder, isInRepository = false) {
  /** @type {ReturnType<typeof templateFiles>} */
  const files = [];
  const walk = (/** @type {string} */ parent, /** @type {Rules[]} */ above) => {
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
 * @param {string} path - the path of a folder in it, relative to it
 * @returns {boolean} whether git leaves it out
 */
export function isIgnoredFolder(project, path) {
  const rules = [...rulesAround(project), ...rulesIn(project, (one) => one)];
  const way = path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/'));
  return way.some((folder) => isIgnored(rules, folder, true));
}

/**
 * @typedef {object} Rules - of one `.gitignore`
 * @property {import('ignore').Ignore} file
 * @property {(path: string) => string} relativePath - turns a path in the template into a path in the file's folder
 */

/**
 * @param {string} folder - the folder of the template
 * @returns {Rules[]} the rules of the folders above it, up to the repository that contains it
 */
function rulesAround(folder) {
  /** @type {Rules[]} */
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
 * @param {Rules['relativePath']} relativePath
 * @returns {Rules[]}
 */
function rulesIn(folder, relativePath) {
  const path = join(folder, '.gitignore');
  if (!existsSync(path)) return [];
  const file = ignore({ ignorecase: false }).add(readFileSync(path, 'utf8'));
  return [{ file, relativePath }];
}

/**
 * @param {Rules[]} rules - the rules of the folders above come first
 * @param {string} path
 * @param {boolean} isDirectory
 */
function isIgnored(rules, path, isDirectory) {
  // The nearest file with a rule that matches decides, as in git.
  for (const { file, relativePath } of rules.toReversed()) {
    const { ignored, unignored } = file.test(`${relativePath(path)}${isDirectory ? '/' : ''}`);
    if (ignored || unignored) return ignored;
  }
  return false;
}
