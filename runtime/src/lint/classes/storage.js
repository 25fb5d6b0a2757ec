/** Finds the expressions of a Durable Object class that are its `ctx`, storage or synchronous APIs. */
import { definition, memoized, nameOf, typeText, unwrapped } from '../tree.js';

const KIND_OF_TYPE = [
  [/\bDurableObjectState\b/, 'ctx'],
  [/\bDurableObjectStorage\b/, 'storage'],
  [/\b(SqlStorage|SyncKvStorage)\b/, 'sync'],
];

/** Returns whether a node is `this.x`. A variable that holds `this` counts as `this`. */
export function isField(node, object) {
  const member = unwrapped(node);
  return member?.type === 'MemberExpression' && kindOf(member.object, object) === 'this';
}

/**
 * Returns the kind of an expression: `'this'`, `'ctx'`, `'storage'`, `'sync'` (`storage.kv`, `storage.sql`), or
 * undefined.
 */
export const kindOf = memoized((node, object) => {
  if (node.type === 'ThisExpression') return 'this';
  if (node.type === 'MemberExpression')
    return kindOfMember(kindOf(node.object, object), nameOf(node), object);
  return node.type === 'Identifier' ? kindOfVariable(node, object) : undefined;
});

function kindOfMember(kind, name, object) {
  if (kind === 'this') {
    for (const { text, value } of object.fields.get(name) ?? []) {
      const held = value ? kindOf(value, object) : kindOfType(text);
      if (held) return held;
    }
    return /^_?(ctx|state)$/.test(name) && !object.fields.has(name) ? 'ctx' : undefined;
  }
  if (kind === 'ctx') return name === 'storage' ? 'storage' : undefined;
  return kind === 'storage' && /^(kv|sql)$/.test(name) ? 'sync' : undefined;
}

function kindOfVariable(identifier, object) {
  const found = definition(identifier, object.source);
  if (!found) return undefined;
  const typed = kindOfType(typeText(found.name, object.source));
  if (typed) return typed;
  if (found.type === 'Parameter') return kindOfParameter(found, object);
  if (found.node.type !== 'VariableDeclarator') return undefined;
  // `const { storage: { sql } } = this.ctx` is walked from the outside in.
  const path = [];
  for (let node = found.name; node !== found.node; node = node.parent)
    if (node.type === 'Property') path.unshift(nameOf(node));
  return path.reduce(
    (kind, name) => kindOfMember(kind, name, object),
    kindOf(found.node.init, object),
  );
}

/** Returns the kind of the constructor's first parameter, or of the argument of a called function. */
function kindOfParameter({ name, node }, object) {
  const [first] = node.params;
  if (node.parent.kind === 'constructor' && (first.left ?? first) === name) return 'ctx';
  for (const given of object.given.get(name) ?? []) {
    const kind = kindOf(given, object);
    if (kind) return kind;
  }
}

const kindOfType = (type) => KIND_OF_TYPE.find(([pattern]) => pattern.test(type))?.[1];
