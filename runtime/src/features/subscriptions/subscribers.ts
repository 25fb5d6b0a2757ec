/**
 * The subscribers of an object: restored after hibernation, and updated at the end of each turn. Nothing is
 * in the object's storage, so nothing has to be deleted there. Imports contract, live, open-feed,
 * open-stream, peer, refusal, row-pages, sockets, streams, subscription, turns and wire/.
 */
import type { CompiledContract } from '../../server/contract/compiled.ts';
import { RpcError } from '../../wire/errors.ts';
import { encodeEnd, type End, type Position } from './wire.ts';
import { contractOf } from '../../server/contract/contract-of.ts';
import { checkCopy } from '../../server/contract/copies.ts';
import { kvOf } from '../../server/journal/key-values.ts';
import { LiveCalls } from '../live/server.ts';
import { expired, OpenFeed } from '../feeds/open-feed.ts';
import { lost, OpenStream } from '../streams/open-stream.ts';
import type { Peer } from '../../server/connections/peer.ts';
import { refusal } from '../../server/calls/refusal.ts';
import { RowsSubscription } from '../streams/row-pages.ts';
import { unknownTarget } from '../../server/calls/callee.ts';
import { peersOf } from '../../server/connections/sockets.ts';
import { streamsOf } from '../streams/streams.ts';
import {
  FeedSubscription,
  LiveSubscription,
  type RowsRecord,
  type SubscriptionRecord,
  tooLarge,
} from './subscription.ts';
import { atEndOfTurn, followTransactions } from '../../server/calls/turns.ts';

export type Subscription = FeedSubscription | LiveSubscription | RowsSubscription | OpenStream;

/** Number of feeds in memory from which feeds without subscribers are dropped. */
const FEEDS_TO_TIDY = 1_000;

const subscribers = new WeakMap<object, Subscribers>();

export function subscribersOf(instance: object): Subscribers {
  let found = subscribers.get(instance);
  if (!found) {
    checkCopy(instance);
    found = new Subscribers(instance);
    subscribers.set(instance, found);
  }
  return found;
}

/**
 * Removes the subscriptions of a connection that has ended. Streams wait for the client.
 *
 * @param isFinal - whether the client will not come back
 */
export function forgetListener(instance: object, peer: Peer, isFinal = false): void {
  const found = subscribers.get(instance);
  if (!found) return;
  const mayComeBack = !isFinal && peer.client !== undefined;
  for (const [n, one] of peer.subscriptions) {
    if (one instanceof OpenStream && mayComeBack) {
      peer.subscriptions.delete(n);
      one.leave();
    } else found.remove(peer, n);
  }
}

/**
 * Reports that live values may have changed, outside of a call of a contract's method: in an alarm or in the
 * class's own `fetch`. An asynchronous method needs it only to send a change before the method ends. Values that
 * have changed are sent at the end of the turn.
 *
 * @param instance - the object
 * @example
 * override alarm(): void { this.ctx.storage.kv.delete('topic'); changed(this); }
 */
export function changed(instance: object): void {
  subscribersOf(instance).changed();
}

export class Subscribers {
  readonly #instance: object;
  readonly #feeds = new Map<string, OpenFeed>();
  readonly #live: LiveCalls;
  readonly #rows = new Set<RowsSubscription>();
  /** The feeds that got events in this turn. */
  readonly #appended = new Set<string>();
  #feedsToTidy = FEEDS_TO_TIDY;
  #hasChanged = false;
  #isPublishing = false;

  constructor(instance: object) {
    this.#instance = instance;
    // `lumenizeRpcDO` does it earlier.
    followTransactions(instance);
    this.#live = new LiveCalls(instance, ({ peer, n }, thrown) => this.end(peer, n, { thrown }));
    const ends = new Map<string, Position>();
    for (const peer of peersOf(instance)) this.#restore(peer, ends);
  }

  get #contract(): CompiledContract | undefined {
    return contractOf(this.#instance);
  }

