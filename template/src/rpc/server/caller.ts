/**
 * Who makes a call. A hook of the router names the caller in a field of `request.cf`, which no header
 * can set; the object keeps it with the socket, so it outlives hibernation. Imports wire/.
 */
import { CALLER_FIELD, type Named, named } from '../wire/caller.ts';

let current: unknown;
let hasBeenAsked = false;

/**
 * Names the caller of every call that a request, or the socket it opens, will carry.
 *
 * @param request - what a hook of `routeDORequest` was given
 * @param caller - JSON data, at most 4 000 characters of it; kept with the socket
 * @param identity - what stays the same when the same user connects again. Default: the JSON text of
 *   `caller`; give it where `caller` holds something that changes, such as when a token expires. A
 *   client that comes back as somebody else is refused with `FORBIDDEN`.
 * @returns the request to return from the hook
 * @throws RangeError for a caller that is too large
 * @example
 * onBeforeConnect: async (request) => {
 *   const { user, expires } = await claimsOf(request);
 *   return withCaller(request, { user, expires }, user);
 * }
 */
export function withCaller(request: Request, caller: unknown, identity?: string): Request {
  return withField(request, named(caller, identity));
}

/** A request without a caller, so that nobody but a hook can name one. */
export function withoutCaller(request: Request): Request {
  return namedIn(request) ? withField(request, undefined) : request;
}

/** What `withCaller` put into a request; nothing if it was not called. */
export function callerOf(request: Request): Partial<Named> {
  return namedIn(request) ?? {};
}

function namedIn({ cf }: Request): Named | undefined {
  return (cf as Record<string, Named> | undefined)?.[CALLER_FIELD];
}

function withField(request: Request, value: Named | undefined): Request {
  const cf = { ...request.cf, [CALLER_FIELD]: value };
  return new Request(request, { cf } as RequestInit);
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
  hasBeenAsked = true;
  return current as Caller | undefined;
}

/** Whether a method has asked for its caller while something ran, which throws what it throws. */
export function asksForCaller(run: () => void): boolean {
  hasBeenAsked = false;
  run();
  return hasBeenAsked;
}

/** Runs a method as somebody. */
export function callAs(
  caller: unknown,
  method: (...args: unknown[]) => unknown,
  instance?: object,
  args: unknown[] = [],
): unknown {
  current = caller;
  try {
    return Reflect.apply(method, instance, args);
  } finally {
    current = undefined;
  }
}
