/**
 * Live values: what methods return, sent to those who subscribed to it whenever it changes. Equal
 * calls are run once for all. Imports caller, contract, invocation, refusal,
 * seals, subscription, unsendable and wire/.
 */
import { packed, type Taken, takeBytes } from '../wire/bytes.ts';
import { withoutBytes } from '../wire/bytes-as-text.ts';
import { exceeded } from '../wire/limits.ts';
import { type CallMessage, encodeRest } from '../wire/messages.ts';
import { isThenable } from '../wire/tags.ts';
import { asksForCaller } from './caller.ts';
import type { CompiledContract } from './contract.ts';
import { beginAgain, invoke } from './invocation.ts';
import { refusal } from './refusal.ts';
import { referencesOf } from './seals.ts';
import type { LiveSubscription } from './subscription.ts';
import { withHint } from './unsendable.ts';

/** What a message ends with that tells a value. */
interface LiveValue extends Taken {
  /** The same with all bytes as text, once somebody needs that. */
  plain?: string;
}

/** How a run of a method ended, for one caller or for all. */
interface Outcome {
  value?: LiveValue;
  thrown?: unknown;
  isForAll: boolean;
}

export class LiveCalls {
  readonly #instance: object;
  readonly #fail: (one: LiveSubscription, thrown: unknown) => void;
  /** Those who listen, by the text of the call that they listen to. */
  readonly #listeners = new Map<string, Set<LiveSubscription>>();

  /** @param fail - ends a subscription whose method threw, or returned what cannot be sent */
  constructor(instance: object, fail: (one: LiveSubscription, thrown: unknown) => void) {
    this.#instance = instance;
    this.#fail = fail;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Those of each call. */
  get listeners(): Iterable<Set<LiveSubscription>> {
    return this.#listeners.values();
  }

  /** @throws RpcError `LIMIT_EXCEEDED` */
  add(subscription: LiveSubscription, limit: number): void {
    const key = keyOf(subscription);
    const listeners = this.#listeners.get(key);
    if (!listeners && this.#listeners.size >= limit) exceeded('liveCalls', limit);
    this.#listeners.set(key, (listeners ?? new Set()).add(subscription));
  }

  remove(subscription: LiveSubscription): void {
    const key = keyOf(subscription);
    const listeners = this.#listeners.get(key);
    listeners?.delete(subscription);
    if (listeners?.size === 0) this.#listeners.delete(key);
  }

  /** Runs every call again, and sends each value to those who have another. */
  update(contract: CompiledContract): void {
    for (const listeners of this.#listeners.values()) this.updateSome(listeners, contract);
  }

  /** @param listeners - of one call */
  updateSome(listeners: Iterable<LiveSubscription>, contract: CompiledContract): void {
    const outcomes = new Map<string, Outcome>();
    let shared: Outcome | undefined;
    for (const one of listeners) {
      if (one.isStalled) continue;
      const outcome = shared ?? this.#outcomeFor(one, outcomes, contract);
      if (outcome.isForAll) shared = outcome;
      if (outcome.value === undefined) this.#fail(one, outcome.thrown);
      else if (!isSame(outcome.value, one.sent)) send(one, outcome.value);
    }
  }

  /** Runs a call once for each caller. */
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
        outcome.value = copied(takeBytes((of) => encodeRest(result, of), referencesOf(contract)));
      } catch (error) {
        outcome.thrown = withHint(error);
      }
    });
    return { ...outcome, isForAll: !asks };
  }
}

function valueOf(
  instance: object,
  call: CallMessage,
  caller: unknown,
  contract: CompiledContract,
): unknown {
  const { called, args } = beginAgain(call, { instance, contract }, caller);
  const { name, live } = called.method;
  if (!live) throw refusal('METHOD_NOT_FOUND', `${name} is no longer live`);
  const result = invoke(called, contract, args, caller);
  if (!isThenable(result)) return result;
  // Nobody will hear how it ends.
  void Promise.resolve(result).catch(() => {});
  throw new TypeError(`${name} is live, but returned a promise: return the value`);
}

function send(one: LiveSubscription, value: LiveValue): void {
  const { peer, n } = one;
  one.sent = value;
  if (peer.readsBytes || value.buffers.length === 0) {
    peer.push(packed({ text: `["value",${n}${value.text}]`, buffers: value.buffers }));
  } else {
    value.plain ??= textOf(value);
    peer.push(`["value",${n}${value.plain}]`);
  }
  if (one.countSent()) one.peer.keepSubscriptions();
}

/** Whether a value is the one that has been sent. */
function isSame(value: LiveValue, sent: Taken | undefined): boolean {
  if (value.text !== sent?.text || value.buffers.length !== sent.buffers.length) return false;
  return value.buffers.every((buffer, index) => isEqual(buffer, sent.buffers[index] as Uint8Array));
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** For later, when the object may have changed its bytes. */
function copied({ text, buffers }: Taken): LiveValue {
  return { text, buffers: buffers.map((buffer) => new Uint8Array(buffer)) };
}

function textOf({ text, buffers }: LiveValue): string {
  return withoutBytes(packed({ text: `[0${text}]`, buffers })).slice(2, -1);
}

function keyOf({ call: [, ...call] }: LiveSubscription): string {
  return JSON.stringify(call);
}
