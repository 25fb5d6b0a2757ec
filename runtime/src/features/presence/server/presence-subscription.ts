/** A client that takes part in a presence, or that only watches who is present. */
import { type Connection, capabilityTokenOf } from '../../../server/feature.ts';
import type { Callee } from '../../../wire/messages.ts';
import type { Subscription, SubscriptionState } from '../../subscriptions/server/subscription.ts';
import { PRESENCE_WINDOW } from '../wire.ts';

/** The list that it is in, or watches. */
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
  /** How others know the client; `undefined` for one that only watches. */
  readonly key: string | undefined;
  /** What others see, as text from `encodeTail`; `undefined` for a client that shows nothing. */
  shown: string | undefined;
  /** The number of the change of the list that shows it. */
  changedAt = 0;
  /** The last change of the list that the client has been told; -1 if it needs the whole list. */
  told = -1;
  /** The number of the last message of this life of the object. */
  sent = 0;
  /** Whether the client gets nothing for now, because it has too much that it has not consumed. */
  isStalled = false;
  readonly #list: JoinedList;
  #unacknowledged = 0;
  /** What the client has said and the method has not got yet, as the end of a call. */
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

  /** Replaces what others see. */
  show(shown: string | undefined): void {
    const { memory } = this.connection;
    const more = (shown?.length ?? 0) - (this.shown?.length ?? 0);
    this.shown = shown;
    if (more > 0) memory.add(more);
    else if (more < 0) memory.release(-more);
  }

  /** Keeps what the client has said until the method gets it. The newest replaces the one before. */
  wait(said: unknown[], weight: number): void {
    this.takeWaiting();
    this.#waiting = { said, weight };
    this.connection.memory.add(weight);
  }

  /** Removes and returns what the client has said last; `undefined` if the method has got it. */
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

  /** @param count - of a client that takes part, the number of a message; otherwise how many further values it has */
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
