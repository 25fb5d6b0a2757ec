/** Texts of files whose encoding nobody knows. They stay as they are, byte for byte, where they are not changed. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * @param {string} file
 * @returns {string | undefined} one character for each byte, so that any encoding stays unchanged;
 *   undefined if there is no file
 */
export function readText(file) {
  return existsSync(file) ? readFileSync(file, 'latin1') : undefined;
}

/**
 * @param {string} text
 * @param {string} [model]
 * @returns {string} the text with the line ends of the model
 */
export function withLineEnds(text, model = '') {
  const lines = text.replaceAll('\r\n', '\n');
  return model.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
}

/**
 * @param {string} text - as `readText` returns it
 * @returns {string} the text to show, without a byte order mark
 */
export function decoded(text) {
  return new TextDecoder().decode(Buffer.from(text, 'latin1'));
}
