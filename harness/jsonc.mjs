/** Parses JSON with comments and trailing commas, such as wrangler's configuration. */
import { readFileSync } from 'node:fs';
import { parse, printParseErrorCode } from 'jsonc-parser';

/**
 * @param {string} text
 * @returns {any}
 * @throws {SyntaxError} at the first place where the text is not JSON
 */
export function parseJsonc(text) {
  /** @type {import('jsonc-parser').ParseError[]} */
  const errors = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    throw new SyntaxError(`${printParseErrorCode(first.error)} at character ${first.offset}`);
  }
  return value;
}

/**
 * @param {string} path
 * @returns {any}
 */
export function readJsonc(path) {
  return parseJsonc(readFileSync(path, 'utf8'));
}
