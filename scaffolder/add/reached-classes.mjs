/** Finds the classes that clients can reach, and that the main file gets from modules with a contract. */
import { posix } from 'node:path';
import { callsIn, listIn } from './entry/bindings.mjs';
import { tokensOf } from './text/tokens.mjs';

/** @typedef {import('./entry/http.mjs').Reached} Reached */

const FROM = /\b(import|export)\s*\{([^}]*)\}\s*from\s*(['"])(\.{1,2}\/[^'"]+)\3/g;

/**
 * @param {string} text - the text of the main file
 * @param {string} main - the path of the main file
 * @param {any} configuration
 * @param {(path: string) => string} textAt - returns the text of a file of the project; empty if there is no such file
 * @returns {Reached[]}
 */
export function reachedClasses(text, main, configuration, textAt) {
  const listed = bindingsListed(text);
  const moved = Array.from(text.matchAll(FROM), ([, word, names = '', , from = '']) => ({
    isImported: word === 'import',
    names: names.split(',').map((name) => name.trim()),
    from,
  }));
  const bindings = configuration.durable_objects?.bindings ?? [];
  return bindings.flatMap((/** @type {any} */ { name, class_name: className, script_name }) => {
    const places = moved.filter(({ names }) => names.includes(className));
    const [place] = places;
    if (!place || script_name !== undefined || (listed && !listed.includes(name))) return [];
    const file = posix.join(posix.dirname(main), place.from.replace(/\.[jt]s$/, ''));
    const source = textAt(`${file}.ts`);
    if (!source.includes('lumenizeRpcDO(')) return [];
    const isImported = places.some((one) => one.isImported);
    const hasIncrement = source.includes('increment(');
    return [{ class: className, binding: name, from: place.from, isImported, hasIncrement }];
  });
}

/**
 * @param {string} text
 * @returns {string[] | undefined} the bindings that the call of `routeDORequest` lists; undefined if it lists none
 */
function bindingsListed(text) {
  const [call] = callsIn(tokensOf(text) ?? []);
  const list = call && listIn(call);
  if (!list || typeof list === 'string') return undefined;
  return list.items.map(({ start, end }) => text.slice(start + 1, end - 1));
}
