/** Which expressions of a Durable Object class are its `ctx`, its storage, or the synchronous APIs. */
import { bare, definition, nameOf, typeText } from './tree.js';

const KIND_OF_TYPE = [
  [/\bDurableObjectState\b/, 'ctx'],
  [/\bDurableObjectStorage\b/, 'storage'],
  [/\b(SqlStorage|SyncKvStorage)\b/, 'sync'],
];

/** Whether a node is `this.x`. */
export function isField(node) {
  const member = bare(node);
  return member?.type === 'MemberExpression' && bare(member.object).type === 'ThisExpression';
}

/** `'this'`, `'ctx'`, `'storage'`, `'sync'` (`storage.kv`, `storage.sql`), or undefined. */
export function kindOf(expression, object, depth = 0) {
  const node = bare(expression);
  // The depth ends `this.a = this.b; this.b = this.a`.
  if (!node || depth > 9) return undefined;
  if (node.type === 'ThisExpression') return 'this';
  if (node.type === 'MemberExpression')
    return kindOfMember(kindOf(node.object, object, depth + 1), nameOf(node), object, depth);
  return node.type === 'Identifier' ? kindOfVariable(node, object, depth) : undefined;
}

function kindOfMember(kind, name, object, depth) {
  if (kind === 'this') {
    for (const { text, value } of object.fields.get(name) ?? []) {
      const held = value ? kindOf(value, object, depth + 1) : kindOfType(text);
      if (held) return held;
    }
    return /^_?(ctx|state)$/.test(name) && !object.fields.has(name) ? 'ctx' : undefined;
  }
  if (kind === 'ctx') return name === 'storage' ? 'storage' : undefined;
  return kind === 'storage' && /^(kv|sql)$/.test(name) ? 'sync' : undefined;
}

function kindOfVariable(identifier, object, depth) {
  const found = definition(identifier, object.source);
  if (!found) return undefined;
  const typed = kindOfType(typeText(found.name, object.source));
  if (typed) return typed;
  if (found.type === 'Parameter') {
    const [first] = found.node.params;
    const isState =
      found.node.parent.kind === 'constructor' && (first.left ?? first) === found.name;
    return isState ? 'ctx' : undefined;
  }
  if (found.node.type !== 'VariableDeclarator') return undefined;
  // `const { storage: { sql } } = this.ctx` is walked from the outside in.
  const path = [];
  for (let node = found.name; node !== found.node; node = node.parent)
    if (node.type === 'Property') path.unshift(nameOf(node));
  return path.reduce(
    (kind, name) => kindOfMember(kind, name, object, depth),
    kindOf(found.node.init, object, depth + 1),
  );
}

const kindOfType = (type) => KIND_OF_TYPE.find(([pattern]) => pattern.test(type))?.[1];
