/**
 * Encodes and decodes errors. A received name can only select a class from a closed list. Imports errors
 * and parts.
 */
import { RpcError, type RpcErrorCode } from './errors.ts';
import { checkProperties, malformed, text } from './parts.ts';

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
export function takeError(error: Error): ErrorParts {
  const properties: Record<string, unknown> = {};
  for (const key of Object.getOwnPropertyNames(error)) {
    if (NOT_SENT.has(key) || (key === 'code' && error instanceof DOMException)) continue;
    const isListed = Object.getOwnPropertyDescriptor(error, key)?.enumerable;
    if (isListed || isHidden(error, key)) properties[key] = error[key as keyof Error];
  }
  const type = typeOf(error);
  const stack = type !== 'RpcError' && typeof error.stack === 'string' ? error.stack : undefined;
  return [type, String(error.name), String(error.message), stack, properties];
}

/** Properties that are separate parts, or that would change the error's prototype. */
const NOT_SENT = new Set(['name', 'message', 'stack', '__proto__']);

/** Whether the language makes this property non-enumerable, and it is sent nevertheless. */
function isHidden(error: Error, key: string): boolean {
  return key === 'cause' || (key === 'errors' && error instanceof AggregateError);
}

function typeOf(error: Error): string {
  if (error instanceof DOMException) return 'DOMException';
  if (error instanceof AggregateError) return 'AggregateError';
  if (error instanceof RpcError) return 'RpcError';
  return CLASSES.has(error.name) ? error.name : 'Error';
}

/** Creates the error without its properties. `fillError` adds them, since a cause can be the error itself. */
export function makeError([type, name, message, , properties]: ErrorParts): Error {
  checkProperties(properties);
  text(name);
  text(message);
  if (type === 'DOMException') return new DOMException(message, name);
  if (type === 'AggregateError') return new AggregateError([], message);
  // The code is one of the properties that `fillError` adds.
  if (type === 'RpcError') return new RpcError('' as RpcErrorCode, message);
  const Class = CLASSES.get(type) ?? malformed();
  return new Class(message);
}

export function fillError(error: Error, parts: ErrorParts): void {
  const [, name, message, stack = `${name}: ${message}`, properties] = parts;
  if (error.name !== name) define(error, 'name', name, false);
  // Otherwise the stack would be that of this decoder.
  define(error, 'stack', text(stack), false);
  for (const [key, value] of Object.entries(properties)) {
    if (NOT_SENT.has(key)) malformed();
    define(error, key, value, !isHidden(error, key));
  }
}

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, configurable: true, writable: true });
}
