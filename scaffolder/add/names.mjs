/** Names of the Durable Object in a project: those of the template, or others if these are taken. */
import { readdirSync } from 'node:fs';
import { conflict } from '../console/failure.mjs';

/** @typedef {import('./entry/entry.mjs').Names} Names */

/** The end of a file name that an import without it would find. */
const MODULE = /\.[cm]?[jt]sx?$/;

/** @type {Omit<Names, 'extension'>[]} */
const CANDIDATES = [
  { module: 'counter', className: 'Counter', binding: 'COUNTER' },
  { module: 'rpc-counter', className: 'RpcCounter', binding: 'RPC_COUNTER' },
];

/**
 * @param {string} sources - the folder of the main file
 * @param {string} main - text of that file
 * @param {unknown} configuration
 * @returns {Omit<Names, 'extension'>}
 */
export function chooseNames(sources, main, configuration) {
  const modules = new Set(readdirSync(sources).map((name) => name.replace(MODULE, '')));
  const words = new Set([...wordsOf(configuration), ...(main.match(/\w+/g) ?? [])]);
  const free = CANDIDATES.find(
    ({ module, className, binding }) =>
      ![className, `${className}Impl`, binding].some((name) => words.has(name)) &&
      !modules.has(module),
  );
  if (free) return free;
  const taken = CANDIDATES.map(({ className }) => className).join(' and ');
  throw conflict(
    `The project uses both names, ${taken}, for something else.`,
    'Rename one of them.',
  );
}

/**
 * @param {string} text - a file of the template
 * @param {Names} names
 * @returns {string} the text with these names instead of the template's
 */
export function renamed(text, { className, binding }) {
  return text.replaceAll(/\bCounter(?=Impl\b|\b)/g, className).replaceAll(/\bCOUNTER\b/g, binding);
}

/**
 * A tag for a new migration: like the last one, with the next free number.
 *
 * @param {unknown} migrations - of a configuration
 * @returns {string}
 */
export function freeTag(migrations) {
  const tags = Array.isArray(migrations)
    ? migrations.map((migration) => String(migration?.tag))
    : [];
  const [, before = '', digits = ''] = /^(.*?)(\d+)$/.exec(tags.at(-1) ?? 'v0') ?? [];
  const [start, number] = digits ? [before, Number(digits)] : ['lumenize-rpc-', 0];
  for (let next = number + 1; ; next++) {
    const tag = start + String(next).padStart(digits.length, '0');
    if (!tags.includes(tag)) return tag;
  }
}

/**
 * @param {unknown} value
 * @returns {Generator<string>} all strings and keys in the value
 */
function* wordsOf(value) {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield key;
    yield* wordsOf(inner);
  }
}
