/** Finds clients at module scope of a Worker whose WebSocket several requests would share. */
import { importedName, resultsOf } from '../calls/clients.js';
import { durableObjects } from '../classes/durable-objects.js';
import { fileRule } from '../rule.js';
import {
  ancestors,
  descendants,
  isClass,
  isFunction,
  nameOf,
  unwrapped,
  valueOf,
  variableOf,
} from '../tree.js';

/** The handlers that make an exported object a Worker. */
const HANDLER = /^(fetch|scheduled|queue|email)$/;

export const noSharedClient = fileRule('calls', (context, report) => {
  const { sourceCode: source } = context;
  if (!source.text.includes('createRpcClient') || !isWorker(context)) return;
  for (const node of descendants(source.ast, source, () => false)) {
    if (node.type !== 'CallExpression' || !isShared(node, source)) continue;
    if ([node, ...resultsOf(node, source)].some((made) => opensSocket(unwrapped(made), source)))
      report(
        node,
        'All requests share this client, but its WebSocket works only in the request that opened it: in ' +
          "production, calls of other requests fail. Create the client in the handler, or set transport: 'http', " +
          'or a bindingTransport for an object of this Worker.',
      );
  }
});

/** Returns whether a module exports handlers, a Durable Object class, or another class of the platform. */
function isWorker(context) {
  const { sourceCode: source } = context;
  const objects = new Set(durableObjects(context).map(({ node }) => node));
  const isOfWorker = (expression) => {
    const value = valueOf(expression, source);
    if (isClass(value))
      return objects.has(value) || nameOf(value.superClass ?? {}) === 'WorkerEntrypoint';
    if (value?.type === 'NewExpression') return nameOf(value.callee) === 'Hono';
    if (value?.type !== 'CallExpression') return Boolean(value && hasHandler(value));
    // A wrapper, such as `lumenizeRpcDO(Class, contract)` or `withSentry(options, { fetch })`.
    return nameOf(value.callee) === 'lumenizeRpcDO' || value.arguments.some(isOfWorker);
  };
  return source.ast.body.some(({ type, declaration, specifiers, source: from }) => {
    if (!/^Export(Default|Named)/.test(type) || from) return false;
    const exported = [declaration, ...(declaration?.declarations ?? []).map(({ init }) => init)];
    return [...exported, ...(specifiers ?? []).map(({ local }) => local)].some(isOfWorker);
  });
}

const hasHandler = ({ properties }) =>
  properties?.some((property) => property.key && HANDLER.test(nameOf(property)));

/** Returns whether the value of a call is kept at module scope, also if a request fills the variable. */
function isShared(call, source) {
  const path = [...ancestors(call)];
  const isInside = (node) =>
    isFunction(node) || (/^PropertyDefinition$/.test(node.type) && !node.static);
  if (!path.some(isInside)) return true;
  const { left } = path.find(({ type }) => !/^(TS|Logical|Chain|Await)/.test(type));
  const variable = left?.type === 'Identifier' && variableOf(left, source);
  return Boolean(variable) && /^(module|global)$/.test(variable.scope.type);
}

/** Returns whether a call is `createRpcClient` with the transport that opens WebSockets. */
function opensSocket(call, source) {
  if (call?.type !== 'CallExpression' || importedName(call.callee, source) !== 'createRpcClient')
    return false;
  if (call.arguments.length < 3) return true;
  const options = valueOf(call.arguments[2], source);
  if (!options.properties?.every(({ type }) => type === 'Property')) return false;
  const transport = options.properties.find((property) => nameOf(property) === 'transport');
  return !transport || transport.value.value === 'websocket';
}
