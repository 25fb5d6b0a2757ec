/** Extends JSON with comments and trailing commas: `wrangler.jsonc`, `tsconfig.json`, `package.json`. */
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { addToList, indentationOf, insertInto, withoutMark } from './insertions.mjs';

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
 * @param {string[]} path - of a list, which is created if there is none
 * @param {Json} item
 * @returns {string | undefined} undefined if the text is not a JSON object, or another value is in the
 *   way
 */
export function appendTo(text, path, item) {
  const root = rootOf(text);
  const list = root && findNodeAtLocation(root, path);
  if (!list) return setProperty(text, path, [item]);
  if (list.type !== 'array') return undefined;
  const siblings = list.children ?? [];
  const isSpread =
    siblings.length > 0 && siblings.every((node) => textOf(text, node).includes('\n'));
  return insertInto(
    text,
    addToList(text, listOf(list), 'json', (indentation, isOneLine) =>
      render(item, isOneLine ? undefined : { indentation, unit: indentationOf(text), isSpread }),
    ),
  );
}

/**
 * Adds a property, at its alphabetical place if the other properties are in order. Otherwise it goes
 * before the property `before`, or to the end.
 *
 * @param {string} text
 * @param {string[]} path - of a property that does not exist; missing objects above it are created
 * @param {Json} value
 * @param {string} [before]
 * @returns {string | undefined} undefined if the text is not a JSON object, or another value is in the
 *   way
 */
export function setProperty(text, path, value, before) {
  const root = rootOf(text);
  if (!root) return undefined;
  let depth = path.length - 1;
  while (!findNodeAtLocation(root, path.slice(0, depth))) depth -= 1;
  const parent = findNodeAtLocation(root, path.slice(0, depth));
  if (parent?.type !== 'object') return undefined;
  const [key = '', ...below] = path.slice(depth);
  const added = below.reduceRight((inner, name) => ({ [name]: inner }), value);
  const property = (/** @type {string} */ indentation, /** @type {boolean} */ isOneLine) => {
    const shape = { indentation, unit: indentationOf(text), isSpread: isScalar(value) };
    return `${JSON.stringify(key)}: ${render(added, isOneLine ? undefined : shape)}`;
  };
  const next = nextInOrder(parent, key) ?? propertyOf(parent, before);
  if (!next) return insertInto(text, addToList(text, listOf(parent), 'json', property));
  const [gap = ' '] = /\s*$/.exec(text.slice(0, next.offset)) ?? [];
  const isOneLine = !gap.includes('\n');
  const indentation = gap.slice(gap.lastIndexOf('\n') + 1);
  const inserted = `${property(indentation, isOneLine)},${isOneLine ? ' ' : `\n${indentation}`}`;
  return insertInto(text, [{ at: next.offset, text: inserted }]);
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
 * @returns {Node | undefined} the property before which the key belongs
 */
function nextInOrder({ children = [] }, key) {
  const keys = children.map(({ children: [name] = [] }) => String(name?.value));
  const isOrdered = keys.length > 1 && keys.every((name, i) => (keys[i - 1] ?? '') < name);
  return isOrdered ? children[keys.findIndex((name) => name > key)] : undefined;
}

/**
 * @param {Node} parent
 * @param {string} [key]
 */
function propertyOf({ children = [] }, key) {
  return children.find(({ children: [name] = [] }) => name?.value === key);
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
 * @param {string} text
 * @param {Node} node
 */
function textOf(text, { offset, length }) {
  return text.slice(offset, offset + length);
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
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const isPlain = Object.values(value).every(
    (inner) => typeof inner !== 'object' || (Array.isArray(inner) && inner.every(isScalar)),
  );
  const inner = shape && { ...shape, indentation: shape.indentation + shape.unit };
  const spread = inner && (shape.isSpread || !isPlain) ? inner : undefined;
  const parts = isList
    ? value.map((item) => render(item, spread))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${render(item, spread)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (!shape || !spread) {
    const padding = isList ? '' : ' ';
    return `${open}${padding}${parts.join(', ')}${padding}${close}`;
  }
  const lines = parts.join(`,\n${spread.indentation}`);
  return `${open}\n${spread.indentation}${lines}\n${shape.indentation}${close}`;
}

/** @param {Json} value */
function isScalar(value) {
  return typeof value !== 'object';
}
