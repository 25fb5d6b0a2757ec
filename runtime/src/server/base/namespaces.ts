/** The Durable Objects that the segments of a path name. */
import { isObject } from '../../wire/values/plain.ts';

/** The names of instances that begin with this are for the library. No client can name such an instance. */
export const LIBRARY_NAMES = '__rpc';

/** `undefined` for a segment that is missing, empty or malformed. */
export function decodeSegment(segment: string | undefined): string | undefined {
  try {
    return segment ? decodeURIComponent(segment) : undefined;
  } catch {
    return undefined;
  }
}

/** The binding with the exact name, or else all bindings that differ only in case and separators. */
export function findNamespaces(
  env: object,
  segment: string | undefined,
  bindings?: readonly string[],
): [string, DurableObjectNamespace][] {
  const name = decodeSegment(segment);
  if (!name) return [];
  const isListed = (key: string): boolean => bindings?.includes(key) ?? true;
  const exact: unknown = Object.hasOwn(env, name) && env[name as keyof object];
  if (isNamespace(exact) && isListed(name)) return [[name, exact]];
  return namespacesOf(env).filter(([key]) => isListed(key) && spelling(key) === spelling(name));
}

/** All Durable Object bindings, by name. */
export function namespacesOf(env: object): [string, DurableObjectNamespace][] {
  return Object.entries(env).filter(([, value]) => isNamespace(value));
}

function spelling(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

/** Checks the prototype, because a service binding seems to have every property. */
function isNamespace(value: unknown): value is DurableObjectNamespace {
  return isObject(value) && 'idFromName' in (Object.getPrototypeOf(value) ?? {});
}

/** `undefined` for an instance that has the form of an id but is not an id of this namespace. */
export function objectIdOf(
  namespace: DurableObjectNamespace,
  instance: string,
): DurableObjectId | undefined {
  if (!/^[0-9a-f]{64}$/i.test(instance)) return namespace.idFromName(instance);
  try {
    return namespace.idFromString(instance.toLowerCase());
  } catch {
    return undefined;
  }
}
