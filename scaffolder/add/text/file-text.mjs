/** Reads texts of files whose encoding is not known. Bytes that are not changed stay as they are. */
import { existsSync, readFileSync } from 'node:fs';

/** A byte order mark at the beginning, in a text as `readText` returns it. */
const MARK = /^\u00EF\u00BB\u00BF/;

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
 * @returns {string} the text with blanks in place of its byte order mark, so that positions stay the same
 */
export function withoutMark(text) {
  return text.replace(MARK, '   ');
}

/**
 * @param {string} text
 * @returns {number} the position after the byte order mark; 0 if there is none
 */
export function afterMark(text) {
  return MARK.exec(text)?.[0].length ?? 0;
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
 * @param {string} text - the text as `readText` returns it
 * @returns {string} the text to show, without a byte order mark
 */
export function decoded(text) {
  return new TextDecoder().decode(Buffer.from(text, 'latin1'));
}
