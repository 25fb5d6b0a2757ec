/** The kinds of methods that a contract can list. */
import type { Kind } from '../../wire/contract-brand.ts';

export type { Kind };

/** The key of the kind in an entry that a helper has made. */
export const ENTRY = '~entry';

/** The mark of a feed. Not a class, so that a feed of another copy of the package is recognized, too. */
export const FEED = Symbol.for('lumenize-rpc.feed');

/** Whether a value is a feed, of this copy of the package or another one. */
export function isFeed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && FEED in value;
}
