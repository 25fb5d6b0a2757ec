/**
 * Who listens to an object: found again after hibernation, and told at the end of each turn what
 * happened in it. Nothing of it is stored, so nothing has to be tidied. Imports contract, live,
 * open-feed, peer, sockets, subscription, turns and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { encodeComplete, type Position } from '../wire/subscriptions.ts';
import type { CompiledContract } from './contract.ts';
import { contractOf } from './contract-of.ts';
import { kvOf } from './key-values.ts';
import { LiveCalls } from './live.ts';
import { expired, OpenFeed } from './open-feed.ts';
import type { Peer } from './peer.ts';
import { unknown } from './seals.ts';
import { peersOf } from './sockets.ts';
import {
  FeedSubscription,
  LiveSubscription,
  type Subscription,
  type SubscriptionRecord,
} from './subscription.ts';
import { atEndOfTurn } from './turns.ts';

/** How many feeds are held in memory before those are let go to which nobody listens. */
const FEEDS_TO_TIDY = 1_000;

const subscribers = new WeakMap<object, Subscribers>();

export function subscribersOf(instance: object): Subscribers {
  let found = subscribers.get(instance);
  if (!found) {
    found = new Subscribers(instance);
    subscribers.set(instance, found);
  }
  return found;
}

/** Lets go of what a connection that has ended listened to. */
export function forgetListener(instance: object, peer: Peer): void {
  const found = subscribers.get(instance);
  if (found) for (const n of peer.subscriptions.keys()) found.remove(peer, n);
}

/**
 * Says that live values may have changed, after something that is no call of a method of the
 * contract: an alarm, a `fetch` of the class's own, or what follows an `await`. Those whose values
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
  /** The feeds that have got events in this turn. */
  readonly #appended = new Set<string>();
  #feedsToTidy = FEEDS_TO_TIDY;
  #hasChanged = false;
  #isPublishing = false;

  constructor(instance: object) {
    this.#instance = instance;
    this.#live = new LiveCalls(instance, (one, thrown) => this.end(one, thrown));
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

  /** Takes note that a feed has got events. */
  appended(name: string): void {
    this.#appended.add(name);
    this.#publishSoon();
  }

  /** Takes note that live values may have changed. */
  changed(): void {
    // What a live method does by itself is no news.
    if (this.#live.size === 0 || this.#isPublishing) return;
    this.#hasChanged = true;
    this.#publishSoon();
  }

  /** @throws RpcError `LIMIT_EXCEEDED`; then nothing has been added */
  add(subscription: Subscription): void {
    const { peer, n } = subscription;
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
  }

  /** Ends a subscription, and says why. */
  end(one: Subscription, thrown: unknown): void {
    this.remove(one.peer, one.n);
    one.peer.keepSubscriptions();
    const details = this.#contract?.exposeErrorDetails ?? false;
    one.peer.push(encodeComplete(one.n, { thrown, details }));
  }

  /** Ends what is subscribed to through a capability that has been revoked. */
  revoked(seal: string): void {
    const listeners: Set<Subscription>[] = [...this.#live.listeners];
    for (const feed of this.#feeds.values()) listeners.push(feed.listeners);
    for (const one of listeners.flatMap((some) => Array.from(some))) {
      if (one.seal === seal) this.end(one, unknown());
    }
  }

  /** Sends what a subscription may get now. */
  refresh(one: Subscription): void {
    const contract = this.#contract;
    if (one instanceof FeedSubscription) this.#deliver(this.feed(one.name), [one]);
    else if (contract) this.#live.updateSome([one], contract);
  }

  #publishSoon(): void {
    atEndOfTurn(this.#instance, () => this.#publish());
  }

  #publish(): void {
    this.#isPublishing = true;
    // What a live method appends is published in its turn.
    const appended = [...this.#appended];
    const hasChanged = this.#hasChanged;
    this.#appended.clear();
    this.#hasChanged = false;
    try {
      for (const name of appended) {
        const feed = this.feed(name);
        if (feed.listeners.size > 0) this.#deliver(feed, feed.listeners);
      }
      const contract = this.#contract;
      if (hasChanged && contract) this.#live.update(contract);
    } catch (error) {
      // Nobody is there to throw to. Who misses an event asks for it.
      console.error(error);
    }
    this.#isPublishing = false;
  }

  #deliver(feed: OpenFeed, listeners: Iterable<FeedSubscription>): void {
    for (const one of feed.deliver(listeners)) this.end(one, expired());
  }

  /** @param ends - of the feeds that have been met */
  #restore(peer: Peer, ends: Map<string, Position>): void {
    for (const record of peer.kept as SubscriptionRecord[]) {
      const [n, kind] = record;
      let one: Subscription;
      if (kind === 'live') one = new LiveSubscription(peer, n, record[2], record[3]);
      else {
        const [, , name, event, epoch, window, seal] = record;
        const end = ends.get(name) ?? this.feed(name).log.end;
        ends.set(name, end);
        const position = { event, epoch: epoch || end.epoch };
        one = new FeedSubscription(peer, n, name, position, window, seal);
        // All of that was sent in the turn in which it could be.
        one.sent = Math.max(event, Math.min(end.event, one.limit));
      }
      peer.subscriptions.set(n, one);
      this.#enlist(one);
    }
  }

  #enlist(one: Subscription): void {
    if (one instanceof FeedSubscription) this.feed(one.name).listeners.add(one);
    else this.#live.add(one, this.#contract?.limits.liveCalls ?? Infinity);
  }

  #closeIdleFeeds(): void {
    for (const [name, { listeners }] of this.#feeds) {
      if (listeners.size === 0 && !this.#appended.has(name)) this.#feeds.delete(name);
    }
    // Not each time that there is one more, where many are listened to.
    this.#feedsToTidy = FEEDS_TO_TIDY + 2 * this.#feeds.size;
  }
}

/** The socket's attachment has no room for it. */
function tooLarge(cause: unknown): RpcError {
  const message = 'The subscriptions of this connection take more than can be kept with its socket';
  return new RpcError('LIMIT_EXCEEDED', message, { cause });
}
