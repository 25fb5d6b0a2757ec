/** Reading the syntax tree, whatever the code is about. Imports nothing. */

export const isClass = (node) => /^Class(Declaration|Expression)$/.test(node?.type);
export const isFunction = (node) => /Function/.test(node?.type);

/** Every node below `node`, but for those that `skip` names and what is below them. */
export function* below(node, source, skip = isClass) {
  for (const key of source.visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (!child || skip(child)) continue;
      yield child;
      yield* below(child, source, skip);
    }
  }
}

/** What has a `this` of its own: nothing in it is about the class around it. */
export const rebindsThis = (node) => isClass(node) || node.type.startsWith('Function');

/** The nodes above `node`, nearest first. */
export function* above(node) {
  for (let up = node.parent; up; up = up.parent) yield up;
}

/** The expression inside `(x as T)!`, `x satisfies T`, `x?.y`. */
export function bare(node) {
  while (/^(TS(As|NonNull|Satisfies)|Chain)/.test(node?.type)) node = node.expression;
  return node;
}

/** `x` of `a.x` and of `x: 1`, `#x` of `a.#x`; undefined where it is computed. */
export function nameOf(node) {
  const key = node.property ?? node.key ?? node;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Literal') return String(key.value);
  return node.computed ? undefined : key.name;
}

/** Where an identifier was declared; undefined for a global. */
export function definition(identifier, source) {
  for (let scope = source.getScope(identifier); scope; scope = scope.upper) {
    const variable = scope.set.get(identifier.name);
    if (variable) return variable.defs[0];
  }
}

/** What the variable behind an identifier was declared as; any other expression is itself. */
export function valueOf(node, source, depth = 0) {
  const expression = bare(node);
  if (expression?.type !== 'Identifier' || depth > 9) return expression;
  const declared = definition(expression, source)?.node;
  if (isClass(declared)) return declared;
  const isPlain = declared?.type === 'VariableDeclarator' && declared.id.type === 'Identifier';
  return isPlain && declared.init ? valueOf(declared.init, source, depth + 1) : expression;
}

/** The type written beside a name. */
export function typeText(node, source) {
  const type = node?.typeAnnotation ?? node?.returnType;
  return type ? source.getText(type) : '';
}
