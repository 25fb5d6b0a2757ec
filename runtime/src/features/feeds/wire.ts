/** What both ends know of a page of a feed: the type of what `read` returns, and what `useFeed` takes. */

/** An event of a feed, with its cursor. */
export interface FeedEvent<Event> {
  /** The position after the event. It is different for each event of a feed, so it also serves as the `key` of a list. */
  readonly cursor: string;
  readonly event: Event;
}

/** Events of a feed that follow each other, the oldest first. */
export interface FeedPage<Event> {
  readonly events: readonly FeedEvent<Event>[];
  /** The position before the first event: pass it as `before` to read older events. Left out if there are none. */
  readonly before?: string | undefined;
  /** The position after the last event: pass it as `after` to `subscribe`, or to read newer events. */
  readonly after: string;
}
