/**
 * The caller of a method. A hook of the router names the caller in a field of `request.cf`, which no header can set. The
 * object stores the caller in the socket's attachment, so it survives hibernation.
 */
import { CALLER_FIELD, type IdentifiedCaller, withIdentity } from '../../wire/caller.ts';

/** The caller of the running call, shared by all copies of the package. */
interface Running {
  caller: unknown;
  hasBeenAsked: boolean;
}

const RUNNING = Symbol.for('lumenize-rpc.running');

const running = ((globalThis as { [RUNNING]?: Running })[RUNNING] ??= {
  caller: undefined,
  hasBeenAsked: false,
});

/**
 * Names the caller of all calls that a request, or the socket that it opens, carries.
 *
 * @param request - the request that a hook of `routeDORequest` received
 * @param caller - JSON data, stored with the socket. Its text and `identity` together have at most 4 000 characters.
 *   Without `identity`, the text of `caller` counts twice, so it has at most 2 000.
 * @param identity - text that stays unchanged when a user connects again. Default: the JSON text of `caller`. Pass it if
 *   `caller` contains something that changes, such as the expiry of a token. A client that connects again with another
 *   identity is rejected with `FORBIDDEN`. Visitors may share an identity, such as `guest`. A visitor is then not barred
 *   for the rejected messages of another visitor.
 * @returns the request to return from the hook
 * @throws RangeError for a caller that is too large
 * @example
 * onBeforeConnect: async (request) => {
 *   const { user, expires } = await claimsOf(request);
 *   return withCaller(request, { user, expires }, user);
 * }
 */
export function withCaller(request: Request, caller: unknown, identity?: string): Request {
  return withField(request, withIdentity(caller, identity));
}

/** Removes the caller from a request, so that only a hook can name a caller. */
export function withoutCaller(request: Request): Request {
  return namedIn(request) ? withField(request, undefined) : request;
}

/** Returns the caller that `withCaller` put into a request; an empty object if `withCaller` was not called. */
export function callerOf(request: Request): Partial<IdentifiedCaller> {
  return namedIn(request) ?? {};
}

function namedIn({ cf }: Request): IdentifiedCaller | undefined {
  return (cf as Record<string, IdentifiedCaller> | undefined)?.[CALLER_FIELD];
}

function withField(request: Request, value: IdentifiedCaller | undefined): Request {
  const cf = { ...request.cf, [CALLER_FIELD]: value };
  return new Request(request, { cf } as RequestInit);
}

/**
 * Returns the caller of the running method, as a hook named it with `withCaller`.
 *
 * Call this before the first `await` of a method, because another call may be running afterwards.
 *
 * @returns the caller; `undefined` for native Workers RPC, or if no hook named a caller
 * @example
 * rename(name: string) { const { user } = currentCaller<{ user: string }>() ?? refuse(); … }
 */
export function currentCaller<Caller>(): Caller | undefined {
  running.hasBeenAsked = true;
  return running.caller as Caller | undefined;
}

/** Runs a function, and returns whether it called `currentCaller`. Errors of the function are thrown. */
export function readsCaller(run: () => void): boolean {
  running.hasBeenAsked = false;
  run();
  return running.hasBeenAsked;
}

/** Runs a method. Until it returns, `currentCaller` returns the given caller. */
export function runAsCaller(
  caller: unknown,
  method: (...args: unknown[]) => unknown,
  instance?: object,
  args: unknown[] = [],
): unknown {
  running.caller = caller;
  try {
    return Reflect.apply(method, instance, args);
  } finally {
    running.caller = undefined;
  }
}
