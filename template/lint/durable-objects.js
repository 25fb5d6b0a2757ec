/** Finds the Durable Object classes of a file, with their members and contracts. */
import { isField } from './storage.js';
import {
  bare,
  below,
  definition,
  isClass,
  isFunction,
  nameOf,
  rebindsThis,
  typeText,
  valueOf,
} from './tree.js';

/** What the platform calls by name. */
export const HANDLER = /^(constructor|fetch|alarm|webSocket(Message|Close|Error))$/;

const found = new WeakMap();

/** The Durable Object classes of a file, each once per file. */
export function durableObjects(source) {
  if (!found.has(source.ast)) {
    const isWorthIt = /DurableObject|lumenizeRpcDO|\.storage\b/.test(source.text);
    found.set(source.ast, isWorthIt ? find(source) : []);
  }
  return found.get(source.ast);
}

function find(source) {
  const nodes = [...below(source.ast, source, () => false)];
  const contracts = contractsIn(nodes, source);
  return nodes
    .filter((node) => isClass(node) && (contracts.has(node) || isDurableClass(node, source)))
    .map((node) =>
      Object.assign(membersOf(node, source), {
        node,
        source,
        contracts: contracts.get(node) ?? [],
        fieldTexts,
      }),
    );
}

/** What is known of a field: the types and the values given to it, as text. */
function fieldTexts(name) {
  return (this.fields.get(name) ?? []).flatMap(({ type, value }) =>
    value ? [type, this.source.getText(value)] : [type],
  );
}

/** Classes given to `lumenizeRpcDO(Class, contract)`, with their contracts. */
function contractsIn(nodes, source) {
  const contracts = new Map();
  for (const node of nodes) {
    if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'lumenizeRpcDO') continue;
    const [target, contract] = node.arguments.map((argument) => valueOf(argument, source));
    if (isClass(target)) contracts.set(target, [...(contracts.get(target) ?? []), contract]);
  }
  return contracts;
}

function isDurableClass(node, source) {
  const { superClass, body } = node;
  const named = (pattern) => body.body.find((member) => pattern.test(nameOf(member)));
  const isHandling = named(/^(fetch|alarm|webSocketMessage)$/);
  const [first] = named(/^constructor$/)?.value.params ?? [];
  return (
    isDurable(superClass, source) ||
    node.implements?.some(({ expression }) => nameOf(expression) === 'DurableObject') ||
    (/\bDurableObjectState\b/.test(typeText(first?.parameter ?? first, source)) &&
      (isHandling || superClass)) ||
    // The old style in plain JavaScript shows no type at all.
    (isHandling &&
      !superClass &&
      /^(state|ctx)$/.test(first?.name) &&
      /\.(storage|blockConcurrencyWhile|acceptWebSocket)\b/.test(source.getText(node)))
  );
}

/** Whether an expression, used as a base, makes a class a Durable Object. */
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

/** Whether it is `DurableObject` itself, whatever it was imported as. */
function isPlatformBase(value, source) {
  const imported = value?.type === 'Identifier' && definition(value, source)?.node.imported;
  return Boolean(value) && nameOf(imported || value) === 'DurableObject';
}

/**
 * The members of a class and of its bases in the same file; its own come last and win. `isWhole`
 * says that no base is out of sight.
 */
function membersOf(node, source) {
  const base = valueOf(node.superClass, source);
  const members = isClass(base)
    ? membersOf(base, source)
    : {
        methods: new Map(),
        fields: new Map(),
        isWhole: !base || isPlatformBase(base, source),
      };
  const hold = (name, value, type = '') =>
    members.fields.set(name, [...(members.fields.get(name) ?? []), { value: bare(value), type }]);
  for (const member of node.body.body) {
    if (member.static || !member.key) continue;
    const name = nameOf(member);
    const value = bare(member.value);
    // `get storage() { return this.ctx.storage }` is as good as a field.
    if (member.kind === 'get')
      hold(name, value.body?.body.at(-1)?.argument, typeText(value, source));
    else if (isFunction(value)) members.methods.set(name, member);
    else hold(name, value, typeText(member, source));
    for (const inner of value ? below(value, source, rebindsThis) : []) {
      if (inner.type === 'AssignmentExpression' && isField(inner.left))
        hold(nameOf(bare(inner.left)), inner.right);
      if (inner.type === 'TSParameterProperty') {
        const parameter = inner.parameter.left ?? inner.parameter;
        hold(parameter.name, undefined, typeText(parameter, source));
      }
    }
  }
  return members;
}
