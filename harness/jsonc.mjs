/** Parses JSON with comments and trailing commas, such as wrangler's configuration. */
import { readFileSync } from 'node:fs';

/** Group 1 matches a string, which stays unchanged. */
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
