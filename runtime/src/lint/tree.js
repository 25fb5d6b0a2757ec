/** Reads the syntax tree, independently of Durable Objects. */

export const isClass = (node) => /^Class(Declaration|Expression)$/.test(node?.type);
/** Returns whether a node is a function with a body. An overload signature has no body. */
export const isFunction = (node) => /Function/.test(node?.type) && Boolean(node.body);
/**
 * Returns whether a member of a class is a field. Remote callers cannot reach a function in a field, because it belongs
 * to one instance.
 */
export const isFieldMember = ({ type }) => /Property/.test(type);

/**
 * Returns whether a node has `return` and `await` statements of its own. A search that skips such nodes finds only the
 * statements of the code around them.
 */
export const isInner = (node) => isClass(node) || isFunction(node);

/** Returns the name under which its module exports a value. For an import this is the name before `as`. */
export function exportedName(node, source) {
  const imported = node.type === 'Identifier' && definition(node, source)?.node.imported;
  return nameOf(imported || node);
}

/** Yields every node below `node`, without the nodes that `skip` selects and the nodes below them. */
export function* descendants(node, source, skip = isClass) {
  for (const key of source.visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (!child || skip(child)) continue;
      yield child;
      yield* descendants(child, source, skip);
    }
  }
}

/** Returns whether a node has its own `this`, so that no `this` inside refers to the class. */
export const rebindsThis = (node) => isClass(node) || node.type.startsWith('Function');

/** Yields the nodes above `node`, nearest first. */
export function* ancestors(node) {
  for (let up = node.parent; up; up = up.parent) yield up;
}

/** Returns whether the text of one node lies within the text of another node. */
export const isWithin = (inner, outer) =>
  outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];

/** Returns the expression inside `(x as T)!`, `x satisfies T`, `x?.y`. */
export function unwrapped(node) {
  while (/^(TS(As|NonNull|Satisfies)|Chain)/.test(node?.type)) node = node.expression;
  return node;
}

/** Returns the outermost access around a node, for example `x.y[z]` around `x`. */
export function outermostAccess(node) {
  while (node.parent.object === node || /^(TS(As|NonNull)|Chain)/.test(node.parent.type))
    node = node.parent;
  return node;
}

/**
 * Returns the name in an access or a property: `x` of `a.x` and of `x: 1`, `#x` of `a.#x`; undefined for a computed
 * name.
 */
export function nameOf(node) {
  const key = node.property ?? node.key ?? node;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Literal') return String(key.value);
  return node.computed ? undefined : key.name;
}

/** Returns the variable that an identifier names; undefined for a global. */
export function variableOf(identifier, source) {
  for (let scope = source.getScope(identifier); scope; scope = scope.upper) {
    const variable = scope.set.get(identifier.name);
    if (variable) return variable;
  }
}

/** Returns the definition of an identifier; undefined for a global. */
export const definition = (identifier, source) => variableOf(identifier, source)?.defs[0];

/** Returns the value that an identifier's variable was declared with. Any other expression is its own value. */
export function valueOf(node, source, depth = 0) {
  const expression = unwrapped(node);
  if (isFrozen(expression)) return valueOf(expression.arguments[0], source, depth);
  if (expression?.type !== 'Identifier' || depth > 9) return expression;
  const declared = definition(expression, source)?.node;
  if (isClass(declared) || declared?.type === 'FunctionDeclaration') return declared;
  const isPlain = declared?.type === 'VariableDeclarator' && declared.id.type === 'Identifier';
  return isPlain && declared.init ? valueOf(declared.init, source, depth + 1) : expression;
}

/** Returns whether a node is `Object.freeze(x)`, which has the value `x`. */
function isFrozen(node) {
  const callee = node?.type === 'CallExpression' && node.callee;
  return callee && nameOf(callee) === 'freeze' && callee.object?.name === 'Object';
}

/** Returns the text of a type annotation; empty if there is none. */
export function typeText(node, source) {
  const type = node?.typeAnnotation ?? node?.returnType;
  return type ? source.getText(type) : '';
}

/**
 * Returns a function of a node and an object that caches its results. The result is undefined for a question that leads
 * back to itself, as in `this.a = this.b; this.b = this.a`.
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
