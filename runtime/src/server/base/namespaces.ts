/** The Durable Objects that the segments of a path name. */
import { isObject } from '../../wire/values/plain.ts';

/** The beginning of the names of instances that are reserved for the runtime. No client can name such an instance. */
export const LIBRARY_NAMES = '__rpc';

/** Returns the decoded segment; `undefined` if the segment is missing, empty or malformed. */
export function decodeSegment(segment: string | undefined): string | undefined {
  try {
    return segment ? decodeURIComponent(segment) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the binding with the exact name, or else all bindings whose names differ only in case and separators. */
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

/** Returns all Durable Object bindings with their names. */
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

/** Returns the id of an instance; `undefined` if the instance has the form of an id but is no id of this namespace. */
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
