/**
 * Shares a limited resource of an object, such as its streams, among clients. It decides which item is dropped when
 * there is no room, so that one client that takes many items cannot push out a client with few items.
 */

import type { ClientIdentity } from '../base/client-key.ts';

/**
 * Returns a client's owner, or else its id; `undefined` for a client without an id, which is known by its connection.
 */
export function holderKeyOf({ owner, client }: ClientIdentity): string | undefined {
  if (owner !== undefined) return `owner ${owner}`;
  return client === undefined ? undefined : `client ${client}`;
}

/** An item that a client holds, such as a stream. */
export interface HeldItem {
  /** The client: the key from `holderKeyOf`, or the connection of a client without an id. */
  readonly holder: unknown;
  /** The time of `Date.now()` when the client left the item; `undefined` while the client is connected. */
  readonly leftAt?: number | undefined;
}

/**
 * Returns the item that is dropped to make room for a client that wants one more item. It is the first of these:
 *
 * 1. the item that this client left first;
 * 2. an item of the client that holds the most, if that client holds more than this client will: the item that it left
 *    first, or else its newest;
 * 3. the item that any client left first.
 *
 * @param held - all items that the object holds, oldest first
 * @returns `undefined` if no item is dropped, so the client that wants one more is refused
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
