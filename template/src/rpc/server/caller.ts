/**
 * Who makes a call. A hook of the router vouches for the caller in a header that clients cannot
 * set; the object keeps it with the socket, so it outlives hibernation. Imports nothing.
 */

/** Set by `withCaller` and removed by the router from whatever a client sends. */
const CALLER_HEADER = 'lumenize-rpc-caller';

let current: unknown;

/**
 * Names the caller of every call that a request, or the socket it opens, will carry.
 *
 * @param request - what a hook of `routeDORequest` was given
 * @param caller - JSON data, at most 2 KiB of it; kept with the socket
 * @returns the request to return from the hook
 * @example
 * onBeforeConnect: async (request) =>
 *   withCaller(request, { user: await userOf(request) })
 */
export function withCaller(request: Request, caller: unknown): Request {
  const headers = new Headers(request.headers);
  headers.set(CALLER_HEADER, encodeURIComponent(JSON.stringify(caller)));
  return new Request(request, { headers });
}

/** A request without a caller, so that a client cannot vouch for itself. */
export function withoutCaller(request: Request): Request {
  if (!request.headers.has(CALLER_HEADER)) return request;
  const headers = new Headers(request.headers);
  headers.delete(CALLER_HEADER);
  return new Request(request, { headers });
}

/** What `withCaller` put into a request; `undefined` if nothing. */
export function callerOf(request: Request): unknown {
  const text = request.headers.get(CALLER_HEADER);
  return text === null ? undefined : JSON.parse(decodeURIComponent(text));
}

/**
 * The caller of the method that is running, as a hook named it with `withCaller`.
 *
 * Read it before the first `await` of a method: afterwards another call may be running.
 *
 * @returns `undefined` for native Workers RPC, or when no hook named a caller
 * @example
 * rename(name: string) { const { user } = currentCaller<{ user: string }>() ?? refuse(); … }
 */
export function currentCaller<Caller>(): Caller | undefined {
  return current as Caller | undefined;
}

/** Runs a method as somebody. */
export function callAs(
  caller: unknown,
  method: (...args: unknown[]) => unknown,
  instance: object,
  args: unknown[],
): unknown {
  current = caller;
  try {
    return Reflect.apply(method, instance, args);
  } finally {
    current = undefined;
  }
}
