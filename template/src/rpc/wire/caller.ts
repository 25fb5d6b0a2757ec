/**
 * How a request says whose it is: by a field of `request.cf`, which no header can set. Imports nothing.
 */

/** The router removes it from whatever reaches the Worker. */
export const CALLER_FIELD = 'lumenizeRpcCaller';

/** What a caller may take, in characters of JSON: a socket's attachment holds 16 KiB. */
const MAX_SIZE = 4_000;

/** What a request says of its caller. */
export interface Named {
  caller: unknown;
  /** Who it is, as text. */
  owner: string;
}

/**
 * @param caller - JSON data
 * @param identity - what stays the same when the same caller comes again
 * @throws RangeError for a caller that is too large
 */
export function named(caller: unknown, identity = JSON.stringify(caller) ?? ''): Named {
  const all: Named = { caller, owner: identity };
  const size = JSON.stringify(all).length;
  if (size <= MAX_SIZE) return all;
  throw new RangeError(
    `A caller can have ${MAX_SIZE} characters of JSON, but this one has ${size}`,
  );
}
