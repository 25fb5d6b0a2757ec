/** Begins subscriptions to feeds, and restores them after hibernation. */
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
import type { Encode } from '../../../wire/encoded-message.ts';
import { encodeTail } from '../../../wire/messages.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import {
  cursorExpiredError,
  methodHasRunError,
  type NewSubscription,
  type SubscriptionKind,
} from '../../subscriptions/server/subscription.ts';
import { encodeGap, encodeSubscribed, type Position } from '../../subscriptions/wire.ts';
import { FeedSubscription, type VolatileRecord } from './feed-subscription.ts';
import { feedsOf } from './feeds.ts';
import type { OpenFeed } from './open-feed.ts';

/** A feed of the object, which a method listed by `events` returns. See `feed`. */
export interface FeedOfObject extends CheckableFeed {
  readonly [FEED]: unknown;
  readonly name: string;
  readonly keep: number;
  readonly window: number;
  readonly isVolatile: boolean;
  readonly snapshot: (() => unknown) | undefined;
}

/** The copy of another object's feed, which a method listed by `events` returns. See `relay`. */
export interface CopiedFeed {
  readonly [FEED]: unknown;
  readonly window: number;
  /**
   * Finds the position at which a subscriber begins.
   *
   * @param cursor - 0 or `null` for a new subscriber
   * @param isAwaited - whether the subscriber still waits
   * @throws RpcError `CURSOR_EXPIRED`; the error of the origin
   */
  reach(cursor: string | 0 | null, isAwaited: () => boolean): Promise<CopiedBeginning>;
}

/** The position at which a subscriber to a copy begins. */
export interface CopiedBeginning {
  readonly feed: OpenFeed;
  readonly position: Position;
  /** The snapshot of all events up to the position, as text from `encodeTail`; empty if there is none. */
  readonly snapshot: string;
  /** True if events of a volatile feed may be missing before the position. */
  readonly hasGap: boolean;
}

export const feedEvents: SubscriptionKind = {
  name: 'events',
  begin(begun) {
    const { connection, target, cursor, called, args, isAwaited } = begun;
    connection.countCall();
    const feed = feedIn(invoke(called, target, args, connection.caller), called.method.name);
    if ('reach' in feed) {
      return feed
        .reach(cursor, isAwaited)
        .then(({ feed: open, position, snapshot, hasGap }) => () => {
          if (hasGap) connection.send(encodeGap(begun.subscriptionId));
          start(begun, open, position, feed.window, () => snapshot);
        });
    }
    const { checkOutput } = called.method;
    checkEventsOf(feed, checkOutput);
    const { name, keep, snapshot, window, isVolatile } = feed;
    const feeds = feedsOf(target.instance);
    const position = feeds.open(name, isVolatile).positionAfter(cursor, { keep, snapshot });
    if (position) return start(begun, feeds.open(name, isVolatile), position, window, () => '');
    if (!snapshot) {
      if (!isVolatile) throw cursorExpiredError();
      connection.send(encodeGap(begun.subscriptionId));
      const open = feeds.open(name, isVolatile);
      return start(begun, open, open.log.end, window, () => '');
    }
    const all = runClassCode(called.method.name, target, connection.caller, snapshot);
    checkOutput?.(all);
    // The feed is opened only now, because a snapshot can open other feeds.
    const open = feeds.open(name, isVolatile);
    start(begun, open, open.log.end, window, (referenceOf) => encodeTail(all, referenceOf));
  },
  *restore(kept, instance) {
    const feeds = feedsOf(instance);
    const ends = new Map<string, Position>();
    for (const stored of kept) {
      const [, , name, acknowledged] = stored.state as [number, string, string, number | boolean];
      if (typeof acknowledged === 'boolean') {
        const record = stored.state as VolatileRecord;
        const feed = feeds.open(name, true);
        yield [stored, FeedSubscription.restoredVolatile(feeds, stored.connection, record, feed)];
        continue;
      }
      // The copy of another object's feed was in memory, and is lost. Its subscriber subscribes again with its cursor.
      if (!name) {
        yield [stored, { thrown: cursorExpiredError() }];
        continue;
      }
      const feed = feeds.open(name);
      const { log } = feed;
      const end = ends.get(name) ?? log.end;
      ends.set(name, end);
      if (acknowledged > end.event) yield [stored, { thrown: cursorExpiredError() }];
      else {
        const epochOf = (event: number): string | undefined => log.epochOf(event);
        yield [
          stored,
          FeedSubscription.restored(feeds, stored.connection, stored.state, feed, end, epochOf),
        ];
      }
    }
  },
};

/** @param encodeSnapshot - returns the snapshot, as text from `encodeTail`; empty if there is none */
function start(
  { subscriptionId, connection, target: { instance, contract }, call: [, callee] }: NewSubscription,
  feed: OpenFeed,
  position: Position,
  window: number,
  encodeSnapshot: Encode,
): void {
  if (feed.ended) throw feed.ended.thrown;
  const feeds = feedsOf(instance);
  const token = capabilityTokenOf(callee);
  const subscription = new FeedSubscription(
    feeds,
    connection,
    subscriptionId,
    feed,
    position,
    window,
    token,
  );
  subscribersOf(instance).add(subscription, connection);
  const message = connection.encode(
    (referenceOf) =>
      encodeSubscribed(subscriptionId, position, window, encodeSnapshot(referenceOf)),
    contract,
  );
  connection.send(message);
  feeds.deliver(feed, [subscription]);
}

function feedIn(result: unknown, method: string): FeedOfObject | CopiedFeed {
  const feed = result as Partial<FeedOfObject> | null | undefined;
  if (feed?.[FEED] === PACKAGE_COPY) return feed as FeedOfObject | CopiedFeed;
  disposeUnread(result);
  throw methodHasRunError(
    method,
    feed?.[FEED]
      ? 'returned a feed of another copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)'
      : 'is listed by events([…]), but returned no feed: return feed(this, name)',
  );
}
