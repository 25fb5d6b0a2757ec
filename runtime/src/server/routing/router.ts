/** Finds the Durable Object that a request's path names, and forwards the request to it. */
import { CALL_SEGMENT, PROBE } from '../../wire/messages.ts';
import { NOT_FOUND_STATUS } from '../../wire/status.ts';
import { withoutCaller } from '../base/caller.ts';
import {
  answerPreflight,
  type Cors,
  foreignOrigin,
  isOriginAllowed,
  isPreflight,
  rejectOrigin,
  withCorsHeaders,
  withoutCredentials,
  withRejectionHeaders,
} from './cors.ts';
import { explanations } from '../diagnostics/explanations.ts';
import { decodeSegment, findNamespaces, LIBRARY_NAMES, objectIdOf } from '../base/namespaces.ts';
import { isProbe, probedProtocols, rejectUnsendable } from '../base/probes.ts';
import { isUpgrade, OBJECT_PATH, rejectionResponse } from '../base/requests.ts';

/** The target of a request. */
export interface Route {
  /** The binding's name in `env`. Empty for the OpenAPI document, which belongs to no object. */
  binding: string;
  /** The object's name, or its id as 64 hex characters. Empty for the OpenAPI document. */
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

/** The options of `routeDORequest`. */
export interface RouteOptions {
  /** The path before the binding, with or without slashes at its ends. Default: `/__rpc`. */
  prefix?: string | undefined;
  /** The bindings that clients can reach, by their names in `env`. Default: every Durable Object binding. */
  bindings?: readonly string[] | undefined;
  /**
   * Also forwards paths other than `…/call`, for a class with its own `fetch`, or with a feature that answers requests.
   * Default false.
   */
  otherPaths?: boolean | undefined;
  /**
   * The option `classes` of `routeHttpRequest` of `lumenize-rpc/http`. Paths other than `…/call` of these bindings are
   * left to `routeHttpRequest`. Default: none.
   */
  classes?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The other origins that may call, by POST and by WebSocket. A page of any other origin gets status 403 with the
   * reason, and the console of the Worker shows once how to allow the origin. Default: no other origin.
   *
   * @example
   * cors: { origin: ['https://example.com'] }
   */
  cors?: Cors | undefined;
  /**
   * Called before a WebSocket upgrade reaches the object and wakes it. It returns a `Response` to reject the upgrade, or a
   * `Request` to replace it.
   */
  onBeforeConnect?: Hook | undefined;
  /** Called before every request that is not an upgrade, as `onBeforeConnect` is before an upgrade. */
  onBeforeRequest?: Hook | undefined;
  /**
   * Chooses the object for a WebSocket, if it is not the object that the path names, such as a relay of that object. It
   * receives the request that `onBeforeConnect` has passed on. It is called with any name that a client invents, so
   * compare the name with a list of your own. Default: the object that the path names.
   *
   * @example
   * connectTo: (_, { instance }) =>
   *   instance === 'lobby' ? env.RELAY.getByName(relayName(instance, 'EU', 0)) : undefined
   */
  connectTo?: ((request: Request, route: Route) => FetchTarget | undefined) | undefined;
  /**
   * The region near which an object is created, or a function that returns it for each request that the hooks have passed
   * on. Objects that exist stay where they are. Default: near the client that reaches the object first.
   *
   * @example
   * locationHint: (request, { instance }) => (instance.startsWith('eu-') ? 'weur' : undefined)
   */
  locationHint?: Choice<DurableObjectLocationHint> | undefined;
  /**
   * The jurisdiction in which an object runs and stores its data, or a function that returns it for each request that the
   * hooks have passed on. A name with another jurisdiction names another object. This option has no effect where the
   * Worker runs locally. Default: no restriction.
   *
   * @example
   * jurisdiction: 'eu'
   */
  jurisdiction?: Choice<DurableObjectJurisdiction> | undefined;
}

/** A value for every object, or a function that returns the value for the object of a request. */
type Choice<Value> = Value | ((request: Request, route: Route) => Value | undefined);

/** The stub that receives a request. */
export interface FetchTarget {
  fetch(request: Request): Promise<Response>;
}

/**
 * Routes `{prefix}/{binding}/{instance}/call` to a Durable Object.
 *
 * The binding is looked up as written, and then in the usual spellings: `my-counter` finds `MY_COUNTER` and
 * `MyCounter`. An instance of 64 hex characters is an id. Any other instance is a name.
 *
 * @param request - the request that the Worker received
 * @param env - the Worker's bindings
 * @param options - hooks, the bindings that clients can reach, `cors` and others: see `RouteOptions`. Default: none.
 * @returns the object's response; `undefined` if the path is not under the prefix or names none of the bindings. The
 *   router itself responds with these statuses, and never throws because of a client's request:
 *
 *   - 400 if the instance is missing, malformed or reserved for the runtime
 *   - 403 for a page of another origin
 *   - 404 for a path that is not `…/call`; in `wrangler dev` and in Vitest also for a client that names no binding, with
 *     the reason
 *   - 500 if two bindings match, or a function among the options throws
 * @example
 * return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
 */
export async function routeDORequest(
  request: Request,
  env: object,
  options: RouteOptions = {},
): Promise<Response | undefined> {
  const { prefix, bindings, classes } = options;
  const url = new URL(request.url);
  const [binding, segment, ...path] = segmentsAfter(prefix, url.pathname);
  const isCall = path.length === 1 && path[0] === CALL_SEGMENT;
  const matches = findNamespaces(env, binding, bindings);
  const [match] = matches;
  if (!match) {
    const segments = [binding, segment, ...path];
    return explanations?.explainNotFound(request, env, segments);
  }
  if (path.length > 0 && !isCall && classes?.[match[0]]) return undefined;
  for (const [name] of matches) explanations?.routedBindings.add(name);
  return guardOrigin(request, url, options, rejectionResponse, async (allowed) => {
    const located = locate(matches, segment, path, rejectionResponse);
    if (located instanceof Response) return located;
    if (!options.otherPaths && !isCall) {
      const problem = `Only …/${CALL_SEGMENT} is forwarded: see the option otherPaths`;
      return rejectionResponse(NOT_FOUND_STATUS, problem);
    }
    const { route } = located;
    const checked = withoutPath(withoutCaller(allowed));
    const forwarded = await checkRequest(checked, route, options);
    if (forwarded instanceof Response) return forwarded;
    const isConnecting = isUpgrade(checked) || isProbe(checked);
    const chosen = isConnecting
      ? await guarded(() => options.connectTo?.(forwarded, route))
      : undefined;
    const target = chosen ?? (await stubOf(located, forwarded, options, rejectionResponse));
    if (target instanceof Response) return target;
    try {
      return await target.fetch(
        isCall ? forwarded : withObjectPath(forwarded, checked, path.length),
      );
    } catch (error) {
      const explained = explanations?.explainFailure(error, checked, route.binding);
      if (explained) return explained;
      throw error;
    }
  });
}

/** Makes the response that says why no object receives a request. */
type Refuse = (status: number, message: string) => Response;

/**
 * Answers a request of an origin that may call.
 *
 * @param answer - receives the request without the headers that another origin must not send, such as cookies
 * @param methods - the HTTP methods that a preflight allows
 * @returns the answer, readable for the page that has sent the request; or a response that says why there is no answer
 */
export async function guardOrigin(
  request: Request,
  url: URL,
  { cors = false }: RouteOptions,
  refuse: Refuse,
  answer: (checked: Request) => Promise<Response>,
  methods?: string,
): Promise<Response> {
  try {
    const origin = foreignOrigin(request, url);
    const checked = origin === undefined ? request : withoutCredentials(request, cors);
    const isAllowed =
      origin === undefined || (await guarded(() => isOriginAllowed(origin, checked, cors)));
    const preflight = isPreflight(request) && answerPreflight(request, methods);
    // A page could not read the rejection of a preflight. The request after it is rejected.
    if (!isAllowed) return withRejectionHeaders(preflight || rejectOrigin(origin, refuse), request);
    const response = preflight || (await answer(checked));
    return withCorsHeaders(response, request, cors);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    console.error(error.cause);
    return withRejectionHeaders(refuse(500, error.message), request);
  }
}

/** An object that a path names. */
interface Located {
  readonly route: Route;
  readonly namespace: DurableObjectNamespace;
  /** The id of the object in the whole namespace. */
  readonly id: DurableObjectId;
}

/**
 * Finds the object that a path names.
 *
 * @param matches - the bindings that the path can mean
 * @param segment - the segment that names the instance
 * @param path - the segments after the instance
 */
export function locate(
  matches: [string, DurableObjectNamespace][],
  segment: string | undefined,
  path: readonly string[],
  refuse: Refuse,
): Located | Response {
  const [[binding, namespace]] = matches as [[string, DurableObjectNamespace]];
  if (matches.length > 1) {
    const names = matches.map(([name]) => name).join(' and ');
    return refuse(500, `The path matches the bindings ${names}: use the exact name of one`);
  }
  const instance = decodeSegment(segment);
  // A client leaves an empty instance out of its path.
  const isWithout = path.length === 0 && instance === CALL_SEGMENT;
  if (!instance || isWithout) {
    const wanted = `${binding}/{instance}/${path[0] ?? CALL_SEGMENT}`;
    return refuse(400, `The instance is empty or malformed: the path must end in ${wanted}`);
  }
  if (instance.startsWith(LIBRARY_NAMES)) {
    return refuse(
      400,
      `The names of instances that begin with ${LIBRARY_NAMES} are reserved: use another name`,
    );
  }
  const id = objectIdOf(namespace, instance);
  if (!id) return refuse(400, `${instance} is not an id of ${binding}`);
  return { route: { binding, instance }, namespace, id };
}

/**
 * Chooses where the object of a request runs.
 *
 * @param request - the request that the hooks have passed on
 * @returns the stub of the object; or a response that says why there is none
 */
export async function stubOf(
  { route, namespace, id }: Located,
  request: Request,
  options: RouteOptions,
  refuse: Refuse,
): Promise<DurableObjectStub | Response> {
  if (!options.locationHint && !options.jurisdiction) return namespace.get(id);
  const stub = await guarded(() => {
    const [locationHint, jurisdiction] = [options.locationHint, options.jurisdiction].map(
      (choice) => (typeof choice === 'function' ? choice(request, route) : choice),
    ) as [DurableObjectLocationHint?, DurableObjectJurisdiction?];
    const restricted = restrict(namespace, jurisdiction);
    const own = restricted === namespace ? id : objectIdOf(restricted, route.instance);
    return own && namespace.get(own, locationHint && { locationHint });
  });
  return (
    stub ?? refuse(400, `${route.instance} is not an id of the jurisdiction of ${route.binding}`)
  );
}

function restrict(
  namespace: DurableObjectNamespace,
  jurisdiction: DurableObjectJurisdiction | undefined,
): DurableObjectNamespace {
  try {
    return jurisdiction ? namespace.jurisdiction(jurisdiction) : namespace;
  } catch (error) {
    // A Worker that runs locally has no jurisdictions.
    if (String(error).includes('not implemented in workerd')) return namespace;
    throw error;
  }
}

/**
 * Adds the path of the object, which is the path of the request without its last segments.
 *
 * @param count - the number of these segments
 */
function withObjectPath(forwarded: Request, request: Request, count: number): Request {
  const { pathname } = new URL(request.url);
  const before = pathname.split('/').slice(0, -count || undefined);
  return withPath(forwarded, before.join('/'));
}

/** Removes the path of an object from a request of a client, because only the router may tell an object its path. */
function withoutPath(request: Request): Request {
  return request.headers.has(OBJECT_PATH) ? withPath(request, undefined) : request;
}

function withPath(request: Request, path: string | undefined): Request {
  const headers = new Headers(request.headers);
  if (path === undefined) headers.delete(OBJECT_PATH);
  else headers.set(OBJECT_PATH, path);
  return new Request(request, { headers });
}

/**
 * Calls a hook for a request.
 *
 * @returns the request to forward, or the response of the hook
 */
export async function callHook(
  request: Request,
  route: Route,
  hook: Hook | undefined,
): Promise<Request | Response> {
  return (hook && (await guarded(() => hook(request, route)))) || request;
}

/** Calls the hook for the kind of the request. */
async function checkRequest(
  request: Request,
  route: Route,
  { onBeforeConnect, onBeforeRequest }: RouteOptions,
): Promise<Request | Response> {
  if (!isProbe(request)) {
    return callHook(request, route, isUpgrade(request) ? onBeforeConnect : onBeforeRequest);
  }
  // A WebSocket does not tell a browser why its upgrade was rejected, so the client asks by a POST, the probe.
  const protocols = probedProtocols(request);
  const rejection = rejectUnsendable(protocols);
  if (rejection) return rejection;
  const answer = await guarded(() => onBeforeConnect?.(askedUpgrade(request, protocols), route));
  // The object may also reject the upgrade, so it receives the probe, too. The probe has no body, so the object cannot
  // take it for a call.
  return answer instanceof Response
    ? answer
    : bareProbe((answer as Request | undefined) ?? request, request);
}

/** Marks an error of a function among the options. The client did not cause it, and must not see it. */
class OptionError extends Error {}

async function guarded<Result>(work: () => Result): Promise<Awaited<Result>> {
  try {
    return await work();
  } catch (cause) {
    const problem = 'A function in the options of the router threw an error: see the log';
    throw new OptionError(problem, { cause });
  }
}

/** The headers of a POST that an upgrade does not have. */
const OF_POST = ['Accept', 'Content-Length', 'Content-Type', 'Priority', 'Referer', PROBE];

/** Returns the upgrade request that a probe asks about, with exactly the headers of the upgrade. */
function askedUpgrade(probe: Request, protocols: readonly string[]): Request {
  const headers = new Headers(probe.headers);
  for (const name of OF_POST) headers.delete(name);
  headers.set('Connection', 'Upgrade');
  headers.set('Upgrade', 'websocket');
  headers.set('Sec-WebSocket-Version', '13');
  headers.set('Sec-WebSocket-Protocol', protocols.join(', '));
  if (headers.has('Sec-Fetch-Mode')) headers.set('Sec-Fetch-Mode', 'websocket');
  return new Request(probe.url, { headers, cf: probe.cf } as RequestInit);
}

/** @param checked - the request with the caller that the hook named */
function bareProbe({ cf }: Request, { url, headers }: Request): Request {
  const asks = { [PROBE]: headers.get(PROBE) ?? '' };
  return new Request(url, { method: 'POST', headers: asks, cf } as RequestInit);
}

/** Returns the path segments after the prefix, still encoded; none if the path does not begin with the prefix. */
export function segmentsAfter(prefix = '/__rpc', pathname: string): string[] {
  const wanted = ['', ...prefix.split('/').filter(Boolean), ''].join('/');
  return pathname.startsWith(wanted) ? pathname.slice(wanted.length).split('/') : [];
}
