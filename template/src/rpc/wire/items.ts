/**
 * What the two ends say of streams that are arguments. The client numbers them, `s`, and an argument is a
 * reference `["Stream", s]`; the items of a stream are numbered from 1 on, `i`, without gaps.
 *
 *     up     [[7,"upload","rich",[[["a.txt",[1]]],["Stream",1]]]]
 *     up     [["item",1,1,"one"],["item",1,2,"two"],["end",1,2]]
 *     down   [[7,2]]
 *
 * Client to object:
 *
 * - `["item", s, i, …value]`: one item; `…value` is what an answer ends with.
 * - `["end", s, i]`, `["end", s, i, "error", thrown]`: item `i` was the last; the error is what the source
 *   threw after it.
 * - `["end", s]`: nothing more will come, since nobody waits for the call any more.
 *
 * Object to client:
 *
 * - `["ack", s, i]`: the method has taken the items up to that one. It comes again while the method waits for
 *   the next, so that an object soon knows of a client that has given the call up.
 * - `["stop", s]`: the method takes no more.
 *
 * A client keeps what is not acknowledged, sends it again after a lost connection, and sends no more than
 * the window allows. Imports messages and rich-encoder.
 */
import { encodeRest } from './messages.ts';
import type { ReferenceOf } from './rich-encoder.ts';

/** How many items may be sent and not acknowledged. */
export const STREAM_WINDOW = 64;

/**
 * From how many characters on that are sent and not acknowledged no further item is. It is also what one item
 * may take.
 */
export const STREAM_SIZE = 1_048_576;

/**
 * @param i - its number
 * @param referenceOf - says which parts of it are sent as references
 * @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent
 */
export function encodeItem(
  s: number,
  i: number,
  value: unknown,
  referenceOf?: ReferenceOf,
): string {
  return `["item",${s},${i}${encodeRest(value, referenceOf)}]`;
}
