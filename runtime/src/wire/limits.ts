/** The limits that both client and object respect. */
import { RpcError } from './errors.ts';

/** The size of one frame: the characters of its text plus the bytes after the text. */
export const FRAME_SIZE = 4_194_304;
/** The number of calls in one frame. */
export const CALLS_PER_FRAME = 5_000;
/** The number of calls of one connection that have no answer yet. */
export const CALLS_IN_FLIGHT = 10_000;

/**
 * From this many calls in flight on, further calls wait up to a millisecond for each other. One object
 * answers about this many in a millisecond. Calls in one frame share a commit of the object's storage, and
 * a row of the journal.
 */
export const MANY_CALLS = 8;

/** The longest delay of setTimeout in milliseconds, 24 days. A timer with a longer delay fires at once. */
export const MAX_DELAY = 2 ** 31 - 1;

/** @throws RpcError `LIMIT_EXCEEDED` that names the limit */
export function limitExceeded(limit: string, allowed: number): never {
  throw new RpcError('LIMIT_EXCEEDED', `${limit} is at most ${allowed}`);
}
