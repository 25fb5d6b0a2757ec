/**
 * The text of a frame: what is to be said of calls, and then calls. Imports call and wire/.
 */
import { encodeControl } from '../wire/messages.ts';
import type { Call } from './call.ts';

/**
 * Writes a frame, and takes down when its calls left.
 *
 * @param calls - in the order of their ids
 * @param awaits - the oldest call that is awaited, and those after it that are not any more; empty,
 *   if that is said by the frame's calls alone
 * @param cancel - calls that the object need not work on any more
 */
export function encodeFrame(
  calls: readonly Call[],
  awaits: readonly number[],
  cancel: readonly number[],
): string {
  const now = Date.now();
  let resent: number[] = [];
  const texts = calls.map((call) => {
    const { sentAt } = call;
    // A clock can be set back.
    if (sentAt !== undefined) resent = [call.id, resent[1] ?? Math.max(0, now - sentAt)];
    call.sentAt ??= now;
    return call.message;
  });
  for (const [kind, numbers] of Object.entries({ resent, awaits, cancel })) {
    if (numbers.length > 0) texts.unshift(encodeControl(kind as 'resent', ...numbers));
  }
  return `[${texts.join()}]`;
}
