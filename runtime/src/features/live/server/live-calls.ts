/**
 * Runs live methods again, and sends each result that has changed to its subscribers. Equal calls run once for all
 * subscribers.
 */
import {
  addHint,
  atEndOfTurn,
  capabilityTokenOf,
  checkSentSize,
  checkNotStreamed,
  holderKeyOf,
  type CompiledContract,
  type Connection,
  contractOf,
  type HeldItem,
  invoke,
  itemToEvict,
  maxSentSize,
  PendingError,
  pendingAsResult,
  prepareReusedCall,
  readsCaller,
  rejection,
  perObject,
} from '../../../server/feature.ts';
import type { EncodedMessage } from '../../../wire/encoded-message.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import type { CallMessage } from '../../../wire/messages.ts';
import { isThenable } from '../../../wire/values/tags.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import type { Subscription, SubscriptionState } from '../../subscriptions/server/subscription.ts';
import { encodeWindow, LIVE_WINDOW } from '../../subscriptions/wire.ts';
import { keyedValueOf } from './keyed-value.ts';
import { type LiveValue, type Receiver, type Update, WholeValue } from './live-value.ts';

/** The outcome of one run of a method, for one caller or for all callers. */
interface Outcome {
  value?: LiveValue;
  /** The error of the method; absent if there is a value, or if the value has not arrived yet. */
  thrown?: unknown;
  isForAll: boolean;
  /** The updates that bring subscribers to the value, by the value that they have. */
  readonly updates: Map<LiveValue | undefined, Update | undefined>;
}

/** A subscription to the value of a live method. */
export class LiveSubscription implements Subscription, Receiver {
  readonly connection: Connection;
  readonly subscriptionId: number;
  /** The method and its arguments, as received. The first element is not used. */
  readonly call: CallMessage;
  /** The last value that has been sent; `undefined` after hibernation. */
  sent: LiveValue | undefined;
  patches = 0;
  /** True if the client gets no more values for now, because too many of its values are not acknowledged. */
  isStalled: boolean;
  /** True if the client was told that it does not have the newest value. */
  isBehind = false;
  readonly #calls: LiveCalls;
  #unacknowledged = 0;
  /** The part of the value that the account of the client has. */
  #held = 0;

  constructor(
    calls: LiveCalls,
    connection: Connection,
    subscriptionId: number,
    call: CallMessage,
    isStalled = false,
  ) {
    this.#calls = calls;
    this.connection = connection;
    this.subscriptionId = subscriptionId;
    this.call = call;
    this.isStalled = isStalled;
  }

  get state(): SubscriptionState {
    return [this.subscriptionId, 'live', this.call, this.isStalled];
  }

  get capabilityToken(): string | undefined {
    return capabilityTokenOf(this.call[1]);
  }

  join(contract: CompiledContract | undefined): void {
    this.#calls.add(this, contract?.limits.liveCalls ?? Infinity);
  }

  /** Keeps a value that has been sent. Equal subscriptions share a value, and each holds a part of its size. */
  keep(value: LiveValue | undefined, size: number): void {
    const { memory } = this.connection;
    memory.release(this.#held);
    this.sent = value;
    this.isBehind = false;
    this.#held = size;
    memory.add(size);
  }

  /** Tells the client once that it gets no value now, and gets the newest value when it has acknowledged. */
  skip(): void {
    if (!this.isBehind) this.connection.send(encodeWindow(this.subscriptionId, LIVE_WINDOW));
    this.isBehind = true;
  }

  /** @returns whether the subscription is now stalled */
  countSent(): boolean {
    this.isStalled = ++this.#unacknowledged >= LIVE_WINDOW;
    return this.isStalled;
  }

  acknowledge(count: number): void {
    const wasStalled = this.isStalled;
    this.#unacknowledged = Math.max(this.#unacknowledged - count, 0);
    this.isStalled = this.#unacknowledged >= LIVE_WINDOW;
    if (wasStalled && !this.isStalled) this.#calls.resume(this);
  }

  stop(): void {
    this.keep(undefined, 0);
    this.#calls.remove(this);
  }
}

/** The live call whose method runs now. */
let runningCall: CallMessage | undefined;

/** @returns the live call whose method runs now, for `subscriptionsTo`; `undefined` if no live method runs */
export function runningLiveCall(): string | undefined {
  return runningCall && keyOf(runningCall);
}

export const liveCallsOf = /* @__PURE__ */ perObject((instance) => new LiveCalls(instance));

export class LiveCalls {
  readonly #instance: object;
  /** Subscriptions by the text of their call. */
  readonly #listeners = new Map<string, Set<LiveSubscription>>();
  #isUpdating = false;
  /** Updates all values. Each request of a turn passes this one function, so the turn runs it once. */
  readonly #update = (): void => this.update();

