/** A client that takes part in a presence, or that only watches the list of present clients. */
import { type Connection, capabilityTokenOf } from '../../../server/feature.ts';
import type { Callee } from '../../../wire/messages.ts';
import type { Subscription, SubscriptionState } from '../../subscriptions/server/subscription.ts';
import { PRESENCE_WINDOW } from '../wire.ts';

/** The list that a client is in, or watches. */
interface JoinedList {
  add(subscription: PresenceSubscription): void;
  remove(subscription: PresenceSubscription): void;
  resume(subscription: PresenceSubscription): void;
}

export type PresenceRecord = readonly [
  subscriptionId: number,
  kind: 'presence',
  callee: Callee,
  key: string | 0,
  shown: string | 0,
  isStalled: boolean,
];

export class PresenceSubscription implements Subscription {
  readonly connection: Connection;
  readonly subscriptionId: number;
  readonly callee: Callee;
  /** The key by which others know the client; `undefined` for a client that only watches. */
  readonly key: string | undefined;
  /** The value that others see, as text from `encodeTail`; `undefined` for a client that shows nothing. */
  shown: string | undefined;
  /** The number of the change in which the list got this value. */
  changedAt = 0;
  /** The number of the last change that was sent to the client; -1 if it needs the whole list. */
  told = -1;
  /** The number of the last message since the object woke. */
  sent = 0;
  /** True if the client gets no messages for now, because too many of its messages are not acknowledged. */
  isStalled = false;
  readonly #list: JoinedList;
  #unacknowledged = 0;
  /** The data of the client that the method has not received yet, as the end of a call. */
  #waiting: { readonly said: unknown[]; readonly weight: number } | undefined;

  constructor(
    list: JoinedList,
    connection: Connection,
    subscriptionId: number,
    callee: Callee,
    key: string | undefined,
  ) {
    this.#list = list;
    this.connection = connection;
    this.subscriptionId = subscriptionId;
    this.callee = callee;
    this.key = key;
  }

  static restored(
    list: JoinedList,
    connection: Connection,
    [subscriptionId, , callee, key, shown, isStalled]: PresenceRecord,
  ): PresenceSubscription {
    const own = new PresenceSubscription(
      list,
      connection,
      subscriptionId,
      callee,
      key || undefined,
    );
    own.show(shown || undefined);
    own.isStalled = isStalled;
    return own;
  }

  get state(): SubscriptionState {
    const { subscriptionId, callee, key = 0, shown = 0, isStalled } = this;
    return [subscriptionId, 'presence', callee, key, shown, isStalled] satisfies PresenceRecord;
  }

  get capabilityToken(): string | undefined {
    return capabilityTokenOf(this.callee);
  }

  join(): void {
    this.#list.add(this);
  }

  /** Replaces the value that others see. */
  show(shown: string | undefined): void {
    const { memory } = this.connection;
    const more = (shown?.length ?? 0) - (this.shown?.length ?? 0);
    this.shown = shown;
    if (more > 0) memory.add(more);
    else if (more < 0) memory.release(-more);
  }

  /** Keeps the data of the client until the method receives it. New data replaces earlier data. */
  wait(said: unknown[], weight: number): void {
    this.takeWaiting();
    this.#waiting = { said, weight };
    this.connection.memory.add(weight);
  }

  /** Removes and returns the newest data of the client; `undefined` if the method has received it. */
  takeWaiting(): unknown[] | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.connection.memory.release(waiting.weight);
    return waiting?.said;
  }

  /** @returns whether the subscription is now stalled */
  countSent(): boolean {
    this.sent++;
    this.isStalled = ++this.#unacknowledged >= PRESENCE_WINDOW;
    return this.isStalled;
  }

  /** @param count - for a client that takes part, the number of a message; otherwise the number of further values */
  acknowledge(count: number): void {
    const wasStalled = this.isStalled;
    const left = this.key === undefined ? this.#unacknowledged - count : this.sent - count;
    this.#unacknowledged = Math.max(Math.min(left, this.#unacknowledged), 0);
    this.isStalled = this.#unacknowledged >= PRESENCE_WINDOW;
    if (wasStalled && !this.isStalled) this.#list.resume(this);
  }

  stop(): void {
    this.takeWaiting();
    this.#list.remove(this);
    this.show(undefined);
  }
}
