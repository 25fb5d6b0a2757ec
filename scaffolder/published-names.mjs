/**
 * npm leaves a `.gitignore` out of a package, and renames one that it finds in a package, so it goes
 * by another name there. A `.npmrc`, which npm leaves out too, can hold a token: the template has none.
 */

/**
 * @param {string} path - in the template
 * @returns {string} in the package
 */
export function publishedPath(path) {
  return path.replace(/(^|\/)\.gitignore$/, '$1_gitignore');
}

/**
 * @param {string} path - in the package
 * @returns {string} in a project
 */
export function projectPath(path) {
  return path.replace(/(^|\/)_gitignore$/, '$1.gitignore');
}
