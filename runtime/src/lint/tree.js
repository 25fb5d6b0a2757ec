/** Reads the syntax tree, independently of Durable Objects. */

export const isClass = (node) => /^Class(Declaration|Expression)$/.test(node?.type);
/** A function with a body: an overload signature has none. */
export const isFunction = (node) => /Function/.test(node?.type) && Boolean(node.body);
/** A member of a class that is a field. A function in a field belongs to one instance: callers reach only methods. */
export const isFieldMember = ({ type }) => /Property/.test(type);

/** Whether a node has statements of its own, such as `return` and `await`: to skip it leaves those of the code around. */
export const isInner = (node) => isClass(node) || isFunction(node);

/** The name of a value as its module exports it: of an import, the name before `as`. */
export function exportedName(node, source) {
  const imported = node.type === 'Identifier' && definition(node, source)?.node.imported;
  return nameOf(imported || node);
}

/** Every node below `node`, without the nodes that `skip` selects and the nodes below them. */
export function* descendants(node, source, skip = isClass) {
  for (const key of source.visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (!child || skip(child)) continue;
      yield child;
      yield* descendants(child, source, skip);
    }
  }
}

/** Whether a node has its own `this`, so that no `this` in it is the class's. */
export const rebindsThis = (node) => isClass(node) || node.type.startsWith('Function');

/** The nodes above `node`, nearest first. */
export function* ancestors(node) {
  for (let up = node.parent; up; up = up.parent) yield up;
}

/** Whether the text of a node lies within that of another. */
export const isWithin = (inner, outer) =>
  outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];

/** The expression inside `(x as T)!`, `x satisfies T`, `x?.y`. */
export function unwrapped(node) {
  while (/^(TS(As|NonNull|Satisfies)|Chain)/.test(node?.type)) node = node.expression;
  return node;
}

/** The outermost of `x.y`, `x.y[z]`, `(x as T).y` around `x`. */
export function outermostAccess(node) {
  while (node.parent.object === node || /^(TS(As|NonNull)|Chain)/.test(node.parent.type))
    node = node.parent;
  return node;
}

/** `x` of `a.x` and of `x: 1`, `#x` of `a.#x`; undefined if it is computed. */
export function nameOf(node) {
  const key = node.property ?? node.key ?? node;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Literal') return String(key.value);
  return node.computed ? undefined : key.name;
}

/** The variable that an identifier names; undefined for a global. */
export function variableOf(identifier, source) {
  for (let scope = source.getScope(identifier); scope; scope = scope.upper) {
    const variable = scope.set.get(identifier.name);
    if (variable) return variable;
  }
}

/** Where an identifier was declared; undefined for a global. */
export const definition = (identifier, source) => variableOf(identifier, source)?.defs[0];

/** The value that an identifier's variable was declared with. Any other expression is its own value. */
export function valueOf(node, source, depth = 0) {
  const expression = unwrapped(node);
  if (isFrozen(expression)) return valueOf(expression.arguments[0], source, depth);
  if (expression?.type !== 'Identifier' || depth > 9) return expression;
  const declared = definition(expression, source)?.node;
  if (isClass(declared) || declared?.type === 'FunctionDeclaration') return declared;
  const isPlain = declared?.type === 'VariableDeclarator' && declared.id.type === 'Identifier';
  return isPlain && declared.init ? valueOf(declared.init, source, depth + 1) : expression;
}

/** `Object.freeze(x)` is `x`. */
function isFrozen(node) {
  const callee = node?.type === 'CallExpression' && node.callee;
  return callee && nameOf(callee) === 'freeze' && callee.object?.name === 'Object';
}

/** The text of a type annotation; empty if there is none. */
export function typeText(node, source) {
  const type = node?.typeAnnotation ?? node?.returnType;
  return type ? source.getText(type) : '';
}

/**
 * Creates a function of a node and an object that caches its results. A question that leads back to itself,
 * as in `this.a = this.b; this.b = this.a`, has the result undefined.
 */
export function memoized(find) {
  const known = new WeakMap();
  return (expression, object) => {
    const node = unwrapped(expression);
    if (!node) return undefined;
    if (!known.has(object)) known.set(object, new WeakMap());
    const results = known.get(object);
    if (!results.has(node)) {
      results.set(node, undefined);
      results.set(node, find(node, object));
    }
    return results.get(node);
  };
}
