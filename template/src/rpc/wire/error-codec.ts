/**
 * Errors taken apart and put together. A name that arrives selects a class from a closed list and
 * nothing else. Imports errors and parts.
 */
import { RpcError, type RpcErrorCode } from './errors.ts';
import { checkProperties, malformed, text } from './parts.ts';

export type ErrorParts = [
  /** The class to make it of; `Error` for any that is not built in. */
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
 * What the runtime reports has no stack: where it made the error says nothing about the caller's
 * mistake.
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

/** Properties that have parts of their own, or that would change the error's class. */
const NOT_SENT = new Set(['name', 'message', 'stack', '__proto__']);

/** Whether a property is one that the language does not list. */
function isHidden(error: Error, key: string): boolean {
  return key === 'cause' || (key === 'errors' && error instanceof AggregateError);
}

function typeOf(error: Error): string {
  if (error instanceof DOMException) return 'DOMException';
  if (error instanceof AggregateError) return 'AggregateError';
  if (error instanceof RpcError) return 'RpcError';
  return CLASSES.has(error.name) ? error.name : 'Error';
}

/** Without what may lead back to it, which `fillError` adds: a cause can be the error itself. */
export function makeError([type, name, message, , properties]: ErrorParts): Error {
  checkProperties(properties);
  text(name);
  text(message);
  if (type === 'DOMException') return new DOMException(message, name);
  if (type === 'AggregateError') return new AggregateError([], message);
  // Its code is among its own properties.
  if (type === 'RpcError') return new RpcError('' as RpcErrorCode, message);
  const Class = CLASSES.get(type) ?? malformed();
  return new Class(message);
}

export function fillError(error: Error, parts: ErrorParts): void {
  const [, name, message, stack = `${name}: ${message}`, properties] = parts;
  if (error.name !== name) define(error, 'name', name, false);
  // Left alone, a stack would show this decoder.
  define(error, 'stack', text(stack), false);
  for (const [key, value] of Object.entries(properties)) {
    if (NOT_SENT.has(key)) malformed();
    define(error, key, value, !isHidden(error, key));
  }
}

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, configurable: true, writable: true });
}
