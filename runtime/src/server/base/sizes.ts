/** Estimates the size of a message, as text and in memory. */
import { isObject } from '../../wire/values/plain.ts';

/** No message of our client is nested this deeply. */
const MAX_DEPTH = 2_100;

/**
 * Estimates the size of a part of a message: the characters of its text, plus the bytes beside the text. The estimate is
 * never too large, so a client that keeps to a limit is not rejected.
 *
 * @param perValue - number that is added for each value, besides its characters
 */
export function sizeOf(part: unknown, perValue = 0, depth = 0): number {
  if (typeof part === 'string') return part.length + perValue;
  if (!isObject(part)) return 1 + perValue;
  if (part instanceof ArrayBuffer) return part.byteLength;
  if (depth > MAX_DEPTH) return Infinity;
  let size = 2 + perValue;
  if (Array.isArray(part)) {
    for (const inner of part) size += sizeOf(inner, perValue, depth + 1);
  } else {
    for (const [key, inner] of Object.entries(part)) {
      size += key.length + sizeOf(inner, perValue, depth + 1);
    }
  }
  return size;
}

/** The estimated bytes of memory that a parsed value takes beside its characters. */
export const VALUE_WEIGHT = 24;

/** Estimates how many bytes of memory a parsed message takes. */
export function weightOf(message: unknown[]): number {
  return sizeOf(message, VALUE_WEIGHT);
}
