/** Extends TOML: `wrangler.toml`. */
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { afterMark, withoutMark } from './file-text.mjs';
import { addToList, insertInto } from './insertions.mjs';

/** @typedef {import('toml-eslint-parser').AST.TOMLKeyValue} KeyValue */
/** @typedef {import('toml-eslint-parser').AST.TOMLTable} Table */
/** @typedef {import('toml-eslint-parser').AST.TOMLArray} List */
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
  const list = listAt(path, body);
  if (list) {
    const items = list.elements.map(({ range: [start, end] }) => ({ start, end }));
    const [start, end] = list.range;
    return insertInto(
      text,
      addToList(text, { start, end, items }, () => inline(item)),
    );
  }
  if (typeof item !== 'object') {
    // A key outside of all tables has to come before the first of them.
    const last = body.findLast((node) => node.type === 'TOMLKeyValue');
    const pair = `${path.join('.')} = ${inline([item])}`;
    const insertion = last
      ? { at: endOfLine(text, last), text: `\n${pair}` }
      : { at: afterMark(text), text: `${pair}\n` };
    return insertInto(text, [insertion]);
  }
  const pairs = Object.entries(item).map(([key, value]) => `${key} = ${inline(value)}`);
  const table = [`[[${path.join('.')}]]`, ...pairs].join('\n');
  // The table goes after the last one with this path, including its subtables. Otherwise it goes to the
  // end, where a table is always allowed.
  const last = body.findLast(
    (node) => node.type === 'TOMLTable' && path.every((key, i) => node.resolvedKey[i] === key),
  );
  if (last) return insertInto(text, [{ at: endOfLine(text, last), text: `\n\n${table}` }]);
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
 * @param {string[]} path - relative to the nodes
 * @param {(KeyValue | Table)[]} nodes
 * @returns {List | undefined}
 */
function listAt(path, nodes) {
  for (const node of nodes) {
    const isTable = node.type === 'TOMLTable';
    const keys = isTable ? node.resolvedKey : getStaticTOMLValue(node.key);
    if (keys.some((key, i) => key !== path[i])) continue;
    const value = isTable ? node : node.value;
    const below = path.slice(keys.length);
    if (value.type === 'TOMLArray' && below.length === 0) return value;
    const list = 'body' in value && listAt(below, value.body);
    if (list) return list;
  }
  return undefined;
}

/**
 * @param {string} text
 * @param {KeyValue | Table} node
 * @returns {number} the end of the line on which the node ends
 */
function endOfLine(text, { range: [, end] }) {
  return end + (/.*/.exec(text.slice(end))?.[0].length ?? 0);
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
