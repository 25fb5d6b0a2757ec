/** Feeds: events that reach each subscriber once and in order. */
import { encodeTail } from '../../wire/messages.ts';
import { invoke, runWithOnError } from '../../server/calls/invocation.ts';
import { capabilityTokenOf } from '../../server/calls/callee.ts';
import { disposeUnread } from '../../server/calls/results/iterable-results.ts';
import { THIS_COPY } from '../../server/contract/contract-of.ts';
import { FEED } from '../../server/base/marks.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import { subscribersOf } from '../subscriptions/subscribers.ts';
import {
  cursorExpiredError,
  methodHasRunError,
  type SubscriptionFeature,
  type SubscriptionKind,
} from '../subscriptions/subscription.ts';
import { encodeSubscribed, type Position } from '../subscriptions/wire.ts';
import { FeedSubscription } from './feed-subscription.ts';
import { feedsOf } from './feeds.ts';

/** What a method of the kind returns: see `feed`. */
export interface ReturnedFeed {
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
  begin({ n, peer, target, cursor, call: [, callee], called, args }) {
    const { instance, contract } = target;
    const { name } = called.method;
    peer.countCall();
    const feed = feedIn(invoke(called, contract, args, peer.caller), name);
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
        snapshot = runWithOnError(name, contract, peer.caller, own);
      }
      const start = position ?? copied?.position ?? open.log.end;
      const token = capabilityTokenOf(callee);
      const one = new FeedSubscription(feeds, peer, n, feed.name, start, feed.window, token);
      subscribersOf(instance).add(one, peer);
      const message = peer.write(
        (of) => encodeSubscribed(n, start, feed.window, copied?.text ?? encodeTail(snapshot, of)),
        contract,
      );
      peer.push(message);
      feeds.deliver(open, [one]);
    };
    const reached = feed.copy?.reach(cursor);
    return reached ? reached.then(() => begin) : begin();
  },
  *restore(kept, instance) {
    const feeds = feedsOf(instance);
    const ends = new Map<string, Position>();
    for (const one of kept) {
      const [, , name, acknowledged] = one.record as [number, string, string, number];
      const { log } = feeds.open(name);
      const end = ends.get(name) ?? log.end;
      ends.set(name, end);
      if (acknowledged > end.event) yield [one, { thrown: cursorExpiredError() }];
      else {
        const epochOf = (event: number): string | undefined => log.epochOf(event);
        yield [one, FeedSubscription.restored(feeds, one.peer, one.record, end, epochOf)];
      }
    }
  },
};

export const feeds: SubscriptionFeature = {
  name: 'feeds',
  version: 1,
  needs: [subscriptions],
  kinds: [feedEvents],
  compile: (_, { kind }) => (kind === 'events' ? { returned: 'a feed' } : undefined),
};

function feedIn(result: unknown, method: string): ReturnedFeed {
  const feed = result as Partial<ReturnedFeed> | null | undefined;
  if (feed?.[FEED] === THIS_COPY) return feed as ReturnedFeed;
  disposeUnread(result);
  throw methodHasRunError(
    method,
    feed?.[FEED]
      ? 'returned a feed of another copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)'
      : 'is listed by events([…]), but returned no feed: return feed(this, name)',
  );
}