  constructor(instance: object) {
    this.#instance = instance;
  }

  /** Returns the number of subscriptions to a live call. */
  subscriptionsTo(call: string): number {
    return this.#listeners.get(call)?.size ?? 0;
  }

  /** Updates all values at the end of the turn. */
  changed(): void {
    // A change that a live method makes during an update must not cause another update.
    if (this.#listeners.size > 0 && !this.#isUpdating) {
      atEndOfTurn(this.#instance, 'values', this.#update);
    }
  }

  /** Sends the newest value to a subscription that was stalled. */
  resume(subscription: LiveSubscription): void {
    if (
      subscribersOf(this.#instance).storeState(subscription.connection, subscription.subscriptionId)
    )
      this.updateSome([subscription]);
  }

  /** @throws RpcError `LIMIT_EXCEEDED` if there are as many calls as the limit allows, and none of them can be ended */
  add(subscription: LiveSubscription, limit: number): void {
    const key = keyOf(subscription.call);
    if (!this.#listeners.has(key) && this.#listeners.size >= limit) {
      this.#makeRoom(subscription, limit);
    }
    this.#listeners.set(key, (this.#listeners.get(key) ?? new Set()).add(subscription));
  }

  /** Ends the subscriptions to a call that no other client follows. */
  #makeRoom({ connection }: LiveSubscription, limit: number): void {
    const held: (HeldItem & { listeners: Set<LiveSubscription> })[] = [];
    for (const listeners of this.#listeners.values()) {
      const holder = onlyHolder(listeners);
      if (holder !== undefined) held.push({ holder, listeners });
    }
    const gives = itemToEvict(held, holderKeyOf(connection) ?? connection);
    if (!gives) limitExceeded('liveCalls', limit);
    const problem = `The object has ${limit} live calls, and this client had the most of them: see limits.liveCalls`;
    for (const subscription of gives.listeners)
      this.#fail(subscription, rejection('LIMIT_EXCEEDED', problem));
  }

  remove(subscription: LiveSubscription): void {
    const key = keyOf(subscription.call);
    const listeners = this.#listeners.get(key);
    listeners?.delete(subscription);
    if (listeners?.size === 0) this.#listeners.delete(key);
  }

  /** Runs every call again, and sends its value to each subscriber that has another value. */
  update(): void {
    this.#isUpdating = true;
    try {
      for (const listeners of this.#listeners.values()) this.updateSome(listeners);
    } finally {
      this.#isUpdating = false;
    }
  }

  /** @param listeners - the subscriptions to one call */
  updateSome(listeners: Iterable<LiveSubscription>): void {
    const contract = contractOf(this.#instance);
    if (!contract) return;
    const outcomes = new Map<string, Outcome>();
    let shared: Outcome | undefined;
    const [one] = listeners;
    const followers = (one && this.#listeners.get(keyOf(one.call))?.size) ?? 1;
    for (const subscription of listeners) {
      if (subscription.isStalled) {
        subscription.skip();
        continue;
      }
      const outcome = shared ?? this.#outcomeFor(subscription, outcomes, contract);
      if (outcome.isForAll) shared = outcome;
      if (outcome.value === undefined) {
        if ('thrown' in outcome) this.#fail(subscription, outcome.thrown);
        continue;
      }
      const { value, updates } = outcome;
      const { sent } = subscription;
      if (!updates.has(sent)) updates.set(sent, value.updateFrom(sent));
      // A subscriber that was told to wait for a value gets a value, even if it has not changed.
      const update =
        updates.get(sent) ?? (subscription.isBehind ? value.updateFrom(undefined) : undefined);
      const message = update?.(subscription);
      if (message !== undefined) this.#send(subscription, value, message, followers);
    }
  }

  /** Sends a value, or ends the subscription. A failure must not keep the value from other subscribers. */
  #send(
    subscription: LiveSubscription,
    value: LiveValue,
    message: EncodedMessage,
    followers: number,
  ): void {
    subscription.connection.send(message);
    subscription.keep(value, Math.ceil(value.size / followers));
    if (subscription.countSent())
      subscribersOf(this.#instance).storeState(
        subscription.connection,
        subscription.subscriptionId,
      );
  }

  #fail({ connection, subscriptionId }: LiveSubscription, thrown: unknown): void {
    subscribersOf(this.#instance).end(connection, subscriptionId, { thrown });
  }

  /** Returns the outcome for a subscription. Its call runs once for each caller. */
  #outcomeFor(
    { connection, call }: LiveSubscription,
    outcomes: Map<string, Outcome>,
    contract: CompiledContract,
  ): Outcome {
    const key = JSON.stringify(connection.caller) ?? '';
    const outcome = outcomes.get(key) ?? this.#run(call, connection.caller, contract);
    outcomes.set(key, outcome);
    return outcome;
  }

  #run(call: CallMessage, caller: unknown, contract: CompiledContract): Outcome {
    const outcome: Outcome = { isForAll: true, updates: new Map() };
    const asks = readsCaller(() => {
      const outer = runningCall;
      runningCall = call;
      try {
        const value = valueOf(this.#instance, call, caller, contract);
        if (!value) return;
        checkSentSize(value.size, 'a live value', contract.limits);
        outcome.value = value;
      } catch (error) {
        outcome.thrown = addHint(error);
      } finally {
        runningCall = outer;
      }
    });
    return { ...outcome, isForAll: !asks };
  }
}

/** Returns the client of all listeners; `undefined` if there are several clients. */
function onlyHolder(listeners: Iterable<LiveSubscription>): unknown {
  let only: unknown;
  for (const { connection } of listeners) {
    const holder = holderKeyOf(connection) ?? connection;
    only ??= holder;
    if (holder !== only) return undefined;
  }
  return only;
}

/** @returns the value; `undefined` as long as it has not arrived */
function valueOf(
  instance: object,
  call: CallMessage,
  caller: unknown,
  contract: CompiledContract,
): LiveValue | undefined {
  const { limits } = contract;
  const target = { instance, contract };
  const { called, args } = prepareReusedCall(call, target, caller);
  const { name, kind, key, checkOutput } = called.method;
  if (kind !== 'live') throw rejection('METHOD_NOT_FOUND', `${name} is no longer live`);
  const result = invoke(called, target, args, caller, pendingAsResult);
  if (result instanceof PendingError) return undefined;
  if (!isThenable(result)) {
    checkNotStreamed(result, name);
    checkOutput?.(result);
    const isKeyed = key !== undefined;
    const keyed = isKeyed ? keyedValueOf(result, key, contract, maxSentSize(limits)) : undefined;
    return keyed ?? new WholeValue(result, contract);
  }
  // The promise is not used, so its rejection must not count as unhandled.
  void Promise.resolve(result).catch(() => {});
  throw new TypeError(`${name} is live, but returned a promise: return the value`);
}

function keyOf([, ...call]: CallMessage): string {
  return JSON.stringify(call);
}
