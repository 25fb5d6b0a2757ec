/** Command lines that are shown to be copied. */

/**
 * @param {string} text
 * @returns {string} it as one word
 */
export function quoted(text) {
  return /^[\p{L}\p{N}_@%+=:,./\\#-]+$/u.test(text) ? text : JSON.stringify(text);
}
