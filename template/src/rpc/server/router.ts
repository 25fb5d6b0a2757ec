/**
 * Finds the Durable Object that a request's path names, and forwards the request to it. Imports caller, cors,
 * requests and wire/.
 */
import { CALL_SEGMENT, PROBE } from '../wire/messages.ts';
import { withoutCaller } from './caller.ts';
import {
  answerPreflight,
  type Cors,
  isOriginAllowed,
  isPreflight,
  refuseOrigin,
  withCorsHeaders,
  withRefusal,
} from './cors.ts';
import { isProbe, isUpgrade } from './requests.ts';

/** The target of a request. */
export interface Route {
  /** The binding's name in `env`. */
  binding: string;
  /** The object's name, or its id as 64 hex characters. */
  instance: string;
}

/**
 * Rejects a request by returning a `Response`, replaces it by returning a `Request`, or passes it on by
 * returning nothing.
 */
export type Hook = (
  request: Request,
  route: Route,
) => Response | Request | void | Promise<Response | Request | void>;

export interface RouteOptions {
  /** The path before the binding, with or without slashes at its ends. Default `/__rpc`. */
  prefix?: string;
  /** The bindings that clients can reach, by their names in `env`. Default: every Durable Object binding. */
  bindings?: readonly string[];
  /** Also forwards paths other than `…/call`, for a class with its own `fetch`. Default false. */
  otherPaths?: boolean;
  /**
   * Which other origins may call, by POST and by WebSocket. A page of any other origin gets status 403, and
   * can read the reason. The console of the Worker shows once how to allow the origin. Default: no other
   * origin.
   *
   * @example
   * cors: { origin: ['https://example.com'] }
   */
  cors?: Cors;
  /**
   * Called before a WebSocket upgrade reaches the object and wakes it. Return a `Response` to reject, a
   * `Request` to replace the request.
   */
  onBeforeConnect?: Hook;
  /** Like `onBeforeConnect`, for every other request. */
  onBeforeRequest?: Hook;
}

/**
 * Routes `{prefix}/{binding}/{instance}/call` to a Durable Object.
 *
 * The binding is looked up as written, and then in the usual spellings: `my-counter` finds `MY_COUNTER` and
 * `MyCounter`. An instance of 64 hex characters is an id, anything else a name.
 *
 * @param request - the request that the Worker received
 * @param env - the Worker's bindings
 * @returns the object's response; `undefined` if the path is not under the prefix or names none of the
 *   bindings; 400 if the instance is missing or malformed; 403 for a page of another origin; 404 for a path
 *   that is not `…/call`; 500 if two bindings match or a function among the options throws. It never throws
 *   because of what a client sent.
 * @example
 * return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
 */
export async function routeDORequest(
  request: Request,
  env: object,
  options: RouteOptions = {},
): Promise<Response | undefined> {
  const { prefix = '/__rpc', cors = false } = options;
  const [binding, ...rest] = segmentsAfter(prefix, new URL(request.url).pathname);
  const matches = findNamespaces(env, binding, options.bindings);
  if (matches.length === 0) return undefined;
  try {
    const isAllowed = await guarded(() => isOriginAllowed(request, cors));
    if (!isAllowed) return refuseOrigin(request);
    const response = isPreflight(request)
      ? answerPreflight(request)
      : await forward(withoutCaller(request), matches, rest, options);
    return withCorsHeaders(response, request, cors);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    console.error(error.cause);
    const problem = 'A function in the options of routeDORequest threw an error: see the log';
    return withRefusal(text(500, problem), request);
  }
}

async function forward(
  request: Request,
  matches: [string, DurableObjectNamespace][],
  [segment, ...path]: string[],
  options: RouteOptions,
): Promise<Response> {
  const [[binding, namespace]] = matches as [[string, DurableObjectNamespace]];
  if (matches.length > 1) {
    const names = matches.map(([name]) => name).join(' and ');
    return text(500, `The path matches the bindings ${names}: use the exact name of one`);
  }
  const instance = decode(segment);
  if (!instance) return text(400, `The path must end in ${binding}/{instance}/${CALL_SEGMENT}`);
  if (!options.otherPaths && (path.length !== 1 || path[0] !== CALL_SEGMENT)) {
    return text(404, `Only …/${CALL_SEGMENT} is forwarded: see the option otherPaths`);
  }
  const id = idOf(namespace, instance);
  if (!id) return text(400, `${instance} is not an id of ${binding}`);
  const forwarded = await check(request, { binding, instance }, options);
  return forwarded instanceof Response ? forwarded : namespace.get(id).fetch(forwarded);
}

/** Calls the hook. Returns the request to forward, or the response of the hook. */
async function check(
  request: Request,
  route: Route,
  { onBeforeConnect, onBeforeRequest }: RouteOptions,
): Promise<Request | Response> {
  if (!isProbe(request)) {
    const hook = isUpgrade(request) ? onBeforeConnect : onBeforeRequest;
    return (await guarded(() => hook?.(request, route))) ?? request;
  }
  const answer = await guarded(() => onBeforeConnect?.(askedUpgrade(request), route));
  // The object may also reject the upgrade, so it gets a request that it cannot take for a call.
  return answer instanceof Response ? answer : bareProbe(request);
}

/** Marks an error of a function among the options. The client did not cause it, and must not see it. */
class OptionError extends Error {}

async function guarded<Result>(work: () => Result): Promise<Awaited<Result>> {
  try {
    return await work();
  } catch (cause) {
    throw new OptionError('A function in the options of routeDORequest threw an error', { cause });
  }
}

/** The upgrade request that a probe asks about. */
function askedUpgrade(probe: Request): Request {
  const headers = new Headers(probe.headers);
  headers.set('Upgrade', 'websocket');
  headers.set('Sec-WebSocket-Protocol', headers.get(PROBE) ?? '');
  headers.delete(PROBE);
  return new Request(probe.url, { headers, cf: probe.cf } as RequestInit);
}

function bareProbe({ url, headers }: Request): Request {
  return new Request(url, { method: 'POST', headers: { [PROBE]: headers.get(PROBE) ?? '' } });
}

/** The path segments after the prefix, still encoded; empty if the path does not begin with the prefix. */
function segmentsAfter(prefix: string, pathname: string): string[] {
  const wanted = prefix.split('/').filter(Boolean);
  const path = pathname.split('/').slice(1);
  const isUnder = wanted.every((segment, index) => segment === path[index]);
  return isUnder ? path.slice(wanted.length) : [];
}

/** `undefined` for a segment that is missing, empty or malformed. */
function decode(segment: string | undefined): string | undefined {
  try {
    return segment ? decodeURIComponent(segment) : undefined;
  } catch {
    return undefined;
  }
}

/** The binding with the exact name, or else all bindings that differ only in case and separators. */
function findNamespaces(
  env: object,
  segment: string | undefined,
  bindings: readonly string[] | undefined,
): [string, DurableObjectNamespace][] {
  const name = decode(segment);
  if (!name) return [];
  const namespaces = Object.entries(env).filter(
    ([key, value]) => (bindings?.includes(key) ?? true) && isNamespace(value),
  );
  const exact = namespaces.filter(([key]) => key === name);
  return exact.length > 0 ? exact : namespaces.filter(([key]) => spelling(key) === spelling(name));
}

function spelling(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

/** Checks the prototype, because a service binding seems to have every property. */
function isNamespace(value: unknown): value is DurableObjectNamespace {
  if (typeof value !== 'object' || value === null) return false;
  return 'idFromName' in (Object.getPrototypeOf(value) ?? {});
}

/** `undefined` for an instance that has the form of an id but is not an id of this namespace. */
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
