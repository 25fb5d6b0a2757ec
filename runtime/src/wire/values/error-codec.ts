/** Encodes and decodes errors. A received name can only select a class from a closed list. */
import { RpcError, type RpcErrorCode } from '../errors.ts';
import { builtInName } from './plain.ts';
import { requireObject, malformed, requireText } from './part-checks.ts';

export type ErrorParts = [
  /** The name of the error's class; `Error` for a class that is not built in. */
  type: string,
  name: string,
  message: string,
  stack: string | undefined,
  /** The other own properties. */
  properties: Record<string, unknown>,
];

/** The names of the classes that are created by their name. */
const CLASSES = /^(Eval|Range|Reference|Syntax|Type|URI|)Error$/;

/**
 * Returns the parts of an error. An `RpcError` is sent without its stack: the place in the runtime where it
 * was created does not help the caller.
 */
export function errorParts(error: Error): ErrorParts {
  const { name, message, ...properties } = error as Error & Record<string, unknown>;
  // The stack is a part of its own. It is not read here, since an engine creates the text of a stack only when it is
  // read.
  delete properties['stack'];
  // This key would change the prototype of the error that arrives.
  delete properties['__proto__'];
  let type = CLASSES.test(name) ? name : 'Error';
  let stack: string | undefined;
  if (error instanceof RpcError) type = 'RpcError';
  else if (typeof error.stack === 'string') stack = error.stack;
  // Classes are compared by name, since the error can be of another realm.
  if (builtInName(error) === 'DOMException') {
    type = 'DOMException';
    // In the Workers runtime `code` is an own property. No engine lets code set it.
    delete properties['code'];
  }
  // The language makes this property and the cause non-enumerable.
  if (Object.hasOwn(error, 'errors') && !('errors' in properties)) {
    type = 'AggregateError';
    properties['errors'] = (error as AggregateError).errors;
  }
  if (Object.hasOwn(error, 'cause')) properties['cause'] = error.cause;
  return [type, String(name), String(message), stack, properties];
}

/** Creates the error without its properties. `fillError` adds them, since a cause can be the error itself. */
export function createError([type, name, message, , properties]: ErrorParts): Error {
  requireObject(properties);
  requireText(name);
  requireText(message);
  if (type === 'DOMException') return new DOMException(message, name);
  if (type === 'AggregateError') return new AggregateError([], message);
  // The code is one of the properties that `fillError` adds.
  if (type === 'RpcError') return new RpcError('' as RpcErrorCode, message);
  const classes = globalThis as unknown as Record<string, typeof Error>;
  return CLASSES.test(requireText(type))
    ? new (classes[type] as typeof Error)(message)
    : malformed();
}

export function fillError(error: Error, parts: ErrorParts): void {
  const [, name, message, stack = `${name}: ${message}`, properties] = parts;
  // The cause is defined before the other properties, so that it stays not enumerable.
  if ('cause' in properties) define(error, 'cause');
  // The `errors` of an AggregateError stay as they are, not enumerable.
  Object.assign(error, properties);
  // Name and stack are set after the properties: a message from a foreign encoder could have properties with these
  // names.
  if (error.name !== name) define(error, 'name', name);
  define(error, 'message', message);
  // Without this line, the stack would show this decoder.
  define(error, 'stack', requireText(stack));
}

/** Defines a property that is not enumerable, like the properties that the language defines on errors. */
function define(error: Error, key: string, value?: unknown): void {
  Object.defineProperty(error, key, { value, configurable: true, writable: true });
}
