/** The feeds that an object has stored, for reports. */
import { kvOf } from '../../../server/feature.ts';
import { FeedLog, firstOf, PREFIX } from './feed-log.ts';

/** The maximum number of feeds in a report. */
const MAX_FEEDS = 100;

/** A feed in the storage. */
export interface StoredFeed {
  readonly name: string;
  /** The numbers of the oldest and of the newest event. */
  readonly first: number;
  readonly last: number;
}

/** Returns the first hundred stored feeds. It reads one or two rows for each feed. */
export function storedFeedsOf(instance: object): StoredFeed[] {
  const kv = kvOf(instance);
  const feeds: StoredFeed[] = [];
  let start = PREFIX;
  while (feeds.length < MAX_FEEDS) {
    const [row] = kv.list<string>({ prefix: PREFIX, start, limit: 1 });
    if (!row) break;
    const [key] = row;
    const encoded = key.slice(PREFIX.length, key.lastIndexOf(':'));
    const name = decodeURIComponent(encoded);
    feeds.push({ name, first: firstOf(key), last: new FeedLog(kv, name).end.event });
    // The pages of a feed have numbers after the colon, which come before the semicolon.
    start = `${PREFIX}${encoded};`;
  }
  return feeds;
}
