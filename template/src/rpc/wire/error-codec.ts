/**
 * Errors taken apart and put together. A name that arrives selects a class from a closed list and
 * nothing else. Imports errors and parts.
 */
import { RpcError, type RpcErrorCode } from './errors.ts';
import { pairs, text } from './parts.ts';

export type ErrorParts = [
  /** The class to make it of; `Error` for any that is not built in. */
  type: string,
  name: string,
  message: string,
  stack: string | undefined,
  /** Which of the properties the language does not list. */
  hidden: string,
  /** The other own properties, each key before its value. */
  ...properties: unknown[],
];

const CLASSES = new Map<string, new (message: string) => Error>(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((Class) => [
    Class.name,
    Class,
  ]),
);

/** @param withStack - false keeps the stack from the other side */
export function takeError(error: Error, withStack: boolean): ErrorParts {
  let hidden = '';
  const properties: unknown[] = [];
  for (const key of Object.getOwnPropertyNames(error)) {
    if (NOT_SENT.has(key) || (key === 'code' && error instanceof DOMException)) continue;
    if (!Object.prototype.propertyIsEnumerable.call(error, key)) {
      if (!HIDDEN.has(key)) continue;
      hidden += key;
    }
    properties.push(key, error[key as keyof Error]);
  }
  const stack = withStack && typeof error.stack === 'string' ? error.stack : undefined;
  const { name, message } = error;
  return [typeOf(error), String(name), String(message), stack, hidden, ...properties];
}

/** Properties that have parts of their own, or that would change the error's class. */
const NOT_SENT = new Set(['name', 'message', 'stack', '__proto__']);

/** Properties that the language does not list. */
const HIDDEN = new Set(['cause', 'errors']);

function typeOf(error: Error): string {
  if (error instanceof DOMException) return 'DOMException';
  if (error instanceof AggregateError) return 'AggregateError';
  if (error instanceof RpcError) return 'RpcError';
  return CLASSES.has(error.name) ? error.name : 'Error';
}

/** Without what may lead back to it, which `fillError` adds: a cause can be the error itself. */
export function makeError([type, name, message]: ErrorParts): Error {
  text(name);
  text(message);
  if (type === 'DOMException') return new DOMException(message, name);
  if (type === 'AggregateError') return new AggregateError([], message);
  // Its code is among its own properties.
  if (type === 'RpcError') return new RpcError('' as RpcErrorCode, message);
  const Class = CLASSES.get(type);
  if (!Class) throw new TypeError('no such error');
  return new Class(message);
}

export function fillError(error: Error, parts: ErrorParts): void {
  const [, name, message, stack = `${name}: ${message}`, hidden, ...properties] = parts;
  if (error.name !== name) define(error, 'name', name, false);
  // Left alone, a stack would show this decoder.
  define(error, 'stack', text(stack), false);
  for (const [key, value] of pairs(properties as string[])) {
    if (NOT_SENT.has(text(key))) throw new TypeError('no such property');
    define(error, key, value, !(HIDDEN.has(key) && hidden.includes(key)));
  }
}

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, configurable: true, writable: true });
}
