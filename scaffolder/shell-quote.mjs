/** Quotes arguments in command lines that the user copies. */

/**
 * @param {string} text
 * @returns {string} the text as one word of a command line
 */
export function quoted(text) {
  return /^[\p{L}\p{N}_@%+=:,./\\#-]+$/u.test(text) ? text : JSON.stringify(text);
}
