/**
 * What clients say of subscriptions: begun, consumed, ended. Imports callee, feed,
 * invocation, open-feed, peer, refusal, results, seals, subscribers, subscription and wire/.
 */
import { exceeded } from '../wire/limits.ts';
import { type CallMessage, checkCall, isId } from '../wire/messages.ts';
import {
  decodeCursor,
  encodeComplete,
  encodeSubscribed,
  type Position,
} from '../wire/subscriptions.ts';
import { isThenable } from '../wire/tags.ts';
import { lasting, resolverOf, type Target } from './callee.ts';
import { FeedOfObject } from './feed.ts';
import { begin, type Begun, invoke } from './invocation.ts';
import { expired } from './open-feed.ts';
import type { Peer } from './peer.ts';
import { refusal } from './refusal.ts';
import type { Results } from './results.ts';
import { sealOf } from './seals.ts';
import { type Subscribers, subscribersOf } from './subscribers.ts';
import { FeedSubscription, LiveSubscription } from './subscription.ts';

/** What one live call may take, in characters: the sockets' attachments hold 16 KiB. */
const MAX_CALL_SIZE = 12_000;

/**
 * Deals with a message about a subscription.
 *
 * @param results - of the calls that the frame takes
 * @returns whether it is one
 * @throws RpcError `BAD_MESSAGE` for what is malformed: the frame ends there
 */
export function hearSubscriber(
  message: unknown[],
  target: Target,
  peer: Peer,
  results: Results | undefined,
): boolean {
  const [kind, n, detail] = message;
  if (kind !== 'subscribe' && kind !== 'ack' && kind !== 'unsubscribe') return false;
  if (!isId(n)) throw refusal('BAD_MESSAGE', 'A subscription has a number from 1 on');
  if (!peer.isConnection) {
    throw refusal('BAD_MESSAGE', 'Subscriptions need a WebSocket: nothing more comes by a POST');
  }
  const subscribers = subscribersOf(target.instance);
  if (kind !== 'ack') beginnings.get(peer)?.delete(n);
  if (kind === 'subscribe') new Beginning(message, n, target, peer).run(subscribers, results);
  else if (kind === 'ack') acknowledge(subscribers, peer, n, detail);
  else if (peer.subscriptions.has(n)) {
    subscribers.remove(peer, n);
    peer.keepSubscriptions();
  }
  return true;
}

function acknowledge(subscribers: Subscribers, peer: Peer, n: number, count: unknown): void {
  if (!isId(count)) throw refusal('BAD_MESSAGE', 'An acknowledgement has a number from 1 on');
  // One that has ended meanwhile is nobody's fault.
  const one = peer.subscriptions.get(n);
  if (one instanceof LiveSubscription) {
    if (!one.acknowledge(count)) return;
  } else if (one instanceof FeedSubscription) {
    if (count <= one.acknowledged || count > one.sent) return;
    one.acknowledged = count;
  } else return;
  peer.keepSubscriptions();
  subscribers.refresh(one);
}

/** Those that wait for the call that they are made on, by the client's numbers. */
const beginnings = new WeakMap<Peer, Map<number, Beginning>>();

/** A subscription that is to begin. */
class Beginning {
  readonly #n: number;
  readonly #cursor: unknown;
  readonly #call: unknown[];
  readonly #target: Target;
  readonly #peer: Peer;

  constructor([, , cursor, ...call]: unknown[], n: number, target: Target, peer: Peer) {
    this.#n = n;
    this.#cursor = cursor;
    this.#call = [n, ...call];
    this.#target = target;
    this.#peer = peer;
  }

