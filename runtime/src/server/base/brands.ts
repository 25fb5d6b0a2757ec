/**
 * The marks of the entries, schemas and feeds that features make. They are plain properties and not classes, so that two
 * copies of the package understand each other.
 */
import { isObject } from '../../wire/values/plain.ts';
import type { Schema } from './standard-schema.ts';

/** An argument that is a stream: see `streamOf`. */
export interface StreamOf<Items extends Schema = Schema> {
  /** The schema of each item. */
  readonly '~streamOf': Items;
}

export function isStreamOf(value: unknown): value is StreamOf {
  return isObject(value) && '~streamOf' in value;
}

/** The schema of a function: see `callback`. */
export interface IsCallback {
  readonly '~callback': true;
}

/** @param schema - the schema of a function */
export function isCallback(schema: object): boolean {
  return '~callback' in schema;
}

/** The key of the kind in an entry that a function of a feature has made, such as `live`. */
export const METHOD_KIND = '~entry';

/** The mark of a feed. */
export const FEED = Symbol.for('lumenize-rpc.feed');

/** Returns whether a value is a feed of this or of another copy of the package. */
export function isFeed(value: unknown): boolean {
  return isObject(value) && FEED in value;
}

/** A feed whose events can be checked. A relay's copy of a feed has no such check, because the origin has made it. */
export interface CheckableFeed {
  /** @param check - called with each event before it is stored; throws the reason why the event cannot be published */
  checkEvents?(check: (event: unknown) => void): void;
}

/**
 * Lets a feed that a method has returned check its events.
 *
 * @param check - the check; `undefined` where nothing is checked
 */
export function checkEventsOf(
  result: unknown,
  check: ((event: unknown) => void) | undefined,
): void {
  if (check && isFeed(result)) (result as CheckableFeed).checkEvents?.(check);
}
