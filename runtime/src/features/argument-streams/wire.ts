/**
 * The messages of streams that are arguments. The client numbers its streams, `s`, and an argument is a reference
 * `["Stream", s]`. The items of a stream are numbered from 1, `i`, without gaps.
 *
 *     up     [[7,"upload","rich",[["a.txt",[1]],["Stream",1]]]]
 *     up     [["item",1,1,"one"],["item",1,2,"two"],["end",1,2]]
 *     down   [[7,2]]
 *
 * Client to object:
 *
 * - `["item", s, i, …value]`: one item; `…value` has the form of the end of an answer.
 * - `["end", s, i]`, `["end", s, i, "error", thrown]`: item `i` was the last. The error is the one that the
 *   source threw after it.
 * - `["end", s]`: no more items will come, since the client no longer awaits the call.
 *
 * Object to client:
 *
 * - `["ack", s, i]`: the method has taken the items up to `i`. The object repeats this message while the
 *   method waits for the next item. So it soon detects that a client has abandoned the call.
 * - `["stop", s]`: the method takes no more items.
 *
 * A client keeps items until they are acknowledged, and sends them again after a lost connection. It sends no more
 * than the window allows.
 */
import { type AnswerMessage, encodeTail, isId, RICH } from '../../wire/messages.ts';
import type { ReferenceOf } from '../../wire/values/rich-encoder.ts';

/** The number of items that can be sent ahead of the acknowledgement. */
export const STREAM_WINDOW = 64;

/**
 * While the items that are not acknowledged have this many characters, the client sends no further item. An item has at
 * most this many characters.
 */
export const STREAM_SIZE = 1_048_576;

/**
 * @param streamId - the number of the stream
 * @param i - the number of the item
 * @param referenceOf - returns the reference to send for a part of the item
 * @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
 */
export function encodeItem(
  streamId: number,
  i: number,
  value: unknown,
  referenceOf?: ReferenceOf,
): string {
  return `["item",${streamId},${i}${encodeTail(value, referenceOf)}]`;
}

/** Returns whether the rest of an `item` message has the form of an answer: its number, then its value. */
export function isItem(rest: unknown[]): rest is AnswerMessage {
  const { length } = rest;
  return isId(rest[0]) && (length < 3 || (length === 3 && rest[1] === RICH));
}

/** Returns whether the rest of an `end` message is empty, or a number of items and an optional error. */
export function isEnd(rest: unknown[]): boolean {
  const [last, form] = rest;
  const { length } = rest;
  return (
    length === 0 ||
    ((last === 0 || isId(last)) && (length === 1 || (length === 3 && form === 'error')))
  );
}
