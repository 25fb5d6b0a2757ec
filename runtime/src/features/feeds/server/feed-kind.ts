/** The subscriptions to feeds: how a subscription begins, and how it is restored after hibernation. */
import {
  capabilityTokenOf,
  type CheckableFeed,
  checkEventsOf,
  disposeUnread,
  FEED,
  invoke,
  PACKAGE_COPY,
  runClassCode,
} from '../../../server/feature.ts';
import { encodeTail } from '../../../wire/messages.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import {
  cursorExpiredError,
  methodHasRunError,
  type SubscriptionKind,
} from '../../subscriptions/server/subscription.ts';
import { encodeSubscribed, type Position } from '../../subscriptions/wire.ts';
import { FeedSubscription } from './feed-subscription.ts';
import { feedsOf } from './feeds.ts';

/** What a method of the kind returns: see `feed`. */
export interface ReturnedFeed extends CheckableFeed {
  readonly [FEED]: unknown;
  readonly name: string;
  readonly keep: number;
  readonly window: number;
  readonly snapshot: (() => unknown) | undefined;
  /** What there is of a feed whose events are another object's: see `relay`. */
  readonly copy?: FeedCopy;
}

export interface FeedCopy {
  /**
   * Looks whether the copy has what a subscriber begins with.
   *
   * @param cursor - 0 or `null` for a subscriber that begins
   * @returns a promise if it has to be asked for
   */
  reach(cursor: string | 0 | null): Promise<void> | undefined;
  /** The snapshot from which the copy has all events: its position, and its text from `encodeTail`. */
  readonly base: { readonly position: Position; readonly text: string } | undefined;
}

export const feedEvents: SubscriptionKind = {
  name: 'events',
  begin({ subscriptionId, connection, target, cursor, call: [, callee], called, args }) {
    const { instance, contract } = target;
    const { name, checkOutput } = called.method;
    connection.countCall();
    const feed = feedIn(invoke(called, target, args, connection.caller), name);
    checkEventsOf(feed, checkOutput);
    const begin = (): void => {
      const feeds = feedsOf(instance);
      const open = feeds.open(feed.name);
      const base = feed.copy?.base;
      const { keep, snapshot: own } = feed;
      const position = open.positionAfter(cursor, { keep, snapshot: base ?? own });
      const copied = position ? undefined : base;
      let snapshot: unknown;
      if (!position && !copied) {
        if (!own) throw cursorExpiredError();
        snapshot = runClassCode(name, target, connection.caller, own);
        checkOutput?.(snapshot);
      }
      const start = position ?? copied?.position ?? open.log.end;
      const token = capabilityTokenOf(callee);
      const subscription = new FeedSubscription(
        feeds,
        connection,
        subscriptionId,
        feed.name,
        start,
        feed.window,
        token,
      );
      subscribersOf(instance).add(subscription, connection);
      const message = connection.encode(
        (referenceOf) =>
          encodeSubscribed(
            subscriptionId,
            start,
            feed.window,
            copied?.text ?? encodeTail(snapshot, referenceOf),
          ),
        contract,
      );
      connection.send(message);
      feeds.deliver(open, [subscription]);
    };
    const reached = feed.copy?.reach(cursor);
    return reached ? reached.then(() => begin) : begin();
  },
  *restore(kept, instance) {
    const feeds = feedsOf(instance);
    const ends = new Map<string, Position>();
    for (const stored of kept) {
      const [, , name, acknowledged] = stored.state as [number, string, string, number];
      const { log } = feeds.open(name);
      const end = ends.get(name) ?? log.end;
      ends.set(name, end);
      if (acknowledged > end.event) yield [stored, { thrown: cursorExpiredError() }];
      else {
        const epochOf = (event: number): string | undefined => log.epochOf(event);
        yield [
          stored,
          FeedSubscription.restored(feeds, stored.connection, stored.state, end, epochOf),
        ];
      }
    }
  },
};

function feedIn(result: unknown, method: string): ReturnedFeed {
  const feed = result as Partial<ReturnedFeed> | null | undefined;
  if (feed?.[FEED] === PACKAGE_COPY) return feed as ReturnedFeed;
  disposeUnread(result);
  throw methodHasRunError(
    method,
    feed?.[FEED]
      ? 'returned a feed of another copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)'
      : 'is listed by events([…]), but returned no feed: return feed(this, name)',
  );
}
