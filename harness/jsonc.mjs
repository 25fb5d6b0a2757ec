/** JSON with comments and closing commas, as wrangler's configuration is. Imports node: only. */
import { readFileSync } from 'node:fs';

/** What is in quotes stays as it is. */
const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\//g;
const CLOSING_COMMAS = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

/**
 * @param {string} text
 * @returns {any}
 */
export function parseJsonc(text) {
  return JSON.parse(text.replaceAll(COMMENTS, '$1').replaceAll(CLOSING_COMMAS, '$1'));
}

/**
 * @param {string} path
 * @returns {any}
 */
export function readJsonc(path) {
  return parseJsonc(readFileSync(path, 'utf8'));
}