  feed(name: string): OpenFeed {
    let open = this.#feeds.get(name);
    if (!open) {
      if (this.#feeds.size >= this.#feedsToTidy) this.#closeIdleFeeds();
      open = new OpenFeed(kvOf(this.#instance), name);
      this.#feeds.set(name, open);
    }
    return open;
  }

  /** Publishes the new events of a feed at the end of the turn. */
  appended(name: string): void {
    this.#appended.add(name);
    this.#publishSoon();
  }

  /** Updates live values at the end of the turn. */
  changed(): void {
    // A change that a live method makes during an update must not cause another update.
    if (this.#live.size === 0 || this.#isPublishing) return;
    this.#hasChanged = true;
    this.#publishSoon();
  }

  /** @throws RpcError `LIMIT_EXCEEDED`; then nothing has been added */
  add(subscription: Subscription, peer: Peer): void {
    const { n } = subscription;
    peer.subscriptions.set(n, subscription);
    try {
      this.#enlist(subscription);
      peer.keepSubscriptions();
    } catch (error) {
      this.remove(peer, n);
      throw error instanceof RpcError ? error : tooLarge(error);
    }
  }

  remove(peer: Peer, n: number): void {
    const one = peer.subscriptions.get(n);
    peer.subscriptions.delete(n);
    if (one instanceof LiveSubscription) this.#live.remove(one);
    else if (one instanceof FeedSubscription) this.#feeds.get(one.name)?.listeners.delete(one);
    else if (one instanceof RowsSubscription) this.#rows.delete(one);
    if (one instanceof RowsSubscription || one instanceof OpenStream) release(one);
  }

  /** Ends a subscription, and sends the end to the client, with its error if there is one. */
  end(peer: Peer, n: number, end: End): void {
    this.remove(peer, n);
    this.#complete(peer, n, end);
    try {
      peer.keepSubscriptions();
    } catch (error) {
      // Other subscriptions of the connection have grown since they were stored. What is stored would be restored, so
      // nothing may be left of it.
      for (const left of peer.subscriptions.keys()) {
        this.remove(peer, left);
        this.#complete(peer, left, { thrown: tooLarge(error) });
      }
      peer.keepSubscriptions();
    }
  }

  #complete(peer: Peer, n: number, end: End): void {
    const details = this.#contract?.exposeErrorDetails ?? false;
    peer.push(encodeEnd(n, end, details));
  }

  /** A subscription to rows, new or from before hibernation. */
  rows(peer: Peer, record: RowsRecord): RowsSubscription {
    return new RowsSubscription(peer, record, (end) => this.end(peer, record[0], end));
  }

  /** Ends the subscriptions through a capability that has been revoked. */
  revoked(seal: string): void {
    const listeners: Set<Subscription>[] = [...this.#live.listeners, this.#rows];
    for (const feed of this.#feeds.values()) listeners.push(feed.listeners);
    const streams = streamsOf(this.#instance).all;
    for (const one of [...streams, ...listeners.flatMap((some) => Array.from(some))]) {
      if (one.seal !== seal) continue;
      if (one.peer) this.end(one.peer, one.n, { thrown: unknownTarget() });
      else if (one instanceof OpenStream) release(one);
    }
  }

  /** Sends the updates that a subscription may get now. */
  refresh(one: FeedSubscription | LiveSubscription): void {
    const contract = this.#contract;
    if (one instanceof FeedSubscription) this.#deliver(this.feed(one.name), [one]);
    else if (contract) this.#live.updateSome([one], contract);
  }

  #publishSoon(): void {
    atEndOfTurn(this.#instance, () => this.#publish());
  }

  #publish(): void {
    this.#isPublishing = true;
    // Copied, because events that a live method appends are published by the next run.
    const appended = [...this.#appended];
    const hasChanged = this.#hasChanged;
    this.#appended.clear();
    this.#hasChanged = false;
    try {
      for (const name of appended) {
        const feed = this.#feeds.get(name);
        if (feed && feed.listeners.size > 0) this.#deliver(feed, feed.listeners);
      }
      const contract = this.#contract;
      if (hasChanged && contract) this.#live.update(contract);
    } catch (error) {
      // No caller can receive the error. A client that misses an event requests it.
      console.error(error);
    }
    this.#isPublishing = false;
  }

  #deliver(feed: OpenFeed, listeners: Iterable<FeedSubscription>): void {
    for (const [one, thrown] of feed.deliver(listeners)) this.end(one.peer, one.n, { thrown });
  }

  /** @param ends - the ends of the feeds that have been read */
  #restore(peer: Peer, ends: Map<string, Position>): void {
    for (const record of peer.kept as SubscriptionRecord[]) {
      const [n, kind] = record;
      let one: Subscription;
      if (kind === 'stream') {
        this.#complete(peer, n, { thrown: lost(record[2]) });
        continue;
      }
      if (kind === 'live') one = new LiveSubscription(peer, n, record[2], record[3]);
      else if (kind === 'rows') one = this.rows(peer, record);
      else {
        const [, , name, acknowledged] = record;
        const { log } = this.feed(name);
        const end = ends.get(name) ?? log.end;
        ends.set(name, end);
        if (acknowledged > end.event) {
          this.#complete(peer, n, { thrown: expired() });
          continue;
        }
        one = FeedSubscription.restored(peer, record, end, (event) => log.epochOf(event));
      }
      peer.subscriptions.set(n, one);
      this.#enlist(one);
    }
    if (peer.subscriptions.size < peer.kept.length) peer.keepSubscriptions();
  }

  #enlist(one: Subscription): void {
    if (one instanceof FeedSubscription) this.feed(one.name).listeners.add(one);
    else if (one instanceof RowsSubscription) this.#rows.add(one);
    else if (one instanceof LiveSubscription) {
      this.#live.add(one, this.#contract?.limits.liveCalls ?? Infinity);
    }
  }

  #closeIdleFeeds(): void {
    for (const [name, { listeners }] of this.#feeds) {
      if (listeners.size === 0) this.#feeds.delete(name);
    }
    // So that it does not run for each new feed if many feeds have subscribers.
    this.#feedsToTidy = FEEDS_TO_TIDY + 2 * this.#feeds.size;
  }
}

function release(one: OpenStream | RowsSubscription): void {
  one.stop(refusal('ABORTED', 'The client stopped reading'));
}
