/**
 * Finds calls that read or write data outside of the object's memory: in its storage, in attachments, or in other
 * services.
 */
import { valuesOf } from '../classes/origins.js';
import { isField, kindOf } from '../classes/storage.js';
import { descendants, memoized, nameOf, unwrapped } from '../tree.js';

const READING =
  /^(get\w*|list\w*|all|first|one|raw|toArray|next|forEach|map|filter|select\w*|query\w*|find\w*|has|count|match|head|load\w*|read\w*|idFrom\w+|newUniqueId|keys|entries|deserializeAttachment)$/;
/** Names of calls on storage that neither read nor write data. */
const ASIDE = /Alarm$|^(transaction(Sync)?|sync|delete(All)?)$/;
const STORAGE = /^(ctx|storage|sync)$/;
const PERSISTING = /save|store|persist|write|flush|snapshot|sync|commit|checkpoint/i;

/** Returns how a call uses data: `'reads'`, `'writes'` or undefined. */
export const accessOf = memoized((node, object) => {
  if (!/^(Call|New|TaggedTemplate)Expression$/.test(node.type)) return undefined;
  const callee = unwrapped(node.callee ?? node.tag);
  if (callee.type === 'Super') return undefined;
  const name = nameOf(callee) ?? '';
  if (name === 'serializeAttachment') return 'writes';
  if (name === 'deserializeAttachment' || name === 'getWebSockets') return 'reads';
  if (isPersisting(node, name, object)) return 'writes';
  if (!callee.object && node.type === 'CallExpression') return undefined;
  if (ASIDE.test(name) || !comesFromStorage(callee, object)) return undefined;
  return READING.test(name) || isSelect(node, object) ? 'reads' : 'writes';
});

/**
 * Returns whether a call saves data: it gets the storage as an argument, it is an `sql` tag, or it calls a method of a
 * base class outside the file whose name means saving.
 */
function isPersisting(node, name, object) {
  const given = node.arguments ?? node.quasi.expressions;
  if (given.some((argument) => STORAGE.test(kindOf(argument, object)))) return true;
  if (node.quasi) return name === 'sql' && !isSelect(node, object);
  if (given.some((argument) => kindOf(argument, object) === 'this')) return PERSISTING.test(name);
  if (object.isWhole || !isField(node.callee, object)) return false;
  const isKnown = object.methods.has(name) || object.fields.has(name);
  return !isKnown && (PERSISTING.test(name) || /^setState$/.test(name));
}

function isSelect(node, { source }) {
  const [text] = (node.arguments ?? [node.quasi]).map((part) => part && source.getText(part));
  return /^[`'"(\s]*(SELECT|PRAGMA|CREATE|DROP|EXPLAIN)\b/i.test(text);
}

/** Returns whether an expression is, or was made from, storage or a binding. */
const comesFromStorage = memoized((node, object) => isFromStorage(node, object, comesFromStorage));

/**
 * Does what `comesFromStorage` does, for the value of a variable or a field. A value that was read from storage is
 * data, and does not count.
 */
const holdsStorage = memoized((node, object) => {
  const isRead = node.type === 'CallExpression' && isStorage(unwrapped(node.callee).object, object);
  return !isRead && isFromStorage(node, object, holdsStorage);
});

function isFromStorage(node, object, isFrom) {
  if (kindOf(node, object)) return isStorage(node, object);
  if (node.type === 'Identifier')
    return (
      isBinding(node, object) || valuesOf(node, object).some((value) => holdsStorage(value, object))
    );
  if (isField(node, object)) {
    const name = nameOf(node);
    const held = object.fields.get(name) ?? [];
    return name === 'env' || held.some(({ value }) => holdsStorage(value, object));
  }
  if (node.type === 'AwaitExpression') return isFrom(node.argument, object);
  if (node.type === 'MemberExpression') return isFrom(node.object, object);
  if (node.type === 'LogicalExpression') return isFrom(node.left, object);
  if (!/^(Call|New)Expression$/.test(node.type)) return false;
  const isGiven = node.arguments.some((argument) => STORAGE.test(kindOf(argument, object)));
  return isGiven || isFrom(node.callee, object);
}

const isStorage = (node, object) => /^(storage|sync)$/.test(kindOf(node, object));

/** Returns whether a variable is `env`, the second parameter of the constructor. */
function isBinding(node, object) {
  const constructor = object.methods.get('constructor')?.value;
  const second = constructor?.params[1];
  const name = second && (second.parameter ?? second.left ?? second).name;
  return node.name === 'env' && (!name || name === 'env');
}

/** Returns the texts in a call, such as keys and SQL. */
export const textsIn = (node, object) =>
  [node, ...descendants(node, object.source)]
    .filter(({ type }) => /^(Literal|TemplateElement)$/.test(type))
    .map(({ value }) => String(value?.cooked ?? value));
