/** Finds which stored value a call of a Durable Object class reads or writes: the value of a key, or columns of rows. */
import { descendants, isFunction, nameOf, unwrapped, valueOf } from '../tree.js';
import { isField, kindOf } from './storage.js';

const SELECT = /^\s*SELECT\s+(.+?)\s+FROM\s+(\w+)(?:\s+WHERE\s+(.+?))?(?:\s+LIMIT\s+1)?\s*;?\s*$/is;
const UPDATE = /^\s*UPDATE\s+(\w+)\s+SET\s+(.+?)(?:\s+WHERE\s+(.+?))?\s*;?\s*$/is;
/** Matches a query that replaces a row. */
const REPLACE =
  /^\s*(?:INSERT\s+OR\s+REPLACE|REPLACE|INSERT)\s+INTO\s+(\w+)\s*\(([\w\s,]+)\)\s*VALUES\s*\(([?\s,]+)\)(.*)$/is;

/**
 * Returns the stored values that a node reads, as `{ id, columns }`. The node can also call a synchronous method or a
 * getter of the class.
 */
export function storedReads(node, object) {
  const direct = directRead(node, object);
  if (direct) return [direct];
  const own = ownFunction(node, object);
  if (!own || own.async) return [];
  const nodes = [own.body, ...descendants(own.body, object.source)];
  return nodes.map((inner) => directRead(inner, object, argumentsOf(own, node))).filter(Boolean);
}

/**
 * Returns the stored values that a node writes, as `{ id, column, value }`. The node can also call a method of the
 * class with the value.
 */
export function storedWrites(node, object) {
  const direct = directWrites(node, object);
  const own = direct.length ? undefined : ownFunction(node, object);
  if (!own) return direct;
  const nodes = [own.body, ...descendants(own.body, object.source)];
  // A method that reads the value itself does not write the value of its parameter.
  if (nodes.some((inner) => directRead(inner, object))) return [];
  const given = argumentsOf(own, node);
  return nodes
    .flatMap((inner) => directWrites(inner, object, given))
    .map((write) => Object.assign(write, { value: given.get(unwrapped(write.value).name) }))
    .filter(({ value }) => value);
}

function directRead(node, object, given) {
  const { name, first, rest } = storageCall(node, object);
  if (name === 'get') return first && { id: keyOf(first, object, given) };
  const [, columns, table, where] = (name === 'exec' && SELECT.exec(textOf(first, object))) || [];
  return table && { id: rowsOf(table, where, rest, object, given), columns };
}

function directWrites(node, object, given) {
  const { name, first, rest } = storageCall(node, object);
  if (name === 'put' && first?.type === 'ObjectExpression')
    return first.properties
      .filter(({ type }) => type === 'Property')
      .map(({ key, value }) => ({ id: JSON.stringify(nameOf({ key })), value }));
  if (name === 'put' && rest[0]) return [{ id: keyOf(first, object, given), value: rest[0] }];
  const row = name === 'exec' && REPLACE.exec(textOf(first, object));
  if (row) return replacedValues(row, rest, object, given);
  const [, table, changes, where] = (name === 'exec' && UPDATE.exec(textOf(first, object))) || [];
  if (!table) return [];
  let count = 0;
  const columns = changes.split(',').map((change) => {
    const [, column] = /^\s*(\w+)\s*=\s*\?\s*$/.exec(change) ?? [];
    const value = rest[count];
    count += change.split('?').length - 1;
    return { column, value };
  });
  const id = rowsOf(table, where, rest.slice(count), object, given);
  return columns
    .filter(({ column, value }) => column && value)
    .map((write) => Object.assign(write, { id }));
}

/** Returns the values of a row that is replaced, for each column that may select the row. */
function replacedValues([text, table, names, , end], values, object, given) {
  const columns = names.split(',').map((name) => name.trim());
  const isReplaced = (column) =>
    /^\s*(INSERT\s+OR\s+)?REPLACE/i.test(text) ||
    new RegExp(`\\b${column}\\s*=\\s*excluded\\.${column}\\s*(,|;|$)`, 'i').test(end);
  return columns.flatMap((key, at) => {
    const id = values[at] && rowsOf(table, `${key} = ?`, [values[at]], object, given);
    return columns
      .map((column, index) => ({ id, column, value: values[index] }))
      .filter(({ column, value }) => id && value && column !== key && isReplaced(column));
  });
}

/** Returns the name and the arguments of a call of `storage`, `storage.kv` or `storage.sql`. */
function storageCall(node, object) {
  const callee = node.type === 'CallExpression' && unwrapped(node.callee);
  if (callee.type !== 'MemberExpression') return {};
  if (!/^(storage|sync)$/.test(kindOf(callee.object, object))) return {};
  const [first, ...rest] = node.arguments.map(unwrapped);
  return { name: nameOf(callee), first, rest };
}

/** Returns the method or getter of the class that a node calls. */
function ownFunction(node, object) {
  const isCall = node.type === 'CallExpression';
  if (!isField(isCall ? node.callee : node, object)) return undefined;
  const name = nameOf(unwrapped(isCall ? node.callee : node));
  const own = unwrapped((isCall ? object.methods : object.getters).get(name)?.value);
  return isFunction(own) ? own : undefined;
}

/** Returns the arguments of a call, by the name of the parameter. */
const argumentsOf = ({ params }, node) =>
  new Map(
    params.map((parameter, at) => [(parameter.left ?? parameter).name, node.arguments?.[at]]),
  );

/** Returns a text for a key, so that calls with equal keys have equal texts. */
function keyOf(key, object, given) {
  const value = valueOf(given?.get(key.name) ?? key, object.source);
  return value.type === 'Literal' ? JSON.stringify(value.value) : object.source.getText(value);
}

const rowsOf = (table, where, values, object, given) =>
  [
    table,
    where?.replaceAll(/\s+/g, ' '),
    ...values.map((value) => keyOf(value, object, given)),
  ].join(' ');

/** Returns the text of a query that has no variable parts. */
function textOf(query, { source }) {
  const value = query && valueOf(query, source);
  if (value?.type === 'TemplateLiteral')
    return value.expressions.length ? '' : value.quasis[0].value.cooked;
  return typeof value?.value === 'string' ? value.value : '';
}
