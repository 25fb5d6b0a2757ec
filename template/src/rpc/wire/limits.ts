/** The limits that both ends keep to. Imports errors only. */
import { RpcError } from './errors.ts';

/** Characters in one frame, and bytes beside them. */
export const FRAME_SIZE = 4_194_304;
/** Calls in one frame. */
export const CALLS_PER_FRAME = 5_000;
/** Calls of one connection that have not been answered yet. */
export const CALLS_IN_FLIGHT = 10_000;

/**
 * How many calls are in flight when those that follow wait for each other: as many as one object answers
 * in a millisecond. In one frame they share a commit of its storage, and a row of the journal.
 */
export const MANY_CALLS = 8;

/** What setTimeout can wait, 24 days in milliseconds; it takes a longer delay for none. */
export const MAX_DELAY = 2 ** 31 - 1;

/** @throws RpcError `LIMIT_EXCEEDED` that names the limit */
export function exceeded(limit: string, allowed: number): never {
  throw new RpcError('LIMIT_EXCEEDED', `${limit} is at most ${allowed}`);
}
