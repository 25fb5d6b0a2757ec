/** How the methods of a Durable Object class use its fields together with its storage. */
import { isField, kindOf } from './storage.js';
import { above, bare, below, isFunction, nameOf, rebindsThis } from './tree.js';

const CONTAINER = /\[\]|\b(Map|Set|Array|Record)\b|^[[{]/;
const FILLING = /^(add|push|set|splice|unshift)$/;
/** Emptying a field loses nothing that was not given up. */
const EMPTY = /^(undefined|null|void 0|\[\]|\{\}|new (Map|Set)\(\))$/;

/** For each method: which fields it writes and which it keeps in storage, and what it calls. */
export function readMethods(object) {
  const methods = new Map();
  for (const [name, { value }] of object.methods)
    methods.set(name, readMethod(name, bare(value), object));
  // What the constructor calls is part of it.
  const markSetup = (name) => {
    const method = methods.get(name);
    if (!method || method.isSetup) return;
    method.isSetup = true;
    method.calls.forEach(markSetup);
  };
  markSetup('constructor');
  return methods;
}

function readMethod(name, method, object) {
  const nodes = [...below(method, object.source, rebindsThis)];
  const touches = nodes.filter((node) => isTouch(node, object));
  const fields = nodes.filter(isField);
  const uses = fields.filter((node) => changeOf(node, object) !== 'emptying');
  const isKept = (node) =>
    name === 'constructor'
      ? isRestored(node, method, touches)
      : touches.some((touch) => isAbout(touch, nameOf(node), object));
  return {
    calls: new Set(fields.filter(({ parent }) => parent.type === 'CallExpression').map(nameOf)),
    isTouching: touches.length > 0,
    kept: new Set(uses.filter(isKept).map(nameOf)),
    writes: uses.filter((node) => changeOf(node, object) && !isHarmless(node, nodes, object)),
  };
}

/** `'filling'` or `'emptying'` where `this.x`, or something in it, is changed. */
function changeOf(node, object) {
  let top = node;
  while (top.parent.object === top || /^(TS(As|NonNull)|Chain)/.test(top.parent.type))
    top = top.parent;
  const { type, left, right, callee } = top.parent;
  const isInside = top !== node;
  if (isInside && !object.fields.get(nameOf(node))?.some(({ text }) => CONTAINER.test(text)))
    return;
  if (type === 'AssignmentExpression' && left === top)
    return EMPTY.test(object.source.getText(right)) ? 'emptying' : 'filling';
  const isFilling = callee === top && isInside && FILLING.test(nameOf(bare(top)));
  return type === 'UpdateExpression' || isFilling ? 'filling' : undefined;
}

/**
 * `this.x ??= …` and `if (!this.x) this.x = …` are made again when missing, so nothing is lost; what
 * `new Promise(…)` notes down ends with who waits for it.
 */
function isHarmless(node, nodes, { source }) {
  const name = `this.${nameOf(node)}`.replaceAll('$', '\\$');
  const missing = new RegExp(
    `^!?${name}\\b(\\??\\.(has|get)\\([^)]*\\))?( [=!]==? (undefined|null|false))?$`,
  );
  return (
    /^(\?\?|\|\|)=$/.test(node.parent.operator) ||
    [...above(node)].some((up) => up.type === 'NewExpression' && nameOf(up.callee) === 'Promise') ||
    nodes.some(({ type, test }) => type === 'IfStatement' && missing.test(source.getText(test)))
  );
}

/** In the constructor: in a loop or a callback, or given something that is read there. */
function isRestored(node, method, touches) {
  for (const up of above(node)) {
    if (up === method) break;
    if (isFunction(up) || /^(For|While)/.test(up.type)) return true;
  }
  return touches.some((touch) => [...above(touch)].includes(node.parent));
}

/** Whether reading or writing storage there concerns the field: it names it, or no field at all. */
function isAbout({ arguments: given = [], callee }, field, object) {
  const named = given
    .flatMap((argument) => [argument, ...below(argument, object.source)])
    .filter((node) => isField(node) && !kindOf(node, object));
  // A literal that is put does not come from a field.
  const isOther = callee && nameOf(callee) === 'put' && given[1]?.type === 'Literal';
  return named.length > 0 ? named.some((node) => nameOf(node) === field) : !isOther;
}

/** Whether a node reads or writes storage: its own, an attachment, another service's. */
function isTouch(node, object) {
  if (!/^(Call|New|TaggedTemplate)Expression$/.test(node.type)) return false;
  if (node.arguments?.some((argument) => kindOf(argument, object))) return true;
  const callee = bare(node.callee ?? node.tag);
  if (/^((de)?serializeAttachment|getWebSockets)$/.test(nameOf(callee))) return true;
  for (let root = callee; root; root = bare(root.object ?? root.callee)) {
    if (/^(storage|sync)$/.test(kindOf(root, object))) return !nameOf(callee)?.endsWith('Alarm');
    // `this.env.DB.prepare()`, and what was made from storage, as `this.db = drizzle(ctx.storage)`.
    if (root !== callee && isField(root))
      return nameOf(root) === 'env' || object.fields.get(nameOf(root))?.some(isMadeFromStorage);
  }
  return false;

  function isMadeFromStorage({ value }) {
    return value?.arguments?.some((argument) => kindOf(argument, object));
  }
}
