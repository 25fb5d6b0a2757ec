/** Adds bindings to the list `bindings` in the options of a call of `routeDORequest`. */
import { addToList, insertInto } from '../text/insertions.mjs';
import { tokensOf } from '../text/tokens.mjs';

/** @typedef {import('../text/tokens.mjs').Token} Token */

/**
 * @param {string} text - the text of a module
 * @param {string[]} names - the names of bindings
 * @param {string} quote
 * @returns {string | undefined} the new text, which is unchanged if clients can reach all bindings; undefined if the
 *   place is not certain
 */
export function withBindings(text, names, quote) {
  return names.reduce((/** @type {string | undefined} */ before, name) => {
    const lists = callsIn(tokensOf(before ?? '') ?? []).map((call) => listIn(call));
    if (before === undefined || lists.length === 0) return undefined;
    if (lists.every((one) => one === 'all')) return before;
    const [list] = lists;
    if (lists.length > 1 || !list || typeof list === 'string') return undefined;
    if (list.items.some(({ start, end }) => before.slice(start + 1, end - 1) === name))
      return before;
    return insertInto(
      before,
      addToList(before, list, () => quote + name + quote),
    );
  }, text);
}

/**
 * @param {Token[]} tokens
 * @returns {Token[][]} the calls: the tokens from the opening bracket to the closing one
 */
export function callsIn(tokens) {
  return tokens.flatMap(({ text }, i) => {
    const isCall = text === 'routeDORequest' && tokens[i + 1]?.text === '(';
    return isCall ? [bracketed(tokens, i + 1)] : [];
  });
}

/**
 * @param {Token[]} tokens
 * @param {number} open - the index of an opening bracket
 * @returns {Token[]} the tokens from the opening bracket to the closing bracket
 */
function bracketed(tokens, open) {
  const close = tokens.findIndex(({ depth }, i) => i > open && depth === tokens[open]?.depth);
  return tokens.slice(open, close + 1);
}

/**
 * @param {Token[]} brackets
 * @returns {Token[][]} the tokens between the commas in a pair of brackets
 */
export function partsOf([open, ...inside]) {
  /** @type {Token[][]} */
  const parts = [[]];
  for (const token of inside.slice(0, -1)) {
    if (token.text === ',' && token.depth === (open?.depth ?? 0) + 1) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter(({ length }) => length > 0);
}

/**
 * @param {Token[]} call
 * @returns {import('../text/insertions.mjs').List | 'all' | 'unknown'} `all` if the call names no bindings
 */
export function listIn(call) {
  const [, , options] = partsOf(call);
  if (!options) return 'all';
  if (options[0]?.text !== '{' || bracketed(options, 0).length < options.length) return 'unknown';
  const properties = partsOf(options);
  const named = properties.find(([key]) => key?.text.replaceAll(/['"]/g, '') === 'bindings');
  // A spread, or a computed name, may hide the property.
  if (!named) return properties.some(([key]) => /^[.[]/.test(key?.text ?? '')) ? 'unknown' : 'all';
  const [, colon, ...value] = named;
  const list = value[0]?.text === '[' ? bracketed(value, 0) : [];
  const [open, close] = [list[0], list.at(-1)];
  if (colon?.text !== ':' || !open || !close || list.length < value.length) return 'unknown';
  const items = partsOf(list).map((part) => ({
    start: part[0]?.start ?? 0,
    end: part.at(-1)?.end ?? 0,
  }));
  return { start: open.start, end: close.end, items };
}
