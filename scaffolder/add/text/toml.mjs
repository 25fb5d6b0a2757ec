/** Extends TOML: `wrangler.toml`. */
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { afterMark, withoutMark } from './file-text.mjs';
import { addToList, insertInto } from './insertions.mjs';

/** @typedef {import('toml-eslint-parser').AST.TOMLKeyValue} KeyValue */
/** @typedef {import('toml-eslint-parser').AST.TOMLTable} Table */
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
 * @param {string[]} path - the path of a list, which is created if there is none
 * @param {Json} item
 * @returns {string | undefined} undefined if the text is not valid TOML
 */
export function appendTo(text, path, item) {
  const program = parsed(text);
  if (!program) return undefined;
  const [{ body }] = program.body;
  const list = valueAt(path, body);
  if (list?.type === 'TOMLArray') {
    return withItem(text, list, list.elements, inline(item));
  }
  if (typeof item !== 'object') {
    // A key outside of all tables has to come before the first table.
    const last = body.findLast((node) => node.type === 'TOMLKeyValue');
    const line = pair(path, [item]);
    const insertion = last
      ? { at: endOfLine(text, last), text: `\n${line}` }
      : { at: afterMark(text), text: `${line}\n` };
    return insertInto(text, [insertion]);
  }
  return withTable(text, body, path, shown(path, item, true));
}

/**
 * @param {string} text
 * @param {{ range: [number, number] }} list - a list or an inline table
 * @param {readonly { range: [number, number] }[]} nodes - the items of the list
 * @param {string} item
 * @returns {string} the text with one more item
 */
function withItem(text, { range: [start, end] }, nodes, item) {
  const items = nodes.map(({ range: [from, to] }) => ({ start: from, end: to }));
  return insertInto(
    text,
    addToList(text, { start, end, items }, () => item),
  );
}

/**
 * Sets a property of a table, in the form that the other properties of the table have: in an inline table, by lines
 * of the table, by dotted keys, or by a table for each.
 *
 * @param {string} text
 * @param {string[]} path - the path of a property that does not exist
 * @param {Record<string, string>} value
 * @returns {string | undefined} undefined if the text is not valid TOML
 */
export function setProperty(text, path, value) {
  const program = parsed(text);
  if (!program) return undefined;
  const [{ body }] = program.body;
  const [above, name] = [path.slice(0, -1), path.slice(-1)];
  const table = valueAt(above, body);
  if (table?.type === 'TOMLInlineTable') {
    const [start, end] = table.range;
    const own = pair(name, value);
    if (table.body.length === 0)
      return insertInto(text, [{ at: start + 1, end: end - 1, text: ` ${own} ` }]);
    return withItem(text, table, table.body, own);
  }
  const header = body.find((node) => node.type === 'TOMLTable' && isAt(above, node.resolvedKey));
  if (header) {
    // Dotted keys may put several lines between the last property and the end of the table.
    return insertInto(text, [{ at: endOfLine(text, header), text: `\n${pair(name, value)}` }]);
  }
  const dotted = body.findLast(
    (node) => node.type === 'TOMLKeyValue' && isBelow(above, getStaticTOMLValue(node.key)),
  );
  if (dotted)
    return insertInto(text, [{ at: endOfLine(text, dotted), text: `\n${pair(path, value)}` }]);
  return withTable(text, body, above, shown(path, value, false));
}

/**
 * @param {string[]} path - the path of a list, or of a property
 * @param {Json} value
 * @param {boolean} isItem - whether the value is an item of a list
 * @returns {string} the text that adds the value at the end of a file
 */
export function shown(path, value, isItem) {
  if (typeof value !== 'object') return pair(path, isItem ? [value] : value);
  const header = isItem ? `[[${keyOf(path)}]]` : `[${keyOf(path)}]`;
  return [header, ...Object.entries(value).map(([key, inner]) => pair([key], inner))].join('\n');
}

/**
 * Adds a table after the last table or subtable below a path. If there is none, the new table goes to the end of the file,
 * where a table is always allowed.
 *
 * @param {string} text
 * @param {(KeyValue | Table)[]} body
 * @param {string[]} path
 * @param {string} table
 * @returns {string}
 */
function withTable(text, body, path, table) {
  const last = body.findLast(
    (node) => node.type === 'TOMLTable' && isBelow(path, node.resolvedKey),
  );
  if (last) return insertInto(text, [{ at: endOfLine(text, last), text: `\n\n${table}` }]);
  const [before, after] = text.endsWith('\n') ? ['\n', '\n'] : ['\n\n', ''];
  return insertInto(text, [{ at: text.length, text: `${before}${table}${after}` }]);
}

/**
 * @param {string[]} path
 * @param {(string | number)[]} key
 */
function isBelow(path, key) {
  return path.every((name, i) => key[i] === name);
}

/**
 * @param {string[]} path
 * @param {(string | number)[]} key
 */
function isAt(path, key) {
  return key.length === path.length && isBelow(path, key);
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
 * @returns {KeyValue['value'] | undefined} the value that a key gives to the path
 */
function valueAt(path, nodes) {
  for (const node of nodes) {
    const isTable = node.type === 'TOMLTable';
    const keys = isTable ? node.resolvedKey : getStaticTOMLValue(node.key);
    if (keys.some((key, i) => key !== path[i])) continue;
    const value = isTable ? node : node.value;
    const below = path.slice(keys.length);
    if (below.length === 0 && value.type !== 'TOMLTable') return value;
    const found = 'body' in value && valueAt(below, value.body);
    if (found) return found;
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
 * @param {string[]} path
 * @returns {string} a dotted key, in quotes where it needs them
 */
function keyOf(path) {
  return path.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.');
}

/**
 * @param {string[]} path
 * @param {Json} value
 * @returns {string} both on one line
 */
function pair(path, value) {
  return `${keyOf(path)} = ${inline(value)}`;
}

/**
 * @param {Json} value
 * @returns {string}
 */
function inline(value) {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, inner]) => pair([key], inner));
  return `{ ${pairs.join(', ')} }`;
}
