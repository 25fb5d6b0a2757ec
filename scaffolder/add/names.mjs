/** Chooses names for an example's Durable Objects that are free in a project. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../console/failure.mjs';
import { COUNTER } from '../examples.mjs';
import { readText } from './text/file-text.mjs';

/** @typedef {import('../examples.mjs').DurableObject} DurableObject */

/**
 * @typedef {object} Names
 * @property {DurableObject[]} objects
 * @property {(text: string) => string} renamed - replaces the names of the example in a text
 * @property {(file: string) => string} renamedFile - replaces the name of the example in a file's name
 */

/** Matches the extensions that an import can leave out. */
const MODULE = /\.[cm]?[jt]sx?$/;

/** The counter is the only example that can have other names. */
const SECOND = { module: 'rpc-counter', class: 'RpcCounter', binding: 'RPC_COUNTER' };

/**
 * @param {import('../examples.mjs').Example} example
 * @param {string} sources - the folder of the main file
 * @param {string} main - the text of the main file
 * @param {unknown} configuration
 * @param {string} [advice] - advice for a user whose project has the runtime and the example already
 * @returns {Names}
 */
export function chooseNames(example, sources, main, configuration, advice) {
  const isThere = (/** @type {DurableObject} */ { module }) =>
    readText(join(sources, `${module}.ts`))?.includes('lumenizeRpcDO(');
  const candidates = example.name === COUNTER ? [example.objects, [SECOND]] : [example.objects];
  if (advice && candidates.flat().some(isThere)) {
    throw conflict(`The project has lumenize-rpc and the example ${example.name} already.`, advice);
  }
  const modules = new Set(readdirSync(sources).map((name) => name.replace(MODULE, '')));
  const words = new Set([...wordsOf(configuration), ...(main.match(/\w+/g) ?? [])]);
  const takenOf = (/** @type {DurableObject[]} */ objects) =>
    objects.flatMap(({ module, class: name, binding }) => [
      ...[name, `${name}Impl`, binding].filter((word) => words.has(word)),
      ...(modules.has(module) ? [`${module}.ts`] : []),
    ]);
  const free = candidates.find((objects) => takenOf(objects).length === 0);
  if (free) return namesOf(free, free === example.objects);
  throw conflict(
    `The project uses ${candidates.flatMap((one) => takenOf(one)[0] ?? []).join(' and ')} already, and the example needs a name that is free.`,
    'Rename one of them.',
  );
}

/**
 * @param {DurableObject[]} objects
 * @param {boolean} isFirst - whether the names are the example's own names
 * @returns {Names}
 */
function namesOf(objects, isFirst) {
  if (isFirst) return { objects, renamed: (text) => text, renamedFile: (file) => file };
  return {
    objects,
    renamed: (text) =>
      text
        .replaceAll(/\bCounter(?=Impl\b|\b)/g, SECOND.class)
        .replaceAll(/\bCOUNTER\b/g, SECOND.binding),
    renamedFile: (file) => file.replace(/^counter(?=\.)/, SECOND.module),
  };
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
