/** Writes frames: messages about calls, then the calls. */
import type { EncodedMessage } from '../wire/encoded-message.ts';
import type { ControlMessage } from '../wire/messages.ts';
import type { Call } from './call.ts';

/**
 * Returns the ids of the `awaits` message of a frame: the oldest call that the client awaits, then later calls that it
 * no longer awaits.
 *
 * @param calls - the calls of the frame
 * @param pending - all calls that the client awaits
 * @param settled - calls that the client no longer awaits, and that no frame has reported yet
 * @param lastId - the id of the newest call
 * @returns an empty list if the frame needs no such message
 */
export function awaitedIn(
  calls: readonly Call[],
  pending: ReadonlyMap<number, Call>,
  settled: readonly number[],
  lastId: number,
): number[] {
  const last = calls.at(-1);
  // A frame with the newest call and all calls that the client awaits needs no such message.
  if (!last || (calls.length === pending.size && last.id === lastId)) return [];
  const [oldest = 0] = pending.keys();
  return [oldest, ...settled.filter((id) => id > oldest)];
}

/**
 * Writes the messages of a frame, and records when its calls are first sent.
 *
 * @param calls - the calls, in the order of their ids
 * @param awaits - the ids from `awaitedIn`
 * @param cancel - calls whose answers the client no longer needs
 */
export function encodeFrame(
  calls: readonly Call[],
  awaits: readonly number[],
  cancel: readonly number[],
): EncodedMessage[] {
  const now = Date.now();
  let resent: number[] = [];
  const messages = calls.map((call) => {
    // The age is never negative, even if the clock was set back.
    if (call.sentAt) resent = [call.id, resent[1] ?? Math.max(0, now - call.sentAt)];
    else call.sentAt = now;
    return call.message;
  });
  for (const [kind, numbers] of Object.entries({ resent, awaits, cancel } satisfies {
    [Kind in ControlMessage[0]]?: readonly number[];
  })) {
    if (numbers.length > 0) messages.unshift(JSON.stringify([kind, ...numbers]));
  }
  return messages;
}
