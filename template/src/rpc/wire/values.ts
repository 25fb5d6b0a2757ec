/**
 * Which values may cross the wire: plain JSON data, sent as itself.
 * Imports errors only.
 */
import { RpcError } from './errors.ts';

/**
 * Checks that JSON would carry a value without changing it.
 *
 * @param value - what is about to be sent
 * @param path - where `value` stands, for the error
 * @throws RpcError `UNSERIALIZABLE` with the path to the first part that JSON would drop or alter
 */
export function assertPlain(value: unknown, path: string): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return;
      return refuse(Object.is(value, -0) ? '-0' : String(value), path);
    case 'object':
      if (value === null) return;
      if (Array.isArray(value)) return assertPlainArray(value, path);
      return assertPlainObject(value, path);
    default:
      return refuse(typeof value, path);
  }
}

function assertPlainArray(array: unknown[], path: string): void {
  for (let index = 0; index < array.length; index++) {
    assertPlain(array[index], `${path}[${index}]`);
  }
}

function assertPlainObject(object: object, path: string): void {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype) {
    return refuse(prototype?.constructor?.name ?? 'null-prototype object', path);
  }
  for (const [key, value] of Object.entries(object)) {
    assertPlain(value, path + propertyPath(key));
  }
}

function refuse(what: string, path: string): never {
  throw new RpcError('UNSERIALIZABLE', `Cannot send ${what} at ${path}: only JSON data can cross`, {
    path,
  });
}

/** A key as a step of a path: `.name`, or `["odd name"]` where a dot would not do. */
export function propertyPath(key: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)
    ? `.${key}`
    : `[${JSON.stringify(key)}]`;
}
