/**
 * Starts or resumes a subscription: finds its kind and its position, and checks that it is allowed.
 */
import type { Target } from '../../server/contract/compiled.ts';
import { exceeded } from '../../wire/limits.ts';
import { type CallMessage, checkCall } from '../../wire/messages.ts';
import {
  decodeCursor,
  decodePlace,
  encodeComplete,
  encodeSubscribed,
  encodeSubscribedToRows,
  type Position,
  ROW_WINDOW,
} from './wire.ts';
import { weightOf } from '../../server/calls/arguments.ts';
import { outcomeOf, report } from '../../server/calls/call-reports.ts';
import { type Called, lasting, resolverOf, sealOf } from '../../server/calls/callee.ts';
import { FeedOfObject } from '../feeds/feed.ts';
import { beginAgain, type Begun, invoke, runFor } from '../../server/calls/invocation.ts';
import { isFeed } from '../../server/contract/kinds.ts';
import { expired } from '../feeds/open-feed.ts';
import { lost, type OpenStream } from '../streams/open-stream.ts';
import type { Peer } from '../../server/connections/peer.ts';
import { refusal } from '../../server/calls/refusal.ts';
import type { Results } from '../../server/calls/results.ts';
import { dismiss, hasRun, StreamSource } from '../streams/stream-source.ts';
import { streamsOf } from '../streams/streams.ts';
import { type Subscribers, subscribersOf } from './subscribers.ts';
import { FeedSubscription, LiveSubscription, type RowsRecord } from './subscription.ts';

/** Largest call that the socket's attachment may contain, in characters. An attachment has at most 16 KiB. */
const MAX_CALL_SIZE = 12_000;

/** Subscriptions that wait for the call whose result they are made on, by the client's numbers. */
const beginnings = new WeakMap<Peer, Map<number, Beginning>>();

/** Cancels a subscription that waits. */
export function giveUpBeginning(peer: Peer, n: number): void {
  beginnings.get(peer)?.delete(n);
}

export class Beginning {
  readonly #n: number;
  readonly #cursor: unknown;
  readonly #call: unknown[];
  readonly #target: Target;
  readonly #peer: Peer;
  readonly #subscribers: Subscribers;
  readonly #results: Results | undefined;
  readonly #start = performance.now();

  /**
   * @param message - a `subscribe` message with a valid number
   * @param results - the results that calls of the frame refer to, if there are any
   */
  constructor(
    [, n, cursor, ...call]: unknown[],
    target: Target,
    peer: Peer,
    results: Results | undefined,
  ) {
    this.#n = n as number;
    this.#cursor = cursor;
    this.#call = [n, ...call];
    this.#target = target;
    this.#peer = peer;
    this.#subscribers = subscribersOf(target.instance);
    this.#results = results;
  }

