/** Identifies a client across its connections. */

/** The part of a client's identity that outlasts its connections. */
export interface ClientIdentity {
  readonly owner?: string | undefined;
  readonly client?: string | undefined;
}

/**
 * Returns a text that identifies a client by its id and its owner. The owner alone does not suffice, because a hook can
 * give many visitors one owner. Returns `undefined` for a client without an id, which is known by its connection alone.
 */
export function clientKeyOf({ owner, client }: ClientIdentity): string | undefined {
  if (client === undefined) return undefined;
  return owner === undefined ? `-${client}` : `${owner.length} ${owner}${client}`;
}
