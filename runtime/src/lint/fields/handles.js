/** Finds fields whose values cannot be stored, and fields that certainly hold data. */
import { contains } from '../classes/origins.js';
import { nameOf, unwrapped, valueOf, variableOf } from '../tree.js';

/** Types and values that can only be in memory. */
const HANDLE =
  /\bPromise|\bWeak(Map|Set|Ref)|Controller\b|Timeout\b|Timer\b|setInterval|=>|\bFunction\b|\bRpc(Stub|Target|Session)\b|Stub\b|\bFetcher\b|\bService\b|Stream\b|\b(Re|Wri|Rea)(ader|ter)\b|Writer\b|\basync\b|Emitter\b|Iterator\b|Generator\b/;
const SOCKET = /\bWebSocket\b/;
/** Names of fields whose loss costs only time. */
const TRANSIENT_NAME =
  /cache|memo|promise|resolve|waiter|waiting|listener|callback|in_?flight|debounce|throttle|timer|timeout|heartbeat|abort|controller|warned|verbose|debug|^[#_]*(ws|(web)?socket|conn(ection)?|client|stub)$/i;
const BOOLEAN = /^(: )?(boolean|true|false)$/;

const textsOf = (name, object) => object.fields.get(name) ?? [];

const isOfHandle = (type) => HANDLE.test(type) || SOCKET.test(type);

/** Returns whether an object can lose a field without losing data. */
export function isTransient(name, object) {
  return (
    TRANSIENT_NAME.test(name) ||
    textsOf(name, object).some(({ text, value }) => {
      if (value && /Function/.test(value.type)) return true;
      if (value?.type === 'NewExpression' && !isContainer(value)) return true;
      const full = withTypes(text, object);
      return isOfHandle(full) || BOOLEAN.test(text);
    })
  );
}

const isContainer = ({ callee }) => /^(Map|Set|Array|Date)$/.test(callee.name);

/** Returns the text of a type, and the texts of the file's types and classes that it names. */
function withTypes(text, { source, types }, depth = 0) {
  if (depth > 3) return text;
  const named = [...new Set(text.match(/\b[A-Z]\w*\b/g) ?? [])]
    .filter((name) => types.has(name))
    .map((name) => withTypes(source.getText(types.get(name)), { source, types }, depth + 1));
  return [text, ...named].join(' ');
}

const HANDLE_NAME = /^(resolve|reject|(web)?socket|ws|controller|callback|abort\w*)$/i;
const HANDLE_MAKER = /^(dup|setTimeout|setInterval|WebSocketPair)$/;

/**
 * Returns whether a write assigns a value that can only be in memory: `{ resolve, reject }`, a callback, a stub, or a
 * socket. The current time also counts, because throttles store it.
 */
export const isHandle = ({ values }, object) =>
  values.some(
    (value) =>
      isNow(value, object) || contains(value, (node) => isHandleNode(node, object), object),
  );

const isNow = (value, object) =>
  object.source.getText(valueOf(value, object.source)) === 'Date.now()';

function isHandleNode(node, object) {
  if (/^(ArrowFunction|Function)Expression$/.test(node.type)) return true;
  if (node.type === 'Property') return HANDLE_NAME.test(nameOf(node));
  if (node.type === 'Identifier')
    return (
      HANDLE_NAME.test(node.name) || isOfHandle(typeOf(node, object)) || isAccepted(node, object)
    );
  return Boolean(node.callee) && HANDLE_MAKER.test(nameOf(unwrapped(node.callee)));
}

/** Returns whether a variable holds a socket: it occurs in `socket.accept()` or `acceptWebSocket(socket)`. */
function isAccepted(node, { source }) {
  const references = variableOf(node, source)?.references ?? [];
  return references.some(({ identifier: { parent } }) =>
    /^accept(WebSocket)?$/.test(nameOf(unwrapped(parent.callee ?? parent))),
  );
}

function typeOf(identifier, object) {
  const annotation = variableOf(identifier, object.source)?.defs[0]?.name.typeAnnotation;
  return annotation ? withTypes(object.source.getText(annotation), object) : '';
}

const DATA_TYPE = /^: (readonly )?(string|number|bigint|Date|Array<|Set<|Map<|Record<|\[|\{)|\[\]/;
const DATA_VALUE =
  /^(Literal|TemplateLiteral|ArrayExpression|ObjectExpression|UpdateExpression|BinaryExpression)$/;

/** Returns whether a field certainly holds data, and not an object with behaviour of its own. */
export function holdsData({ name, values, node }, object) {
  const isData = (value) =>
    DATA_VALUE.test(value?.type) || (value?.type === 'NewExpression' && isContainer(value));
  return (
    node.parent.type === 'UpdateExpression' ||
    values.some((value) => isData(unwrapped(value))) ||
    textsOf(name, object).some(
      ({ text, value }) => DATA_TYPE.test(text) || (value && value.raw !== 'null' && isData(value)),
    )
  );
}
