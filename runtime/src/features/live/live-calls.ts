/**
 * Live values: runs live methods again, and sends each result that has changed to its subscribers. Equal
 * calls run once for all subscribers.
 */
import type { CompiledContract } from '../../server/contract/compiled.ts';
import { type TextAndBuffers, asText } from '../../wire/encoded-message.ts';
import { RpcError } from '../../wire/errors.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { type CallMessage, encodeTail } from '../../wire/messages.ts';
import { isThenable } from '../../wire/values/tags.ts';
import { asksForCaller } from '../../server/base/caller.ts';
import { itemToDrop, type HeldItem, holderOf } from '../../server/connections/fair-share.ts';
import type { FrameCodec } from '../../server/base/frame-codec.ts';
import { prepareCopy, invoke } from '../../server/calls/invocation.ts';
import { refusal } from '../../server/base/refusal.ts';
import { contractOf } from '../../server/contract/contract-of.ts';
import { atEndOfTurn } from '../../server/base/turns.ts';
import { subscribersOf } from '../subscriptions/subscribers.ts';
import type { Subscription, SubscriptionRecord } from '../subscriptions/subscription.ts';
import { LIVE_WINDOW } from '../subscriptions/wire.ts';
import type { Connection as Peer } from '../../server/contract/connection.ts';
import { capabilityTokenOf } from '../../server/calls/callee.ts';
import { checkNotStreamed, withHint } from '../../server/calls/results/unsendable.ts';

/** An encoded value. It is the last part of a `value` message. */
interface LiveValue extends TextAndBuffers {
  /** The value with all bytes as text; set when a subscriber first needs it. */
  plain?: string;
}

/** Thrown by a method whose value arrives later: its subscribers get nothing now. */
export const NOT_YET: unknown = /* @__PURE__ */ new RpcError(
  'DISCONNECTED',
  'There is no value yet: try again',
);

/** The outcome of one run of a method, for one caller or for all callers. */
interface Outcome {
  value?: LiveValue;
  thrown?: unknown;
  isForAll: boolean;
}

/** A subscription to the value of a live method. */
export class LiveSubscription implements Subscription {
  readonly peer: Peer;
  readonly n: number;
  /** The method and its arguments, as received. The first element is not used. */
  readonly call: CallMessage;
  /** The last value that has been sent; `undefined` after hibernation. */
  sent: TextAndBuffers | undefined;
  /** Whether the client gets no more values for now, because it has too many that it has not consumed. */
  isStalled: boolean;
  readonly #calls: LiveCalls;
  #unacknowledged = 0;

  constructor(calls: LiveCalls, peer: Peer, n: number, call: CallMessage, isStalled = false) {
    this.#calls = calls;
    this.peer = peer;
    this.n = n;
    this.call = call;
    this.isStalled = isStalled;
  }

  get record(): SubscriptionRecord {
    return [this.n, 'live', this.call, this.isStalled];
  }

  get capabilityToken(): string | undefined {
    return capabilityTokenOf(this.call[1]);
  }

  join(contract: CompiledContract | undefined): void {
    this.#calls.add(this, contract?.limits.liveCalls ?? Infinity);
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
    this.#calls.remove(this);
  }
}

const callsOfObjects = new WeakMap<object, LiveCalls>();

export function liveCallsOf(instance: object): LiveCalls {
  let calls = callsOfObjects.get(instance);
  if (!calls) callsOfObjects.set(instance, (calls = new LiveCalls(instance)));
  return calls;
}

export class LiveCalls {
  readonly #instance: object;
  /** Subscriptions by the text of their call. */
  readonly #listeners = new Map<string, Set<LiveSubscription>>();
  #isUpdating = false;
  /** One function, so that the turn runs it once. */
  readonly #update = (): void => this.update();

  constructor(instance: object) {
    this.#instance = instance;
  }

