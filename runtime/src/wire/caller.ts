/**
 * The caller of a request. A field of `request.cf` contains it, since no header can set that field.
 */

/** The field's name. The router removes the field from every request that reaches the Worker. */
export const CALLER_FIELD = 'lumenizeRpcCaller';

/** The maximum size of a caller's JSON and its identity, in characters: a socket's attachment holds 16 KiB. */
const MAX_SIZE = 4_000;

export interface IdentifiedCaller {
  caller: unknown;
  /** The identity, as text. */
  owner: string;
}

/**
 * Gives a caller its identity.
 *
 * @param caller - the caller, which is JSON data
 * @param identity - text that is equal for all calls of one caller. Default: the caller's JSON.
 * @throws RangeError for a caller that is too large
 */
export function withIdentity(
  caller: unknown,
  identity = JSON.stringify(caller) ?? '',
): IdentifiedCaller {
  const { length } = JSON.stringify(caller) + identity;
  if (length <= MAX_SIZE) return { caller, owner: identity };
  throw new RangeError(
    `A caller and its identity can have ${MAX_SIZE} characters as JSON, but these have ${length}`,
  );
}
