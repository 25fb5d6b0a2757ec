/** Finds the Durable Object classes of a file, with their members and contracts. */
import {
  descendants,
  exportedName,
  isClass,
  nameOf,
  rebindsThis,
  typeText,
  unwrapped,
  valueOf,
} from '../tree.js';
import { calledFunctions } from './called-functions.js';
import { configsOf, hasUnknownStorage, keyValueClass, undeclaredClass } from './wrangler.js';

/** Methods that the platform calls by name. */
export const HANDLER = /^(constructor|fetch|alarm|webSocket(Message|Close|Error))$/;

const found = new WeakMap();
const isDurableByClass = new WeakMap();

/** Returns the Durable Object classes of a file, found once per file. */
export function durableObjects({ sourceCode: source, filename }) {
  if (!found.has(source.ast)) {
    const isWorthIt = /DurableObject|lumenizeRpcDO|\.storage\b/.test(source.text);
    found.set(source.ast, isWorthIt ? find(source, filename) : []);
  }
  return found.get(source.ast);
}

function find(source, filename) {
  const nodes = [...descendants(source.ast, source, () => false)];
  const contracts = contractsIn(nodes, source);
  const types = new Map(
    nodes
      .filter(({ type }) => /^(TS(Interface|TypeAlias)|Class)Declaration$/.test(type))
      .map((node) => [node.id?.name, node]),
  );
  const classes = nodes.filter(
    (node) => isClass(node) && (contracts.has(node) || isDurableClass(node, source)),
  );
  const configs = classes.length > 0 ? configsOf(filename) : [];
  return classes.map((node) => {
    const members = membersOf(node, source);
    const called = calledFunctions(node, source, members.methods);
    const names = exportNames(node, nodes, source);
    return Object.assign(members, called, {
      node,
      source,
      types,
      contracts: contracts.get(node) ?? [],
      keyValue: keyValueClass(names, configs),
      undeclared: undeclaredClass(names, configs),
      hasUnknownStorage: hasUnknownStorage(names, configs),
    });
  });
}

/** Returns the classes that the file passes to `lumenizeRpcDO(Class, contract)`, with their contracts. */
function contractsIn(nodes, source) {
  const contracts = new Map();
  for (const node of nodes) {
    if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'lumenizeRpcDO') continue;
    const [target, contract] = node.arguments.map((argument) => valueOf(argument, source));
    if (isClass(target)) contracts.set(target, [...(contracts.get(target) ?? []), contract]);
  }
  return contracts;
}

/**
 * Returns the names by which the Worker may export a class: its own name, the names of classes that the file makes from
 * it, such as `lumenizeRpcDO(Class, contract)`, and the names in exports such as `{ Class as Name }`.
 */
function exportNames(node, nodes, source) {
  const names = new Set(node.id && [node.id.name]);
  const isNamed = (part) => part === node || (part.type === 'Identifier' && names.has(part.name));
  for (const { type, id, init, local, exported } of nodes) {
    const isMade =
      type === 'VariableDeclarator' &&
      init &&
      [init, ...descendants(init, source, (part) => isClass(part) && part !== node)].some(isNamed);
    if (isMade) names.add(id.name);
    if (exported && local && isNamed(local)) names.add(nameOf(exported));
  }
  return [...names].filter(Boolean);
}

function isDurableClass(node, source) {
  if (!isDurableByClass.has(node)) {
    // This entry ends the recursion if half-written classes extend each other.
    isDurableByClass.set(node, false);
    isDurableByClass.set(node, Boolean(showsDurableObject(node, source)));
  }
  return isDurableByClass.get(node);
}

function showsDurableObject(node, source) {
  const { superClass, body } = node;
  const named = (pattern) => body.body.find((member) => pattern.test(nameOf(member)));
  const isHandling = named(/^(fetch|alarm|webSocketMessage)$/);
  const [first] = named(/^constructor$/)?.value.params ?? [];
  return (
    isDurable(superClass, source) ||
    node.implements?.some(({ expression }) => nameOf(expression) === 'DurableObject') ||
    (/\bDurableObjectState\b/.test(typeText(first?.parameter ?? first, source)) &&
      (isHandling || superClass)) ||
    // A class in the old style, in plain JavaScript, has no types to check.
    (isHandling &&
      !superClass &&
      /^(state|ctx)$/.test(first?.name) &&
      /\.(storage|blockConcurrencyWhile|acceptWebSocket)\b/.test(source.getText(node)))
  );
}

/** Returns whether an expression, used as a base, makes a class a Durable Object. */
function isDurable(expression, source) {
  const value = expression && valueOf(expression, source);
  if (isClass(value)) return isDurableClass(value, source);
  if (value?.type === 'CallExpression')
    return (
      nameOf(value.callee) === 'lumenizeRpcDO' ||
      value.arguments.some((argument) => isDurable(argument, source))
    );
  return isPlatformBase(value, source);
}

/** Returns whether a value is `DurableObject` itself, under any imported name. */
function isPlatformBase(value, source) {
  return Boolean(value) && exportedName(value, source) === 'DurableObject';
}

/**
 * Returns the members of a class and of its base classes in the file. The class's own members override others.
 * `isWhole` is true if every base class is in the file, or is `DurableObject`.
 */
function membersOf(node, source) {
  const chain = [];
  let base = node;
  for (; isClass(base) && !chain.includes(base); base = valueOf(base.superClass, source))
    chain.unshift(base);
  const members = {
    methods: new Map(),
    getters: new Map(),
    fields: new Map(),
    isWhole: !base || isPlatformBase(base, source),
  };
  for (const { body } of chain) readBody(body, source, members);
  return members;
}

/**
 * Adds the members of a class body. Each field has a list of its declarations and assignments: the source
 * text, and the node if it is a value.
 */
function readBody({ body }, source, { methods, getters, fields }) {
  const hold = (name, node, value) => {
    const text = node && source.getText(node);
    if (node) fields.set(name, [...(fields.get(name) ?? []), { text, value }]);
  };
  const holdValue = (name, value) => hold(name, unwrapped(value), unwrapped(value));
  for (const member of body) {
    if (member.static || !member.key) continue;
    const name = nameOf(member);
    const value = unwrapped(member.value);
    // Overloads and abstract methods have no body, but count as declared.
    if (value?.params) (member.kind === 'get' ? getters : methods).set(name, member);
    hold(name, member.typeAnnotation);
    // `get storage() { return this.ctx.storage }` counts as a field.
    holdValue(name, member.kind === 'get' ? value.body?.body.at(-1)?.argument : value);
    for (const inner of value ? descendants(value, source, rebindsThis) : []) {
      const left = inner.type === 'AssignmentExpression' && unwrapped(inner.left);
      if (left?.object && unwrapped(left.object).type === 'ThisExpression')
        holdValue(nameOf(left), inner.right);
      const parameter = inner.parameter?.left ?? inner.parameter;
      if (parameter) hold(parameter.name, parameter.typeAnnotation);
    }
  }
}
