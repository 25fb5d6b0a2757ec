/**
 * Finds the Durable Object that a request's path names, and hands the request to it.
 * Imports caller, cors and wire/.
 */
import { CALL_SEGMENT, PROBE } from '../wire/messages.ts';
import { withoutCaller } from './caller.ts';
import {
  answerPreflight,
  type Cors,
  isOriginAllowed,
  isPreflight,
  withCorsHeaders,
} from './cors.ts';

/** Where a request is going. */
export interface Route {
  /** The binding's name in `env`. */
  binding: string;
  /** The object's name, or its id as 64 hex characters. */
  instance: string;
}

/** Refuses with a `Response`, replaces with a `Request`, or passes with nothing. */
export type Hook = (
  request: Request,
  route: Route,
) => Response | Request | void | Promise<Response | Request | void>;

export interface RouteOptions {
  /** Path before the binding, with or without slashes at its ends. Default `/__rpc`. */
  prefix?: string;
  /** Which pages of other origins may call, by POST and by WebSocket. Default none. */
  cors?: Cors;
  /** Runs before a WebSocket upgrade reaches the object, which it can spare being woken. */
  onBeforeConnect?: Hook;
  /** Runs before any other request reaches the object. */
  onBeforeRequest?: Hook;
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
 *   Durable Object binding; 400 when the instance is missing or malformed; 403 for a page of
 *   another origin; 500 when two bindings match or a hook throws. Never throws for what a client
 *   sent.
 * @example
 * return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
 */
export async function routeDORequest(
  request: Request,
  env: object,
  options: RouteOptions = {},
): Promise<Response | undefined> {
  const { prefix = '/__rpc', cors = false } = options;
  const [binding, instance] = segmentsAfter(prefix, new URL(request.url).pathname);
  const matches = findNamespaces(env, binding);
  if (matches.length === 0) return undefined;
  if (!isOriginAllowed(request, cors)) {
    return text(403, `Pages of ${request.headers.get('Origin')} may not call: see the option cors`);
  }
  const response = isPreflight(request)
    ? answerPreflight(request)
    : await forward(withoutCaller(request), matches, instance, options);
  return withCorsHeaders(response, request, cors);
}

async function forward(
  request: Request,
  matches: [string, DurableObjectNamespace][],
  segment: string | undefined,
  options: RouteOptions,
): Promise<Response> {
  const [[binding, namespace]] = matches as [[string, DurableObjectNamespace]];
  if (matches.length > 1) {
    const names = matches.map(([name]) => name).join(' and ');
    return text(500, `The path matches the bindings ${names}: name one of them exactly`);
  }
  const instance = decode(segment);
  if (!instance) return text(400, `The path has to end in ${binding}/{instance}/${CALL_SEGMENT}`);
  const id = idOf(namespace, instance);
  if (!id) return text(400, `${instance} is not an id of ${binding}`);
  const passed = await runHook(request, { binding, instance }, options);
  return passed instanceof Response ? passed : namespace.get(id).fetch(passed);
}

async function runHook(
  original: Request,
  route: Route,
  { onBeforeConnect, onBeforeRequest }: RouteOptions,
): Promise<Request | Response> {
  const request = asUpgrade(original);
  const isUpgrade = request.headers.get('Upgrade')?.toLowerCase() === 'websocket';
  const hook = isUpgrade ? onBeforeConnect : onBeforeRequest;
  try {
    const passed = (await hook?.(request, route)) ?? request;
    // A probe only wants to know whether the upgrade would be refused.
    return request === original || passed instanceof Response ? passed : original;
  } catch (error) {
    console.error(error);
    return text(500, 'The request could not be checked: a hook of the router failed');
  }
}

/** For a probe, the upgrade that it asks about; any other request as it is. */
function asUpgrade(request: Request): Request {
  const protocols = request.headers.get(PROBE);
  if (protocols === null) return request;
  const headers = new Headers(request.headers);
  headers.set('Upgrade', 'websocket');
  headers.set('Sec-WebSocket-Protocol', protocols);
  return new Request(request.url, { headers });
}

/** The two path segments after the prefix, still encoded; none when the prefix is not the path's. */
function segmentsAfter(prefix: string, pathname: string): string[] {
  const wanted = prefix.split('/').filter(Boolean);
  const path = pathname.split('/').slice(1);
  const isUnder = wanted.every((segment, index) => segment === path[index]);
  return isUnder ? path.slice(wanted.length, wanted.length + 2) : [];
}

/** `undefined` for a segment that is missing, empty or malformed. */
function decode(segment: string | undefined): string | undefined {
  try {
    return segment ? decodeURIComponent(segment) : undefined;
  } catch {
    return undefined;
  }
}

/** An exact name wins; otherwise every binding that differs only in case and separators. */
function findNamespaces(
  env: object,
  segment: string | undefined,
): [string, DurableObjectNamespace][] {
  const name = decode(segment);
  if (!name) return [];
  const namespaces = Object.entries(env).filter(([, value]) => isNamespace(value));
  const exact = namespaces.filter(([key]) => key === name);
  return exact.length > 0 ? exact : namespaces.filter(([key]) => spelling(key) === spelling(name));
}

function spelling(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

/** Asks the prototype: a service binding answers to every property, so its own say proves nothing. */
function isNamespace(value: unknown): value is DurableObjectNamespace {
  if (typeof value !== 'object' || value === null) return false;
  return 'idFromName' in (Object.getPrototypeOf(value) ?? {});
}

/** `undefined` for what looks like an id and is not one of this namespace. */
function idOf(namespace: DurableObjectNamespace, instance: string): DurableObjectId | undefined {
  if (!/^[0-9a-f]{64}$/i.test(instance)) return namespace.idFromName(instance);
  try {
    return namespace.idFromString(instance.toLowerCase());
  } catch {
    return undefined;
  }
}

function text(status: number, message: string): Response {
  return new Response(message, { status });
}
