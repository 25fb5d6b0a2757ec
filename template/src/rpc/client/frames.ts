/**
 * What a frame says: of calls, and then calls. Imports call and wire/.
 */
import type { Said } from '../wire/bytes.ts';
import type { ControlMessage } from '../wire/messages.ts';
import type { Call } from './call.ts';

/**
 * What a frame says of the calls that are awaited: the oldest, and those after it that are not any more.
 *
 * @param settled - those of which no frame has told yet
 * @param lastId - of all calls
 * @returns nothing, if its calls alone say it
 */
export function awaitedIn(
  calls: readonly Call[],
  pending: ReadonlyMap<number, Call>,
  settled: readonly number[],
  lastId: number,
): number[] {
  const last = calls[calls.length - 1];
  // With the last of all calls and every one that is awaited, a frame says so by itself.
  if (!last || (calls.length === pending.size && last.id === lastId)) return [];
  const [oldest = 0] = pending.keys();
  return [oldest, ...settled.filter((id) => id > oldest)];
}

/** The calls that have not been sent, in their order. */
export function unsentOf(pending: ReadonlyMap<number, Call>): Call[] {
  return [...pending.values()].filter(({ frame }) => !frame);
}

/**
 * Writes the messages of a frame, and takes down when its calls left.
 *
 * @param calls - in the order of their ids
 * @param awaits - from `awaitedIn`
 * @param cancel - calls that the object need not work on any more
 */
export function encodeFrame(
  calls: readonly Call[],
  awaits: readonly number[],
  cancel: readonly number[],
): Said[] {
  const now = Date.now();
  let resent: number[] = [];
  const messages = calls.map((call) => {
    const { sentAt } = call;
    // A clock can be set back.
    if (sentAt !== undefined) resent = [call.id, resent[1] ?? Math.max(0, now - sentAt)];
    call.sentAt ??= now;
    return call.message;
  });
  addFirst(messages, 'resent', resent);
  addFirst(messages, 'awaits', awaits);
  addFirst(messages, 'cancel', cancel);
  return messages;
}

function addFirst(messages: Said[], kind: ControlMessage[0], numbers: readonly number[]): void {
  if (numbers.length > 0) messages.unshift(JSON.stringify([kind, ...numbers]));
}
