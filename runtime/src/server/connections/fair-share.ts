/**
 * Whom a limited thing of an object belongs to, and who gives way when there is no room: a client that holds one of a
 * thousand streams loses nothing to one that holds the rest.
 */

/** The part of a client's identity that outlasts its connections. */
export interface Identified {
  readonly owner?: string | undefined;
  readonly client?: string | undefined;
}

/** A client: by its owner, else by its id. `undefined` for a client without an id, which has only its connection. */
export function holderOf({ owner, client }: Identified): string | undefined {
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
 * What gives way to a client that wants one more: what the client itself has left; then something of the client that
 * holds the most, if that is more than the newcomer will hold; then what anyone has left. What was left goes first,
 * the oldest before others.
 *
 * @param held - all that the object holds, oldest first
 * @returns `undefined` if nothing gives way, so the newcomer is refused
 */
export function itemToDrop<T extends HeldItem>(
  held: readonly T[],
  newcomer: unknown,
): T | undefined {
  const shares = new Map<unknown, T[]>();
  for (const one of held) {
    const share = shares.get(one.holder);
    if (share) share.push(one);
    else shares.set(one.holder, [one]);
  }
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
