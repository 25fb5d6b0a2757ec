/** Finds calls of clients and stubs whose promise is used as if it were the result. */
import { isRemoteCall, MENTION } from '../calls/clients.js';
import { fileRule } from '../rule.js';
import { ancestors, descendants, isFunction, nameOf, unwrapped, variableOf } from '../tree.js';

const TEXT = 'the text has [object Promise] in place of the result';
const JSON_TEXT = 'JSON has {} or nothing in place of the result';
const COPY = 'a promise can be neither stored nor copied, so this throws';
const ITEMS = 'a promise has no items and no properties of its own';
const NUMBER = 'a promise is not a number, so the outcome never depends on the result';
const CONDITION = 'a promise is always true, and never equals another value';

/**
 * The functions that must not receive a promise, by the text of the callee. `within` is true if a promise inside an
 * object or a list is wrong, too.
 */
const SINKS = [
  {
    name: /^JSON\.stringify$|^((Next)?Response|c|ctx|context|res|response|reply)\.json$/,
    effect: JSON_TEXT,
    within: true,
  },
  {
    name: /\b(kv|storage)\.put$|^structuredClone$|\b(postMessage|serializeAttachment)$/,
    effect: COPY,
    within: true,
  },
  { name: /\bsql\.exec$/, effect: COPY },
  {
    name: /^(String|encodeURIComponent|(Next)?Response|\w*Error|(c|context)\.text)$/,
    effect: TEXT,
  },
  {
    name: /\b(localStorage|sessionStorage)\.setItem$|(^|\.)(ws|socket|webSocket)\.send$/,
    effect: TEXT,
  },
  { name: /^(Number|BigInt|parseInt|parseFloat|Math\.\w+)$/, effect: NUMBER },
  { name: /^(Object\.(keys|values|entries)|Array\.from)$/, effect: ITEMS },
];
const ELEMENT_TEXT = /^(textContent|innerText|innerHTML)$/;

export const noMissingAwait = fileRule('calls', ({ sourceCode: source }, report) => {
  if (!MENTION.test(source.text)) return;
  for (const call of descendants(source.ast, source, () => false)) {
    if (!isRemoteCall(call, source)) continue;
    const name = nameOf(unwrapped(call.callee)) ?? 'the method';
    for (const { node, effect } of wrongUses(call, source, { isCall: true, isPromise: true }))
      report(
        node,
        `This is the promise of '${name}', not its result: ${effect}. Write await before the call, or ` +
          'await Promise.all() for a list of calls.',
      );
  }
});

/**
 * Follows a promise upwards to where it is used as a value, and yields the expression to await. `isCall` is true as
 * long as the node is the call itself; `isWithin` is true if the promise is in an object or a list.
 */
function* wrongUses(node, source, { isCall, isWithin, isPromise, promise, seen = new Set() }) {
  if (seen.has(node)) return;
  seen.add(node);
  const awaited = isPromise ? node : promise;
  const effect = effectOf(node, { isCall, isWithin }, source);
  if (effect) yield { node: awaited, effect };
  else
    for (const next of passedTo(node, { isCall, isWithin }, source))
      yield* wrongUses(next.node, source, { isWithin, ...next, promise: awaited, seen });
}

/** Returns the nodes that also have the promise: expressions around a node, and uses of a variable or a function. */
function passedTo(node, { isCall, isWithin }, source) {
  const { parent: up } = node;
  const callee = up.type === 'CallExpression' && up.callee !== node && source.getText(up.callee);
  if (/^TS(As|NonNull|Satisfies)/.test(up.type)) return [{ node: up, isCall }];
  if (up.type === 'ChainExpression' || /^(Conditional|Logical)/.test(up.type))
    return [{ node: up }];
  if (/^(Array|Object)Expression$/.test(up.type)) return [{ node: up, isWithin: true }];
  if (up.type === 'SpreadElement') return [{ node: up.parent }];
  if (up.type === 'Property') return up.value === node ? [{ node: up, isWithin: true }] : [];
  // `then`, a method of a capability, and a part of the result are promises again.
  if (up.type === 'MemberExpression' && up.object === node && !isWithin)
    return [{ node: up.parent.callee === up ? up.parent : up }];
  if (/^Promise\.(all|allSettled|any|race|resolve)$/.test(callee))
    return [{ node: up, isWithin: false, isPromise: true }];
  if (/^Object\.(assign|fromEntries)$/.test(callee)) return [{ node: up, isWithin: true }];
  if (up.type === 'VariableDeclarator' && up.init === node) return readsOf(up.id, isWithin, source);
  const isResult = up.type === 'ReturnStatement' || (isFunction(up) && up.body === node);
  return isResult ? callsOf([...ancestors(node)].find(isFunction), source) : [];
}

/** Returns the places that read a constant. An object whose properties the file uses one by one may be filled later. */
function readsOf(id, isWithin, source) {
  const references = id.type === 'Identifier' ? variableOf(id, source).references : [];
  const reads = references.filter(({ init }) => !init).map(({ identifier }) => identifier);
  const isOpen = ({ parent }) => isWithin && parent.type === 'MemberExpression';
  const isConstant = references.every(({ init, writeExpr }) => init || !writeExpr);
  return isConstant && !reads.some(isOpen) ? reads.map((node) => ({ node, isPromise: true })) : [];
}

/** Returns the calls of a function, or the list that `map` makes with it. */
function callsOf(made, source) {
  const { parent } = made;
  if (parent.type === 'CallExpression' && parent.arguments[0] === made)
    return nameOf(unwrapped(parent.callee)) === 'map' ? [{ node: parent, isWithin: true }] : [];
  const id = made.id ?? parent.id;
  return (id ? readsOf(id, false, source) : [])
    .map(({ node }) => node.parent.callee === node && { node: node.parent, isPromise: true })
    .filter(Boolean);
}

/** Returns the effect if the node above a promise uses it as a value; otherwise undefined. */
function effectOf(node, { isCall, isWithin }, source) {
  const { parent: up } = node;
  const { type, operator } = up;
  if (/^(Call|New)Expression$/.test(type) && up.callee !== node) {
    const callee = source.getText(up.callee);
    return SINKS.find(({ name, within }) => name.test(callee) && (within || !isWithin))?.effect;
  }
  if (type === 'TemplateLiteral' && up.parent.type !== 'TaggedTemplateExpression') return TEXT;
  if (isWithin) return undefined;
  if (type === 'SpreadElement' || (type === 'ForOfStatement' && !up.await && up.right === node))
    return ITEMS;
  if (type === 'AssignmentExpression' && operator === '=')
    return ELEMENT_TEXT.test(nameOf(up.left)) ? TEXT : undefined;
  const calculation =
    /^(Binary|Assignment|Unary)/.test(type) && operator.replace(/(?<=[-+*/%])=$/, '');
  if (calculation === '+') return TEXT;
  if (/^([-*/%~]|\*\*|[<>]=?)$/.test(calculation)) return NUMBER;
  const isTested = up.test === node || (type === 'LogicalExpression' && up.left === node);
  const isCompared = /^([!=]==?|!)$/.test(calculation);
  return isCall && (isTested || isCompared) ? CONDITION : undefined;
}
