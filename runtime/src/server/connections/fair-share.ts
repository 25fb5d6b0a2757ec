/**
 * Shares a limited resource of an object, such as its streams, among clients: who holds an item, and which item is
 * dropped when there is no room. A client with one of a thousand streams loses nothing to a client with the rest.
 */

import type { ClientIdentity } from '../base/client-key.ts';

/** A client: by its owner, else by its id. `undefined` for a client without an id, which has only its connection. */
export function holderKeyOf({ owner, client }: ClientIdentity): string | undefined {
  if (owner !== undefined) return `owner ${owner}`;
  return client === undefined ? undefined : `client ${client}`;
}

/** Something that a client holds. */
export interface HeldItem {
  /** From `holderOf`, or the connection of a client without an id. */
  readonly holder: unknown;
  /** When the client left it, in the time of `Date.now()`; `undefined` while the client is connected. */
  readonly leftAt?: number | undefined;
}

/**
 * The item that is dropped for a client that wants one more: one that the client itself has left; else one of the
 * client that holds the most, if that is more than the newcomer will hold; else one that any client has left. Of
 * several, the one that was left first.
 *
 * @param held - all that the object holds, oldest first
 * @returns `undefined` if none is dropped, so the newcomer is refused
 */
export function itemToEvict<T extends HeldItem>(
  held: readonly T[],
  newcomer: unknown,
): T | undefined {
  const shares = Map.groupBy(held, ({ holder }) => holder);
  const own = shares.get(newcomer) ?? [];
  let largest: T[] = [];
  for (const share of shares.values()) if (share.length > largest.length) largest = share;
  const ofOthers =
    largest.length > own.length + 1 ? (oldestLeft(largest) ?? largest.at(-1)) : undefined;
  return oldestLeft(own) ?? ofOthers ?? oldestLeft(held);
}

function oldestLeft<T extends HeldItem>(held: readonly T[]): T | undefined {
  let oldest: T | undefined;
  for (const one of held) {
    if (one.leftAt !== undefined && one.leftAt < (oldest?.leftAt ?? Infinity)) oldest = one;
  }
  return oldest;
}
