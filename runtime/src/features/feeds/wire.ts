/** The types of a page of a feed, which `read` returns and `useFeed` takes. */

/** An event of a feed, with its cursor. */
export interface FeedEvent<Event> {
  /** The position after the event. It is different for each event of a feed, so it also serves as the `key` of a list. */
  readonly cursor: string;
  readonly event: Event;
}

/** Consecutive events of a feed, the oldest first. */
export interface FeedPage<Event> {
  readonly events: readonly FeedEvent<Event>[];
  /** The position before the first event. Pass it as `before` to read older events. It is left out if there are none. */
  readonly before?: string | undefined;
  /** The position after the last event. Pass it as `after` to `subscribe`, or to read newer events. */
  readonly after: string;
}