  /** Subscribes, or says why not. */
  run(subscribers: Subscribers, results: Results | undefined): void {
    subscribers.remove(this.#peer, this.#n);
    this.#orEnd(() => {
      const call = this.#admit(this.#call);
      if (results?.isMissing(call)) return this.#peer.push(encodeComplete(-this.#n));
      const pending = results?.pending(call);
      const proceed = (): void => this.#begin(call, subscribers, results);
      if (!pending) return proceed();
      beginnings.set(this.#peer, (beginnings.get(this.#peer) ?? new Map()).set(this.#n, this));
      void pending.then(() => {
        const waiting = beginnings.get(this.#peer);
        if (waiting?.get(this.#n) !== this || this.#peer.isClosed) return;
        waiting.delete(this.#n);
        this.#orEnd(proceed);
      });
    });
  }

  #orEnd(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      this.#peer.countRefusal();
      this.#peer.keepSubscriptions();
      const details = this.#target.contract.exposeErrorDetails;
      this.#peer.push(encodeComplete(this.#n, { thrown, details }));
    }
  }

  #begin(made: CallMessage, subscribers: Subscribers, results: Results | undefined): void {
    const { caller } = this.#peer;
    const [, callee, ...args] = made;
    const resolve = resolverOf(made, this.#target, caller, results);
    const call = [this.#n, lasting(callee, resolve), ...args] as CallMessage;
    const beginning = begin(call, this.#target, caller);
    if (beginning.called.method.live) this.#follow(call, subscribers);
    else this.#read(call, beginning, subscribers);
  }

  /** @throws RpcError for what cannot be subscribed to */
  #admit([, ...rest]: unknown[]): CallMessage {
    // Whatever call it is made on was made before.
    const call = [Number.MAX_SAFE_INTEGER, ...rest];
    const { contract } = this.#target;
    const { limits } = contract;
    if (!this.#peer.mayCall()) exceeded('callsPerSecond', limits.callsPerSecond);
    const waiting = beginnings.get(this.#peer)?.size ?? 0;
    if (this.#peer.subscriptions.size + waiting >= limits.subscriptions) {
      exceeded('subscriptions', limits.subscriptions);
    }
    checkCall(call);
    if (this.#cursor !== null && typeof this.#cursor !== 'string') {
      throw refusal('BAD_MESSAGE', 'A cursor is text, or null');
    }
    return call;
  }

  #follow(call: CallMessage, subscribers: Subscribers): void {
    if (JSON.stringify(call).length > MAX_CALL_SIZE) {
      exceeded('the size of a live call', MAX_CALL_SIZE);
    }
    const one = new LiveSubscription(this.#peer, this.#n, call);
    subscribers.add(one);
    this.#peer.countCall();
    this.#peer.push(`["subscribed",${this.#n}]`);
    subscribers.refresh(one);
  }

  #read([, callee]: CallMessage, { called, args }: Begun, subscribers: Subscribers): void {
    const { name, readonly } = called.method;
    if (!readonly) throw notSubscribable(name, 'is not readonly');
    this.#peer.countCall();
    const feed = invoke(called, this.#target.contract, args, this.#peer.caller);
    if (!(feed instanceof FeedOfObject)) {
      if (isThenable(feed)) void Promise.resolve(feed).catch(() => {});
      throw notSubscribable(name, 'is not live, and returned no feed');
    }
    const position = positionIn(feed, this.#cursor as string | null, subscribers);
    if (!position && !feed.snapshot) throw expired();
    const snapshot = position ? undefined : feed.snapshot?.();
    const start = position ?? subscribers.feed(feed.name).log.end;
    const one = new FeedSubscription(
      this.#peer,
      this.#n,
      feed.name,
      start,
      feed.window,
      sealOf(callee),
    );
    subscribers.add(one);
    this.#peer.push(encodeSubscribed(this.#n, start, feed.window, snapshot));
    subscribers.refresh(one);
  }
}

/** @returns where to go on; `undefined` if what follows is not there, or all before is asked for */
function positionIn(
  { name, keep, snapshot }: FeedOfObject<unknown>,
  cursor: string | null,
  subscribers: Subscribers,
): Position | undefined {
  const { log } = subscribers.feed(name);
  const { end } = log;
  if (cursor === null) return snapshot ? undefined : end;
  const position = decodeCursor(cursor);
  if (!position || position.event > end.event) return undefined;
  // Before the first event there was no log that could have been another.
  if (position.epoch !== end.epoch && (position.epoch !== '' || position.event > 0))
    return undefined;
  const oldest = Math.max(log.oldest, end.event - keep + 1);
  return position.event + 1 < oldest ? undefined : { ...position, epoch: end.epoch };
}

function notSubscribable(name: string, problem: string): Error {
  return refusal('METHOD_NOT_FOUND', `${name} cannot be subscribed to: it ${problem}`);
}
