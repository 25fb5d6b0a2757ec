/**
 * Names of files in the published package. npm leaves a `.gitignore` out of a package, and renames a `.gitignore`
 * that it finds in a package, so the file has another name there. npm leaves out `.npmrc`, too. The
 * template has no `.npmrc`, because that file can contain a token.
 */

/**
 * @param {string} path - a path in the template
 * @returns {string} in the package
 */
export function publishedPath(path) {
  return path.replace(/(^|\/)\.gitignore$/, '$1_gitignore');
}

/**
 * @param {string} path - a path in the package
 * @returns {string} in a project
 */
export function projectPath(path) {
  return path.replace(/(^|\/)_gitignore$/, '$1.gitignore');
}
