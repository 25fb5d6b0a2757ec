/** Encodes and decodes errors. A received name can only select a class from a closed list. */
import { RpcError, type RpcErrorCode } from '../errors.ts';
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

const CLASSES = new Map<string, new (message: string) => Error>(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((Class) => [
    Class.name,
    Class,
  ]),
);

/**
 * Returns the parts of an error. An `RpcError` is sent without its stack: the place in the runtime where it
 * was created does not help the caller.
 */
export function errorParts(error: Error): ErrorParts {
  const { name, message, ...properties } = error as Error & Record<string, unknown>;
  // A part of its own. It is not read here, since an engine writes a stack only when it is read.
  delete properties['stack'];
  // This key would change the prototype of the error that arrives.
  delete properties['__proto__'];
  let type = CLASSES.has(name) ? name : 'Error';
  let stack: string | undefined;
  if (error instanceof RpcError) type = 'RpcError';
  else if (typeof error.stack === 'string') stack = error.stack;
  if (error instanceof DOMException) {
    type = 'DOMException';
    // In the Workers runtime an own property, and nowhere one that can be set.
    delete properties['code'];
  }
  if (error instanceof AggregateError) {
    type = 'AggregateError';
    // The language makes this and the cause non-enumerable.
    properties['errors'] = error.errors;
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
  const Class = CLASSES.get(type) ?? malformed();
  return new Class(message);
}

export function fillError(error: Error, parts: ErrorParts): void {
  const [, name, message, stack = `${name}: ${message}`, properties] = parts;
  // First, so that it stays not enumerable as well.
  if ('cause' in properties) define(error, 'cause');
  // The `errors` of an AggregateError stay as they are, not enumerable.
  Object.assign(error, properties);
  // After the properties, which could have the same names in a message that is not from an encoder.
  if (error.name !== name) define(error, 'name', name);
  define(error, 'message', message);
  // Otherwise the stack would be that of this decoder.
  define(error, 'stack', requireText(stack));
}

/** As the language defines these: not enumerable. */
function define(error: Error, key: string, value?: unknown): void {
  Object.defineProperty(error, key, { value, configurable: true, writable: true });
}
