/**
 * The header `Idempotency-Key`. A call with a key is the only call of a client of its own, whose id is made of the key
 * and of the caller's identity. The number of the call is made of the method and the arguments. So the object's journal
 * has the answer for a repetition, and knows whether a repetition has other arguments.
 */
import type { IdentifiedCaller } from '../wire/caller.ts';
import { toBase64 } from '../wire/values/base64.ts';
import { refusal } from './problems.ts';

/** The header of a call. */
export const KEY = 'Idempotency-Key';

/** The header of a response that repeats an earlier answer. */
export const REPLAYED = 'Idempotency-Replayed';

/** Matches a key of visible ASCII characters. */
const VALID = /^[\x21-\x7E]{1,255}$/;

/**
 * Callers without an identity share all keys, so a key must be as hard to guess as 128 random bits, which are 22
 * characters of Base64.
 */
const LEAST = 22;

/** A call with a key. */
export interface KeyedCall {
  /** The id of the client. */
  readonly client: string;
  /** The number of the call. */
  readonly id: number;
}

/** @returns the response for an invalid key; `undefined` for a valid key */
export function keyProblem(
  key: string,
  { owner }: Partial<IdentifiedCaller>,
): Response | undefined {
  if (!VALID.test(key)) {
    return refusal('BAD_MESSAGE', `An ${KEY} must have 1 to 255 visible ASCII characters`);
  }
  if (owner !== undefined || key.length >= LEAST) return undefined;
  const problem = `Without a caller, an ${KEY} must be a secret of at least ${LEAST} characters`;
  return refusal('BAD_MESSAGE', `${problem}, such as a random UUID`);
}

export async function keyedCall(
  key: string,
  { owner }: Partial<IdentifiedCaller>,
  method: string,
  args: readonly unknown[],
): Promise<KeyedCall> {
  const [client, call] = await Promise.all([digest([owner, key]), digest([method, args])]);
  const [high, low] = new Uint32Array(call) as unknown as [number, number];
  // The id is a positive integer of 53 bits.
  return { client: `key.${toBase64(client)}`, id: (high >>> 11) * 2 ** 32 + low + 1 };
}

/** @param value - plain data; the order of its properties does not matter */
function digest(value: unknown): Promise<ArrayBuffer> {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted())
      : part,
  );
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
