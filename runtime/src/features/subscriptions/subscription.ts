/**
 * The object's state of one subscription, in memory and as stored with the socket. Imports peer, seals and
 * wire/.
 */
import type { Taken } from '../../wire/bytes.ts';
import { RpcError } from '../../wire/errors.ts';
import type { CallMessage } from '../../wire/messages.ts';
import { LIVE_WINDOW, type Position } from './wire.ts';
import type { Peer } from '../../server/connections/peer.ts';
import { sealOf } from '../../server/calls/callee.ts';

/** A subscription as stored with the socket, so that it survives hibernation. */
export type SubscriptionRecord =
  | FeedRecord
  | [n: number, kind: 'live', call: CallMessage, isStalled: boolean]
  | [n: number, kind: 'stream', isReadonly: boolean]
  | RowsRecord;

export type FeedRecord = [
  n: number,
  kind: 'feed',
  name: string,
  acknowledged: number,
  window: number,
  seal?: string,
];

/** A subscription to rows: the call, where to continue, and what has been sent since it began. */
export type RowsRecord = [
  n: number,
  kind: 'rows',
  call: CallMessage,
  place: string | number | undefined,
  first: string | number | undefined,
  sent: number,
  acknowledged: number,
  window: number,
];

/**
 * A subscription to a feed. Only acknowledgements are stored, because what has been sent follows from them.
 */
export class FeedSubscription {
  readonly peer: Peer;
  readonly n: number;
  readonly name: string;
  readonly window: number;
  /** Identity of the capability whose method returned the feed, if there is one. */
  readonly seal: string | undefined;
  /** The epoch of the last event that has been sent; `undefined` if the log does not know it any more. */
  epoch: string | undefined;
  /** The number of the last event that the client has consumed. */
  acknowledged: number;
  /** The number of the last event that has been sent. */
  sent: number;

  constructor(
    peer: Peer,
    n: number,
    name: string,
    { event, epoch }: Position,
    window: number,
    seal?: string,
  ) {
    this.peer = peer;
    this.n = n;
    this.name = name;
    this.window = window;
    this.seal = seal;
    this.epoch = epoch;
    this.acknowledged = event;
    this.sent = event;
  }

  /**
   * Restores a subscription after hibernation.
   *
   * @param end - the end of the log, which has the event that was acknowledged
   * @param epochOf - returns the epoch of an event of the log
   */
  static restored(
    peer: Peer,
    [n, , name, event, window, seal]: FeedRecord,
    end: Position,
    epochOf: (event: number) => string | undefined,
  ): FeedSubscription {
    const one = new FeedSubscription(peer, n, name, { event, epoch: '' }, window, seal);
    // Events up to the limit were sent in the turn in which they became available.
    one.sent = Math.min(end.event, one.limit);
    // If other events were sent, the client notices it at the next epoch, which begins with the next event.
    one.epoch = one.sent === end.event ? end.epoch : epochOf(one.sent);
    return one;
  }

  /** The number of the last event that may be sent now. */
  get limit(): number {
    return this.acknowledged + this.window;
  }

  get record(): SubscriptionRecord {
    const { n, name, acknowledged, window, seal } = this;
    const record = [n, 'feed', name, acknowledged, window] as const;
    return seal === undefined ? [...record] : [...record, seal];
  }
}

/** A subscription to the value of a live method. */
export class LiveSubscription {
  readonly peer: Peer;
  readonly n: number;
  /** The method and its arguments, as received. The first element is not used. */
  readonly call: CallMessage;
  /** The last value that has been sent; `undefined` after hibernation. */
  sent: Taken | undefined;
  /** Whether the client gets no more values for now, because it has too many that it has not consumed. */
  isStalled: boolean;
  #unacknowledged = 0;

  constructor(peer: Peer, n: number, call: CallMessage, isStalled = false) {
    this.peer = peer;
    this.n = n;
    this.call = call;
    this.isStalled = isStalled;
  }

  get record(): SubscriptionRecord {
    return [this.n, 'live', this.call, this.isStalled];
  }

  get seal(): string | undefined {
    return sealOf(this.call[1]);
  }

  /** @returns whether the subscription is now stalled */
  countSent(): boolean {
    this.isStalled = ++this.#unacknowledged >= LIVE_WINDOW;
    return this.isStalled;
  }

  /** @returns whether the subscription was stalled and no longer is */
  acknowledge(count: number): boolean {
    const wasStalled = this.isStalled;
    this.#unacknowledged = Math.max(this.#unacknowledged - count, 0);
    this.isStalled = this.#unacknowledged >= LIVE_WINDOW;
    return wasStalled && !this.isStalled;
  }
}

/** The error for a subscription that does not fit into the socket's attachment. */
export function tooLarge(cause: unknown): RpcError {
  const message = 'This connection has too many subscriptions, or their arguments are too large';
  return new RpcError('LIMIT_EXCEEDED', message, { cause });
}
