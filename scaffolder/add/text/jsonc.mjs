/** Extends JSON with comments and trailing commas: `wrangler.jsonc`, `tsconfig.json`, `package.json`. */
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { withoutMark } from './file-text.mjs';
import { addToList, indentationOf, insertInto } from './insertions.mjs';

/** @typedef {import('jsonc-parser').Node} Node */
/** @typedef {string | number | boolean | Json[] | { [key: string]: Json }} Json */

/**
 * @param {string} text
 * @returns {any} undefined if the text is not a JSON object
 */
export function valueOf(text) {
  const root = rootOf(text);
  return root && getNodeValue(root);
}

/**
 * @param {string} text
 * @param {string[]} path - the path of a list, which is created if there is none
 * @param {Json} item
 * @returns {string | undefined} undefined if the text is not a JSON object, or another value is in the
 *   way
 */
export function appendTo(text, path, item) {
  const root = rootOf(text);
  const node = root && findNodeAtLocation(root, path);
  if (!node) return setProperty(text, path, [item]);
  if (node.type !== 'array') return undefined;
  const list = listOf(node);
  const isSpread =
    list.items.length > 0 &&
    list.items.every(({ start, end }) => text.slice(start, end).includes('\n'));
  return insertInto(
    text,
    addToList(text, list, (indentation, isOneLine) =>
      render(item, isOneLine ? undefined : { indentation, unit: indentationOf(text), isSpread }),
    ),
  );
}

/**
 * Adds a property, at its alphabetical place if the other properties are in order. Otherwise it goes
 * before the property `before`, or to the end.
 *
 * @param {string} text
 * @param {string[]} path - the path of a property that does not exist; missing objects above it are created
 * @param {Json} value
 * @param {string} [before]
 * @returns {string | undefined} undefined if the text is not a JSON object, or another value is in the
 *   way
 */
export function setProperty(text, path, value, before) {
  const root = rootOf(text);
  if (!root) return undefined;
  const depth = path.findIndex((_, i) => !findNodeAtLocation(root, path.slice(0, i + 1)));
  const parent = findNodeAtLocation(root, path.slice(0, depth));
  if (parent?.type !== 'object') return undefined;
  const [key = '', ...below] = path.slice(depth);
  const added = below.reduceRight((inner, name) => ({ [name]: inner }), value);
  const property = (/** @type {string} */ indentation, /** @type {boolean} */ isOneLine) => {
    const shape = { indentation, unit: indentationOf(text), isSpread: isScalar(value) };
    return `${JSON.stringify(key)}: ${render(added, isOneLine ? undefined : shape)}`;
  };
  const next = propertyAfter(parent, key, before);
  if (!next) return insertInto(text, addToList(text, listOf(parent), property));
  const line = text.slice(text.lastIndexOf('\n', next.offset) + 1, next.offset);
  const isOneLine = /\S/.test(line);
  const inserted = `${property(line, isOneLine)},${isOneLine ? ' ' : `\n${line}`}`;
  return insertInto(text, [{ at: next.offset, text: inserted }]);
}

/**
 * @param {string[]} path
 * @param {Json} value
 * @returns {string} both on one line, to show
 */
export function shown(path, value) {
  return `${path.join('.')}: ${JSON.stringify(value)}`;
}

/** @param {string} text */
function rootOf(text) {
  /** @type {import('jsonc-parser').ParseError[]} */
  const errors = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true });
  return errors.length === 0 && root?.type === 'object' ? root : undefined;
}

/**
 * @param {Node} parent
 * @param {string} key
 * @param {string} [before]
 * @returns {Node | undefined} the property before which the key belongs
 */
function propertyAfter({ children = [] }, key, before) {
  const keys = children.map(({ children: [name] = [] }) => String(name?.value));
  const isOrdered = keys.length > 1 && keys.every((name, i) => (keys[i - 1] ?? '') < name);
  const inOrder = keys.findIndex((name) => isOrdered && name > key);
  return children[inOrder] ?? children[keys.findIndex((name) => name === before)];
}

/** @param {Node} node */
function listOf({ offset, length, children = [] }) {
  const items = children.map((child) => ({
    start: child.offset,
    end: child.offset + child.length,
  }));
  return { start: offset, end: offset + length, items };
}

/**
 * Formats a value as people write it: an object or a list of plain values goes on one line, unless
 * `isSpread` is set.
 *
 * @param {Json} value
 * @param {{ indentation: string, unit: string, isSpread: boolean }} [shape] - without it, everything
 *   goes on one line
 * @returns {string}
 */
function render(value, shape) {
  if (isScalar(value)) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const isPlain = Object.values(value).every((one) => [one].flat().every(isScalar));
  const inner =
    shape && (shape.isSpread || !isPlain)
      ? { ...shape, indentation: shape.indentation + shape.unit }
      : undefined;
  const items = Object.entries(value).map(([key, item]) => {
    return isList ? render(item, inner) : `${JSON.stringify(key)}: ${render(item, inner)}`;
  });
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  if (!shape || !inner) return `${open}${items.join(', ')}${close}`;
  const next = `\n${inner.indentation}`;
  return `${open.trim()}${next}${items.join(`,${next}`)}\n${shape.indentation}${close.trim()}`;
}

/** @param {unknown} value */
function isScalar(value) {
  return typeof value !== 'object';
}
