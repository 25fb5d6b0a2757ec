/** Finds fields that hold sockets. Hibernation empties the fields, and keeps the sockets open. */
import { codeOf } from '../classes/called-functions.js';
import { contains, originsOf } from '../classes/origins.js';
import { isField } from '../classes/storage.js';
import { fieldUse } from '../fields/field-use.js';
import { rule } from '../rule.js';
import { ancestors, nameOf, outermostAccess, unwrapped, variableOf } from '../tree.js';

/** Names of fields that limit a rate. Their counts may start anew, so a loss is harmless. */
const LIMIT = /rate|limit|throttle|ping|bucket/i;
const ASIDE = /^(add|set|push|unshift|delete|clear)$/;

export const noLostSocket = rule('state', (object, report) => {
  const sockets = hibernatingSockets(object);
  if (!sockets.size) return;
  const isSocket = (value) =>
    value.type === 'Identifier' && sockets.has(variableOf(value, object.source));
  const { writes } = fieldUse(object);
  const read = new Set([...codeOf(object)].filter((node) => isRead(node, object)).map(fieldOf));
  // A field that is filled from the list of sockets is filled again after a wake-up.
  const done = new Set(writes.filter((write) => isListed(write, object)).map(({ name }) => name));
  for (const { name, node, values, isSetup } of writes) {
    if (isSetup || done.has(name) || !read.has(name) || LIMIT.test(name)) continue;
    if (isOfEachMessage(node, object)) continue;
    if (!values.some((value) => contains(value, isSocket, object))) continue;
    done.add(name);
    report(
      node,
      `'${name}' holds sockets, but hibernation empties the field while the sockets stay open. Use ` +
        'ctx.getWebSockets(), with tags to select sockets, and serializeAttachment() for the data of a ' +
        'socket. Or fill the field from both in the constructor.',
    );
  }
});

/**
 * Returns the variables with sockets that hibernation keeps open: arguments of `acceptWebSocket`, and parameters of
 * handlers.
 */
function hibernatingSockets(object) {
  const { methods, source } = object;
  const named = [];
  for (const { callee, arguments: given } of codeOf(object))
    if (callee && nameOf(unwrapped(callee)) === 'acceptWebSocket') named.push(given[0]);
  if (!named.length) return new Set();
  for (const name of ['webSocketMessage', 'webSocketClose', 'webSocketError'])
    named.push(unwrapped(methods.get(name)?.value)?.params[0]);
  const variables = named
    .map(unwrapped)
    .filter((socket) => socket?.type === 'Identifier')
    .map((socket) => variableOf(socket, source));
  return new Set(variables.filter(Boolean));
}

const fieldOf = (node) => nameOf(unwrapped(node));

/** Returns whether a node reads a field: it does not only fill or empty it. */
function isRead(node, object) {
  if (!isField(node, object)) return false;
  const whole = outermostAccess(node);
  const { type, callee, left } = whole.parent;
  if (type === 'AssignmentExpression' && left === whole) return false;
  return type !== 'CallExpression' || callee !== whole || !ASIDE.test(fieldOf(whole));
}

const isListed = ({ values }, object) =>
  values.some((value) =>
    [...originsOf(value, object)].some(
      ({ type, callee }) =>
        type === 'CallExpression' && nameOf(unwrapped(callee)) === 'getWebSockets',
    ),
  );

/**
 * Returns whether a node is in a statement of `webSocketMessage` without a condition. Such a statement runs again after
 * a wake-up.
 */
function isOfEachMessage(node, { methods }) {
  const statement = [...ancestors(node)].find(({ type }) => type === 'ExpressionStatement');
  return statement?.parent === (unwrapped(methods.get('webSocketMessage')?.value)?.body ?? null);
}