  /** Updates all values at the end of the turn. */
  changed(): void {
    // A change that a live method makes during an update must not cause another update.
    if (this.#listeners.size > 0 && !this.#isUpdating) {
      atEndOfTurn(this.#instance, 'values', this.#update);
    }
  }

  /** Sends a subscription what it has missed while it was stalled. */
  resume(one: LiveSubscription): void {
    if (subscribersOf(this.#instance).keep(one.peer, one.n)) this.updateSome([one]);
  }

  /** @throws RpcError `LIMIT_EXCEEDED` if there are as many calls as the limit allows, and none of them gives way */
  add(subscription: LiveSubscription, limit: number): void {
    const key = keyOf(subscription);
    if (!this.#listeners.has(key) && this.#listeners.size >= limit) {
      this.#makeRoom(subscription, limit);
    }
    this.#listeners.set(key, (this.#listeners.get(key) ?? new Set()).add(subscription));
  }

  /** Ends the subscriptions to a call that no other client follows. */
  #makeRoom({ peer }: LiveSubscription, limit: number): void {
    const held: (HeldItem & { listeners: Set<LiveSubscription> })[] = [];
    for (const listeners of this.#listeners.values()) {
      const holder = onlyHolder(listeners);
      if (holder !== undefined) held.push({ holder, listeners });
    }
    const gives = itemToDrop(held, holderOf(peer) ?? peer);
    if (!gives) limitExceeded('liveCalls', limit);
    const problem = `The object has ${limit} live calls, and this client had the most of them`;
    for (const one of gives.listeners) this.#fail(one, refusal('LIMIT_EXCEEDED', problem));
  }

  remove(subscription: LiveSubscription): void {
    const key = keyOf(subscription);
    const listeners = this.#listeners.get(key);
    listeners?.delete(subscription);
    if (listeners?.size === 0) this.#listeners.delete(key);
  }

  /** Runs every call again, and sends its value to each subscriber that was sent another value before. */
  update(): void {
    this.#isUpdating = true;
    try {
      for (const listeners of this.#listeners.values()) this.updateSome(listeners);
    } finally {
      this.#isUpdating = false;
    }
  }

  /** @param listeners - subscriptions to the same call */
  updateSome(listeners: Iterable<LiveSubscription>): void {
    const contract = contractOf(this.#instance);
    if (!contract) return;
    const outcomes = new Map<string, Outcome>();
    let shared: Outcome | undefined;
    for (const one of listeners) {
      if (one.isStalled) continue;
      const outcome = shared ?? this.#outcomeFor(one, outcomes, contract);
      if (outcome.isForAll) shared = outcome;
      if (outcome.value === undefined) {
        if (outcome.thrown !== NOT_YET) this.#fail(one, outcome.thrown);
      } else if (!isSame(outcome.value, one.sent)) this.#send(one, outcome.value, contract.frames);
    }
  }

  /** Sends a value, or ends the subscription. A failure must not keep the value from other subscribers. */
  #send(one: LiveSubscription, value: LiveValue, frames: FrameCodec): void {
    send(one, value, frames);
    if (one.countSent()) subscribersOf(this.#instance).keep(one.peer, one.n);
  }

  #fail({ peer, n }: LiveSubscription, thrown: unknown): void {
    subscribersOf(this.#instance).end(peer, n, { thrown });
  }

  /** The outcome for a subscription. Runs its call once for each caller. */
  #outcomeFor(
    { peer, call }: LiveSubscription,
    outcomes: Map<string, Outcome>,
    contract: CompiledContract,
  ): Outcome {
    const key = JSON.stringify(peer.caller) ?? '';
    const outcome = outcomes.get(key) ?? this.#run(call, peer.caller, contract);
    outcomes.set(key, outcome);
    return outcome;
  }

  #run(call: CallMessage, caller: unknown, contract: CompiledContract): Outcome {
    const outcome: Outcome = { isForAll: true };
    const asks = asksForCaller(() => {
      try {
        const result = valueOf(this.#instance, call, caller, contract);
        const { frames, referenceOf } = contract;
        outcome.value = copied(frames.split((of) => encodeTail(result, of), referenceOf));
      } catch (error) {
        outcome.thrown = withHint(error);
      }
    });
    return { ...outcome, isForAll: !asks };
  }
}

/** The client of all listeners; `undefined` if there are several. */
function onlyHolder(listeners: Iterable<LiveSubscription>): unknown {
  let only: unknown;
  for (const { peer } of listeners) {
    const holder = holderOf(peer) ?? peer;
    only ??= holder;
    if (holder !== only) return undefined;
  }
  return only;
}

function valueOf(
  instance: object,
  call: CallMessage,
  caller: unknown,
  contract: CompiledContract,
): unknown {
  const { called, args } = prepareCopy(call, { instance, contract }, caller);
  const { name, kind } = called.method;
  if (kind !== 'live') throw refusal('METHOD_NOT_FOUND', `${name} is no longer live`);
  const result = invoke(called, contract, args, caller);
  if (!isThenable(result)) {
    checkNotStreamed(result, name);
    return result;
  }
  // The promise is not used: its rejection must not count as unhandled.
  void Promise.resolve(result).catch(() => {});
  throw new TypeError(`${name} is live, but returned a promise: return the value`);
}

function send(one: LiveSubscription, value: LiveValue, frames: FrameCodec): void {
  const { peer, n } = one;
  one.sent = value;
  if (peer.readsBytes || value.buffers.length === 0) {
    peer.push(frames.pack({ text: `["value",${n}${value.text}]`, buffers: value.buffers }));
  } else {
    value.plain ??= plainOf(value, frames);
    peer.push(`["value",${n}${value.plain}]`);
  }
}

/** Whether a value equals the value that was sent last. */
function isSame(value: LiveValue, sent: TextAndBuffers | undefined): boolean {
  if (value.text !== sent?.text) return false;
  return value.buffers.every((buffer, index) => isEqual(buffer, sent.buffers[index] as Uint8Array));
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Copies the bytes, because the object may change them before the next comparison. */
function copied({ text, buffers }: TextAndBuffers): LiveValue {
  return { text, buffers: buffers.map((buffer) => new Uint8Array(buffer)) };
}

/**
 * The value's text with its bytes as Base64. Only a whole message can be converted, so the text is put into one with
 * the id 0. Its first two characters and its last are removed again.
 */
function plainOf({ text, buffers }: LiveValue, frames: FrameCodec): string {
  return asText(frames.pack({ text: `[0${text}]`, buffers })).slice(2, -1);
}

function keyOf({ call: [, ...call] }: LiveSubscription): string {
  return JSON.stringify(call);
}