  /** Subscribes, or ends the subscription with an error. */
  run(): void {
    const [peer, n] = [this.#peer, this.#n];
    const known = streamsOf(this.#target.instance).find(peer, n);
    if (known && this.#mayGoOn(known)) {
      // Not by `Subscribers.remove`, which would end the stream. `#goOn` adds it again.
      peer.subscriptions.delete(n);
      return this.#orEnd(() => this.#goOn(known));
    }
    this.#subscribers.remove(peer, n);
    known?.stop(lost(true));
    this.#orEnd(() => {
      const call = this.#admit(this.#call);
      if (this.#results?.isMissing(call)) return peer.push(encodeComplete(-n));
      const pending = this.#results?.pending(call);
      if (!pending) return this.#begin(call);
      const weight = weightOf(call);
      peer.admitInFlight(weight);
      peer.inFlightSize += weight;
      beginnings.set(peer, (beginnings.get(peer) ?? new Map()).set(n, this));
      void pending.then(() => {
        peer.inFlightSize -= weight;
        const waiting = beginnings.get(peer);
        if (waiting?.get(n) !== this || peer.isClosed) return;
        waiting.delete(n);
        this.#orEnd(() => this.#begin(call));
      });
    });
  }

  #orEnd(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      report(this.#target.contract, this.#call[1], this.#start, outcomeOf(thrown));
      this.#peer.countRefusal();
      this.#peer.keepSubscriptions();
      const details = this.#target.contract.exposeErrorDetails;
      this.#peer.push(encodeComplete(this.#n, { thrown, details }));
    }
  }

  /** The client's position, decoded from its cursor; `undefined` for the beginning. */
  get #position(): Position | undefined {
    return typeof this.#cursor === 'string' ? decodeCursor(this.#cursor) : undefined;
  }

  /** Whether the client resumes this stream. Without a cursor, it starts another one under the same number. */
  #mayGoOn(known: OpenStream): boolean {
    return this.#cursor !== null && known.holds(this.#position);
  }

  #goOn(known: OpenStream): void {
    try {
      this.#admit(this.#call);
      this.#checkCapability(known);
    } catch (error) {
      // The client's loop ends with the error, so nobody reads the stream any more.
      known.stop(lost(true));
      throw error;
    }
    this.#subscribers.add(known, this.#peer);
    known.begin(this.#peer, this.#position?.event ?? 0);
  }

  /**
   * Creates the capability again whose method returned a stream, because its constructor may check access.
   *
   * @throws RpcError `FORBIDDEN` if it was revoked; the error of the constructor
   */
  #checkCapability({ seal }: OpenStream): void {
    if (seal === undefined) return;
    const { callee } = this.#target.contract;
    callee?.make(JSON.parse(seal) as unknown[], this.#target, this.#peer.caller);
  }

  #begin(made: CallMessage): void {
    const { caller } = this.#peer;
    const [, callee, ...args] = made;
    const resolve = resolverOf(made, this.#target, caller, this.#results);
    const call = [this.#n, lasting(callee, this.#target.contract, resolve), ...args] as CallMessage;
    const beginning = beginAgain(call, this.#target, caller);
    const { name, kind, key = '' } = beginning.called.method;
    if (kind === 'call') {
      const instead = 'Write live([…]), events([…]), stream([…]) or rows(key, […]) in the contract';
      throw refusal(
        'METHOD_NOT_FOUND',
        `${name} cannot be subscribed to: the contract lists it as a call. ${instead}`,
      );
    }
    if (kind === 'live') this.#follow(call);
    else if (kind === 'rows') this.#readRows(call, key);
    else if (kind === 'events') this.#readEvents(call, beginning);
    else this.#readStream(call, beginning);
    report(this.#target.contract, callee, this.#start, 'ok');
  }

  /** @throws RpcError for a message that is malformed or exceeds a limit */
  #admit([, ...rest]: unknown[]): CallMessage {
    // The call has no id of its own. Every call that it refers to must have a lower id.
    const call = [Number.MAX_SAFE_INTEGER, ...rest];
    const { contract } = this.#target;
    const { limits } = contract;
    if (!this.#peer.mayCall()) exceeded('callsPerSecond', limits.callsPerSecond);
    const waiting = beginnings.get(this.#peer)?.size ?? 0;
    if (this.#peer.subscriptions.size + waiting >= limits.subscriptions) {
      exceeded('subscriptions', limits.subscriptions);
    }
    checkCall(call);
    if (![null, 0].includes(this.#cursor as null) && typeof this.#cursor !== 'string') {
      throw refusal('BAD_MESSAGE', 'A cursor must be a string, null or 0');
    }
    return call;
  }

  #follow(call: CallMessage): void {
    checkSize(call);
    const one = new LiveSubscription(this.#peer, this.#n, call);
    this.#subscribers.add(one, this.#peer);
    this.#peer.countCall();
    this.#peer.push(`["subscribed",${this.#n}]`);
    this.#subscribers.refresh(one);
  }

  #readRows(call: CallMessage, property: string): void {
    const isGoingOn = typeof this.#cursor === 'string';
    const place = isGoingOn ? decodePlace(this.#cursor as string) : undefined;
    if (isGoingOn && place === undefined) throw expired();
    checkSize(call);
    const record: RowsRecord = [this.#n, 'rows', call, place, undefined, 0, 0, ROW_WINDOW];
    const one = this.#subscribers.rows(this.#peer, record);
    this.#subscribers.add(one, this.#peer);
    this.#peer.countCall();
    this.#peer.push(encodeSubscribedToRows(this.#n, property, ROW_WINDOW));
    one.go(this.#target);
  }

  #readEvents([, callee]: CallMessage, { called, args }: Begun): void {
    const { name } = called.method;
    this.#peer.countCall();
    const result = invoke(called, this.#target.contract, args, this.#peer.caller);
    if (!(result instanceof FeedOfObject)) {
      dismiss(result);
      const problem = isFeed(result)
        ? 'returned a feed of another copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)'
        : 'is listed by events([…]), but returned no feed: return feed(this, name)';
      throw hasRun(name, problem);
    }
    this.#readFeed(result, called, sealOf(callee));
  }

  #readStream([, callee]: CallMessage, { called, args }: Begun): void {
    const { contract, instance } = this.#target;
    const { name, readonly } = called.method;
    const streams = streamsOf(instance);
    if (!readonly) {
      // An earlier attempt may have run the method, which must not run twice.
      if (this.#cursor !== null) throw lost(false);
      streams.admit(contract, this.#peer);
    }
    this.#peer.countCall();
    const result = invoke(called, contract, args, this.#peer.caller);
    const ran = (): void => {
      if (!readonly) contract.changed?.(instance);
    };
    ran();
    try {
      // Also with the place of a row, from before the method was listed as a stream.
      if (typeof this.#cursor === 'string' && this.#position?.event !== 0) throw lost(readonly);
      streams.admit(contract, this.#peer);
    } catch (error) {
      dismiss(result);
      throw error;
    }
    const stream = streams.open({
      peer: this.#peer,
      n: this.#n,
      method: name,
      isReadonly: readonly,
      seal: sealOf(callee),
      source: new StreamSource(name, result),
      contract,
      ran,
    });
    this.#subscribers.add(stream, this.#peer);
    stream.begin(this.#peer, 0);
  }

  #readFeed(feed: FeedOfObject<unknown>, called: Called, seal: string | undefined): void {
    const [peer, n, subscribers] = [this.#peer, this.#n, this.#subscribers];
    const open = subscribers.feed(feed.name);
    const position = open.positionAfter(this.#cursor as string | 0 | null, feed);
    let snapshot: unknown;
    if (!position) {
      if (!feed.snapshot) throw expired();
      snapshot = runFor(called, this.#target.contract, peer.caller, feed.snapshot);
    }
    const start = position ?? open.log.end;
    const one = new FeedSubscription(peer, n, feed.name, start, feed.window, seal);
    subscribers.add(one, peer);
    peer.push(peer.write((of) => encodeSubscribed(n, start, feed.window, snapshot, of)));
    subscribers.refresh(one);
  }
}

/** @throws RpcError `LIMIT_EXCEEDED` for a call that is too large for the socket's attachment */
function checkSize(call: CallMessage): void {
  if (JSON.stringify(call).length > MAX_CALL_SIZE) {
    exceeded('the size of the call of a subscription', MAX_CALL_SIZE);
  }
}
