/**
 * Lists the files of a folder that belong to the template: all that `.gitignore` does not exclude,
 * except lock files. So a clone with dependencies, builds, local state and secrets gives the same project
 * as the published package.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Not part of the template: the user's package manager writes its own lock file. */
const LOCK_FILE =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/**
 * @param {string} folder
 * @returns {{ source: string, path: string, isLink: boolean }[]} for each file its location, and its
 *   path in a project; a link counts as a file, also if its target is a folder
 */
export function templateFiles(folder) {
  const ignoreFile = join(folder, '.gitignore');
  const rules = existsSync(ignoreFile) ? parseIgnoreRules(readFileSync(ignoreFile, 'utf8')) : [];

  /** @type {ReturnType<typeof templateFiles>} */
  const files = [];
  const walk = (/** @type {string} */ parent) => {
    for (const entry of readdirSync(`${folder}/${parent}`, { withFileTypes: true })) {
      const path = parent + entry.name;
      if (entry.name === '.git' || LOCK_FILE.test(entry.name)) continue;
      if (isIgnored(rules, path, entry.isDirectory())) continue;
      if (entry.isDirectory()) walk(`${path}/`);
      else files.push({ source: `${folder}/${path}`, path, isLink: entry.isSymbolicLink() });
    }
  };
  walk('');
  return files;
}

/** @typedef {{ pattern: RegExp, ignore: boolean, directories: boolean }} IgnoreRule */

/**
 * Supports the part of git's syntax that a template needs: names, paths, `*`, a closing `/` and `!`.
 *
 * @param {string} text
 * @returns {IgnoreRule[]}
 */
function parseIgnoreRules(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const name = line.replace(/^!/, '').replace(/\/$/, '');
      // A pattern with a slash before its end is relative to the folder of the ignore file.
      const start = name.includes('/') ? '^' : '(?:^|/)';
      const glob = name.replace(/^\//, '').replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
      return {
        pattern: new RegExp(`${start}${glob.replaceAll('*', '[^/]*')}$`),
        ignore: !line.startsWith('!'),
        directories: line.endsWith('/'),
      };
    });
}

/**
 * @param {IgnoreRule[]} rules
 * @param {string} path
 * @param {boolean} isDirectory
 */
function isIgnored(rules, path, isDirectory) {
  // As in git, the last rule that matches decides.
  const rule = rules.findLast(
    ({ pattern, directories }) => pattern.test(path) && (isDirectory || !directories),
  );
  return rule?.ignore ?? false;
}
