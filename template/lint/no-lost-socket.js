import { fieldUse } from './field-use.js';
import { holdsSockets } from './handles.js';
import { rule } from './rule.js';
import { above, bare, nameOf, variableOf } from './tree.js';
import { originsOf } from './origins.js';

export const noLostSocket = rule('state', (object, report) => {
  const { units, writes } = fieldUse(object);
  const accepted = [...units.values()]
    .flatMap(({ nodes }) => nodes)
    .filter(
      ({ type, callee }) => type === 'CallExpression' && nameOf(bare(callee)) === 'acceptWebSocket',
    );
  if (!accepted.length) return;
  const sockets = new Set(accepted.map(({ arguments: [socket] }) => variableFor(socket)));
  const done = new Set();
  for (const { name, node, values, isSetup } of writes) {
    if (isSetup || done.has(name) || isRestored(name) || isOfEachMessage(node)) continue;
    const isAccepted = values.map(variableFor).some((found) => found && sockets.has(found));
    if (!isAccepted && !holdsSockets(name, object)) continue;
    done.add(name);
    report(
      node,
      `'${name}' holds sockets that outlive it: hibernation empties the field and keeps the sockets ` +
        'open. Use ctx.getWebSockets(), with tags to select, and serializeAttachment() for the data ' +
        'of a socket; or fill the field from both in the constructor.',
    );
  }

  function isRestored(field) {
    return writes.some(
      ({ name, values }) =>
        name === field &&
        values
          .flatMap((value) => [...originsOf(value, object)])
          .some(
            ({ type, callee }) =>
              type === 'CallExpression' && nameOf(bare(callee)) === 'getWebSockets',
          ),
    );
  }

  /** A statement of `webSocketMessage` itself, without a condition, is done again after a wake-up. */
  function isOfEachMessage(node) {
    const body = bare(object.methods.get('webSocketMessage')?.value)?.body;
    return [...above(node)].find(({ type }) => type === 'ExpressionStatement')?.parent === body;
  }

  function variableFor(value) {
    const node = bare(value);
    return node?.type === 'Identifier' ? variableOf(node, object.source) : undefined;
  }
});
