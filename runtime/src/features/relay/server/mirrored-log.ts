/**
 * Writes to the log of a feed that is copied from another one: events before those that it has, and a new beginning.
 * The log notices what has changed in the storage.
 */
import type { KeyValues } from '../../../server/feature.ts';
import { epochLine, keyOf, prefixOf, storedPage } from '../../feeds/server/feed-log.ts';
import type { Position } from '../../subscriptions/wire.ts';

/** How many events a page gets. They need not be as many as in a page that grows. */
const EVENTS_PER_PAGE = 20;

/** The text of an event, and its epoch. */
export interface PastEvent {
  epoch: string;
  text: string;
}

/** The position before the first event that a log has; `undefined` for a log without pages. */
export function startOf(kv: KeyValues, name: string): Position | undefined {
  const prefix = prefixOf(name);
  for (const [key, stored] of kv.list<string>({ prefix, limit: 1 })) {
    const [epoch = ''] = stored.split('\n', 1);
    return { event: Number(key.slice(prefix.length)) - 1, epoch };
  }
  return undefined;
}

/** Drops all events, and goes on after a position. */
export function restart(kv: KeyValues, name: string, { event, epoch }: Position): void {
  const prefix = prefixOf(name);
  for (const [key] of Array.from(kv.list({ prefix }))) kv.delete(key);
  kv.put(keyOf(prefix, event + 1), storedPage(epoch, []));
}

/**
 * Adds events before the first that a log has.
 *
 * @param after - the position before these events
 */
export function prepend(
  kv: KeyValues,
  name: string,
  after: Position,
  events: readonly PastEvent[],
): void {
  const prefix = prefixOf(name);
  let { epoch } = after;
  for (let at = 0; at < events.length; at += EVENTS_PER_PAGE) {
    const before = epoch;
    const lines = events.slice(at, at + EVENTS_PER_PAGE).flatMap((event) => {
      const isNew = event.epoch !== epoch;
      epoch = event.epoch;
      return isNew ? [epochLine(epoch), event.text] : [event.text];
    });
    kv.put(keyOf(prefix, after.event + at + 1), storedPage(before, lines));
  }
}
