/** Finds the Durable Object that a request's path names, and hands the request to it. */
import { CALL_SEGMENT } from '../wire/messages.ts';

export interface RouteOptions {
  /** Path before the binding, with or without slashes at its ends. Default `/__rpc`. */
  prefix?: string;
}

/**
 * Routes `{prefix}/{binding}/{instance}/…` to a Durable Object.
 *
 * The binding is found as written, or else in the usual spellings: `my-counter` finds `MY_COUNTER`
 * and `MyCounter`. An instance of 64 hex characters is an id, anything else a name.
 *
 * @param request - what the Worker received
 * @param env - the Worker's bindings
 * @returns the object's response; `undefined` when the path is not under the prefix or names no
 *   Durable Object binding; 400 when the instance is missing or malformed; 500 when two bindings
 *   match. Never throws for what a client sent.
 * @example
 * return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
 */
export async function routeDORequest(
  request: Request,
  env: object,
  { prefix = '/__rpc' }: RouteOptions = {},
): Promise<Response | undefined> {
  const segments = segmentsAfter(prefix, new URL(request.url).pathname);
  if (!segments) return undefined;
  const [binding = '', instance = ''] = segments;
  const matches = findNamespaces(env, binding);
  const [match] = matches;
  if (!match) return undefined;
  if (matches.length > 1) {
    const names = matches.map(([name]) => name).join(' and ');
    return new Response(`${binding} matches ${names}: name one of them exactly`, { status: 500 });
  }
  if (instance === '') {
    return new Response(`Expected ${prefix}/${binding}/{instance}/${CALL_SEGMENT}`, {
      status: 400,
    });
  }
  const [, namespace] = match;
  try {
    return await namespace.get(idOf(namespace, instance)).fetch(request);
  } catch (error) {
    if (!(error instanceof InvalidId)) throw error;
    return new Response(error.message, { status: 400 });
  }
}

/** The decoded path segments after the prefix, or `undefined` when it is not the path's. */
function segmentsAfter(prefix: string, pathname: string): string[] | undefined {
  const wanted = prefix.split('/').filter(Boolean);
  const path = pathname.split('/').slice(1);
  if (!wanted.every((segment, index) => segment === path[index])) return undefined;
  try {
    return path.slice(wanted.length).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** An exact name wins; otherwise every binding that differs only in case and separators. */
function findNamespaces(env: object, name: string): [string, DurableObjectNamespace][] {
  const namespaces = Object.entries(env).filter(([, value]) => isNamespace(value));
  const exact = namespaces.filter(([key]) => key === name);
  if (exact.length > 0) return exact;
  return namespaces.filter(([key]) => spelling(key) === spelling(name));
}

function spelling(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

/** Asks the prototype: a service binding answers to every property, so its own say proves nothing. */
function isNamespace(value: unknown): value is DurableObjectNamespace {
  if (typeof value !== 'object' || value === null) return false;
  return 'idFromName' in (Object.getPrototypeOf(value) ?? {});
}

class InvalidId extends Error {}

function idOf(namespace: DurableObjectNamespace, instance: string): DurableObjectId {
  if (!/^[0-9a-f]{64}$/i.test(instance)) return namespace.idFromName(instance);
  try {
    return namespace.idFromString(instance.toLowerCase());
  } catch (cause) {
    throw new InvalidId(`${instance} is not an id of this namespace`, { cause });
  }
}
