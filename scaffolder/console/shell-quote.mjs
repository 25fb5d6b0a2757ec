/** Quotes arguments in command lines that the user copies. */

const PLAIN = /^(?!#)[\p{L}\p{N}_@%+=:,./\\#-]+$/u;
/** Characters that the shells of systems other than Windows expand in double quotes. */
const EXPANDED = /[$`!"\\]/;

/**
 * @param {string} text
 * @returns {string} the text as one word of a command line
 */
export function quoted(text) {
  // Windows has no single quotes, and separates folders by backslashes.
  if (process.platform !== 'win32' && EXPANDED.test(text)) {
    return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  }
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

/**
 * @param {string[]} paths
 * @returns {string} the command that removes the files, and the folders with their contents
 */
export function removalOf(paths) {
  const all = paths.map(quoted);
  return process.platform === 'win32'
    ? `Remove-Item -Recurse -Force ${all.join(', ')}`
    : `rm -rf ${all.join(' ')}`;
}
