/** Extends TOML: `wrangler.toml`. */
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { addToList, afterMark, insertInto, withoutMark } from './insertions.mjs';

/** @typedef {import('toml-eslint-parser').AST.TOMLKeyValue} KeyValue */
/** @typedef {import('toml-eslint-parser').AST.TOMLTable} Table */
/** @typedef {Extract<KeyValue['value'], { type: 'TOMLArray' }>} List */
/** @typedef {import('./jsonc.mjs').Json} Json */

/**
 * @param {string} text
 * @returns {any} undefined if the text is not valid TOML
 */
export function valueOf(text) {
  const program = parsed(text);
  return program && getStaticTOMLValue(program);
}

/**
 * @param {string} text
 * @param {string[]} path - of a list, which is created if there is none
 * @param {Json} item
 * @returns {string | undefined} undefined if the text is not valid TOML
 */
export function appendTo(text, path, item) {
  const program = parsed(text);
  if (!program) return undefined;
  const [{ body }] = program.body;
  const tables = body.filter((node) => node.type === 'TOMLTable');
  const top = body.filter((node) => node.type === 'TOMLKeyValue');
  const list = listAt(path, [
    { prefix: [], pairs: top },
    ...tables.map(({ resolvedKey, body: pairs }) => ({ prefix: resolvedKey, pairs })),
  ]);
  if (list) {
    const items = list.elements.map(({ range: [start, end] }) => ({ start, end }));
    const [start, end] = list.range;
    const added = addToList(text, { start, end, items }, 'toml', () => inline(item));
    return insertInto(text, added);
  }
  if (typeof item !== 'object') return appendKey(text, path, [item], top.at(-1));
  // The table goes after the last one with this path, including its subtables. Otherwise it goes to the
  // end, where a table is always allowed.
  const last = tables.findLast(({ resolvedKey }) => path.every((key, i) => resolvedKey[i] === key));
  const pairs = Object.entries(item).map(([key, value]) => `${key} = ${inline(value)}`);
  const table = [`[[${path.join('.')}]]`, ...pairs].join('\n');
  if (last) return insertInto(text, [{ at: endOfLine(text, last.range[1]), text: `\n\n${table}` }]);
  const [before, after] = text.endsWith('\n') ? ['\n', '\n'] : ['\n\n', ''];
  return insertInto(text, [{ at: text.length, text: `${before}${table}${after}` }]);
}

/** @param {string} text */
function parsed(text) {
  try {
    return parseTOML(withoutMark(text));
  } catch {
    return undefined;
  }
}

/**
 * @param {string[]} path
 * @param {{ prefix: (string | number)[], pairs: KeyValue[] }[]} groups
 * @returns {List | undefined}
 */
function listAt(path, groups) {
  for (const { prefix, pairs } of groups) {
    for (const { key, value } of pairs) {
      const names = key.keys.map((node) => (node.type === 'TOMLBare' ? node.name : node.value));
      const full = [...prefix, ...names];
      if (full.some((name, i) => name !== path[i])) continue;
      if (full.length === path.length && value.type === 'TOMLArray') return value;
      const isInline = value.type === 'TOMLInlineTable';
      const inside = isInline && listAt(path, [{ prefix: full, pairs: value.body }]);
      if (inside) return inside;
    }
  }
  return undefined;
}

/**
 * Adds a top-level key. It has to come before the first table.
 *
 * @param {string} text
 * @param {string[]} path
 * @param {Json} value
 * @param {KeyValue} [last]
 */
function appendKey(text, path, value, last) {
  const pair = `${path.join('.')} = ${inline(value)}`;
  if (!last) return insertInto(text, [{ at: afterMark(text), text: `${pair}\n` }]);
  return insertInto(text, [{ at: endOfLine(text, last.range[1]), text: `\n${pair}` }]);
}

/**
 * @param {string} text
 * @param {number} from
 */
function endOfLine(text, from) {
  const [rest = ''] = /.*/.exec(text.slice(from)) ?? [];
  return from + rest.length;
}

/**
 * @param {Json} value
 * @returns {string}
 */
function inline(value) {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${key} = ${inline(inner)}`);
  return `{ ${pairs.join(', ')} }`;
}
