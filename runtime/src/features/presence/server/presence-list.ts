/**
 * The list of the clients that are present in one method of an object, with the values that they show. Changes are
 * numbered, and sent together once in a frame of a display. A client that reads slowly receives only the newest value of
 * each other client, so no queue grows.
 */
import {
  atEndOfTurn,
  checkNotStreamed,
  checkSentSize,
  contractOf,
  type BoundMethod,
  invoke,
  perObject,
  prepareReusedCall,
  rejection,
  type Target,
} from '../../../server/feature.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import {
  type AnswerMessage,
  type Callee,
  checkCall,
  decodeAnswer,
  encodeTail,
} from '../../../wire/messages.ts';
import { isThenable } from '../../../wire/values/tags.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import { encodeNext, encodeSubscribed } from '../../subscriptions/wire.ts';
import { FRAME, PRESENCE_WINDOW } from '../wire.ts';
import type { PresenceSubscription } from './presence-subscription.ts';

/** The maximum size of the value of a client, in characters. It is stored in the attachment of the socket. */
const MAX_SHOWN_SIZE = 4_000;

/**
 * The maximum number of messages that a list sends in a millisecond. A message takes about 40 µs of CPU time. Up to 32
 * listeners receive changes 60 times in a second, and 50 listeners receive them 40 times.
 */
const MESSAGES_PER_MILLISECOND = 2;

/**
 * For slow readers, a list remembers clients that have left: at most this number more than there are present clients.
 */
const MAX_GONE = 64;

const KEY = /^[\da-f]{8}$/;

/** The text of the changes that follow a change. */
interface ChangeText {
  readonly text: string;
  /** The key of the client to which all changes belong; `undefined` if they belong to several clients. */
  readonly only: string | undefined;
}

export class PresenceList {
  readonly #instance: object;
  readonly #listeners = new Set<PresenceSubscription>();
  /** The subscriptions of the clients that take part, by their keys. */
  readonly #byKey = new Map<string, PresenceSubscription>();
  /** The keys of the clients that show nothing any more, with the number of the change. */
  readonly #gone = new Map<string, number>();
  /** The clients whose newest data the method has not received. */
  readonly #saying = new Set<PresenceSubscription>();
  #lastChange = 0;
  #sentAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #forget: () => void;
  /** Sends changes. Each request of a turn passes this one function, so the turn runs it once. */
  readonly #send = (): void => this.#sendAll();

  /** @param forget - called when nobody listens any more */
  constructor(instance: object, forget: () => void) {
    this.#instance = instance;
    this.#forget = forget;
  }

  /** Returns a key that no other client has. @param wanted - the key that the client had before */
  freeKey(wanted: string | undefined): string {
    let key = wanted;
    while (key === undefined || !KEY.test(key) || this.#byKey.has(key))
      key = crypto.randomUUID().slice(0, 8);
    return key;
  }

  add(subscription: PresenceSubscription): void {
    this.#listeners.add(subscription);
    if (subscription.key === undefined) return;
    this.#byKey.set(subscription.key, subscription);
    if (subscription.shown !== undefined) this.#changed(subscription);
  }

  remove(subscription: PresenceSubscription): void {
    const { key, shown } = subscription;
    this.#saying.delete(subscription);
    if (!this.#listeners.delete(subscription)) return;
    if (key !== undefined && this.#byKey.get(key) === subscription) {
      this.#byKey.delete(key);
      if (shown !== undefined) {
        this.#gone.set(key, ++this.#lastChange);
        this.#sendSoon();
      }
    }
    if (this.#listeners.size === 0) this.#forget();
  }

  /** Sends the whole list to a client that begins. */
  begin(subscription: PresenceSubscription): void {
    this.#sendTo(subscription, new Map());
    if (subscription.shown !== undefined) this.#sendSoon();
  }

  /** Called when a client that the list does not have has left while the object hibernated. */
  leftBefore(): void {
    this.#lastChange++;
    this.#sendSoon();
  }

  resume(subscription: PresenceSubscription): void {
    const { connection, subscriptionId } = subscription;
    if (subscribersOf(this.#instance).storeState(connection, subscriptionId)) this.#sendSoon();
  }

  /** Keeps new data of a client until the next time that changes are sent. */
  say(subscription: PresenceSubscription, said: unknown[], weight: number): void {
    subscription.wait(said, weight);
    this.#saying.add(subscription);
    this.#sendSoon();
  }

  /**
   * Sends changes at the end of the turn, or a frame after the last changes. With many listeners it sends less often,
   * because each listener gets a message.
   */
  #sendSoon(): void {
    if (this.#timer !== undefined) return;
    const pause = Math.max(FRAME, this.#listeners.size / MESSAGES_PER_MILLISECOND);
    const left = this.#sentAt + pause - performance.now();
    if (left <= 0) return atEndOfTurn(this.#instance, 'values', this.#send);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#send();
    }, left);
  }

  #sendAll(): void {
    this.#sentAt = performance.now();
    const saying = [...this.#saying];
    this.#saying.clear();
    for (const subscription of saying) this.#take(subscription);
    const texts = new Map<number, ChangeText>();
    for (const subscription of this.#listeners) this.#sendTo(subscription, texts);
    this.#forgetGone();
  }

  /** Runs the method for the value that others see of a client. An error ends the client's subscription. */
  #take(subscription: PresenceSubscription): void {
    const { connection, subscriptionId, callee } = subscription;
    const said = subscription.takeWaiting();
    const contract = contractOf(this.#instance);
    if (!said || !contract) return;
    const message: unknown[] = [subscriptionId, callee, ...said];
    try {
      checkCall(message);
      const target = { instance: this.#instance, contract };
      const { called, args } = prepareReusedCall(message, target, connection.caller, isPresence);
      const shown = shownBy(called, target, args, connection.caller);
      connection.countCall();
      if (shown === subscription.shown) return;
      subscription.show(shown);
      this.#changed(subscription);
      subscribersOf(this.#instance).storeState(connection, subscriptionId);
    } catch (thrown) {
      connection.countRejection();
      this.#fail(subscription, thrown);
    }
  }

  #changed(subscription: PresenceSubscription): void {
    const key = subscription.key as string;
    subscription.changedAt = ++this.#lastChange;
    if (subscription.shown === undefined) this.#gone.set(key, subscription.changedAt);
    else this.#gone.delete(key);
  }

  /** @param texts - the texts of changes that were written for other clients, by the number of the change before them */
  #sendTo(subscription: PresenceSubscription, texts: Map<number, ChangeText>): void {
    const { told, key, subscriptionId, connection } = subscription;
    if (subscription.isStalled || told === this.#lastChange) return;
    subscription.told = this.#lastChange;
    try {
      const isWatching = key === undefined;
      const { text, only } = this.#textFor(isWatching ? -2 : told, texts);
      if (!isWatching && only === key) return;
      const { limits } = contractOf(this.#instance) ?? {};
      if (limits) checkSentSize(text.length, 'the list of the present clients', limits);
      // The subscription begins, or begins again after hibernation.
      if (told < 0 && subscription.sent === 0) connection.send(begun(subscription));
      const isStalled = subscription.countSent();
      connection.send(
        isWatching
          ? `["value",${subscriptionId}${text}]`
          : encodeNext(subscriptionId, subscription.sent, text),
      );
      if (isStalled) subscribersOf(this.#instance).storeState(connection, subscriptionId);
    } catch (thrown) {
      this.#fail(subscription, thrown);
    }
  }

  #textFor(after: number, texts: Map<number, ChangeText>): ChangeText {
    let found = texts.get(after);
    if (!found) {
      found = after === -2 ? { text: this.#values(), only: undefined } : this.#changesAfter(after);
      texts.set(after, found);
    }
    return found;
  }

  #changesAfter(after: number): ChangeText {
    const changes: string[] = [];
    let only: string | undefined;
    for (const [key, { shown, changedAt }] of this.#byKey) {
      if (shown !== undefined && changedAt > after) changes.push(`["${(only = key)}"${shown}]`);
    }
    if (after < 0) return { text: `,{"all":[${changes.join()}]}`, only: undefined };
    for (const [key, changedAt] of this.#gone) {
      if (changedAt > after) changes.push(`"${(only = key)}"`);
    }
    return { text: `,[${changes.join()}]`, only: changes.length === 1 ? only : undefined };
  }

  /** Returns the list in the form for clients that only watch. */
  #values(): string {
    const present = [...this.#byKey].filter(([, { shown }]) => shown !== undefined);
    return encodeTail(
      present.map(([key, { shown }]) => ({ key, value: valueIn(shown as string) })),
    );
  }

  /**
   * Forgets clients that have left, when all other clients have been told. A client that reads too slowly gets the
   * whole list instead.
   */
  #forgetGone(): void {
    const behind = [...this.#listeners].filter(({ told }) => told < this.#lastChange);
    if (behind.length > 0 && this.#gone.size <= this.#byKey.size + MAX_GONE) return;
    for (const subscription of behind) subscription.told = -1;
    this.#gone.clear();
  }

  #fail({ connection, subscriptionId }: PresenceSubscription, thrown: unknown): void {
    subscribersOf(this.#instance).end(connection, subscriptionId, { thrown });
  }
}

/**
 * Runs the method that returns the value which others see of a client.
 *
 * @returns the value as text from `encodeTail`; `undefined` if others see nothing
 * @throws the error of the method; RpcError `LIMIT_EXCEEDED` for a large value, `UNSERIALIZABLE`
 */
export function shownBy(
  called: BoundMethod,
  target: Target,
  args: unknown[],
  caller: unknown,
): string | undefined {
  const { name, kind, checkOutput } = called.method;
  if (kind !== 'presence') throw rejection('METHOD_NOT_FOUND', `${name} is no longer a presence`);
  const shown = invoke(called, target, args, caller);
  if (isThenable(shown)) {
    // The promise is not used, so its rejection must not count as unhandled.
    void Promise.resolve(shown).catch(() => {});
    throw new TypeError(`${name} is a presence, but returned a promise: return the value`);
  }
  if (shown === undefined) return undefined;
  checkNotStreamed(shown, name);
  checkOutput?.(shown);
  const text = encodeTail(shown);
  if (text.length > MAX_SHOWN_SIZE)
    limitExceeded('the size of the data that a presence shows', MAX_SHOWN_SIZE);
  return text;
}

/** Returns false, because the message is used only once. */
function isPresence(): boolean {
  return false;
}

function begun({ subscriptionId, key }: PresenceSubscription): string {
  return key === undefined
    ? `["subscribed",${subscriptionId}]`
    : encodeSubscribed(subscriptionId, { event: 0, epoch: key }, PRESENCE_WINDOW);
}

/** Returns the value in a text from `encodeTail`. */
function valueIn(text: string): unknown {
  const answer = decodeAnswer(JSON.parse(`[0${text}]`) as AnswerMessage);
  return 'result' in answer ? answer.result : undefined;
}

/** The lists of an object that have listeners, by the method and its capability. */
const listsOf = /* @__PURE__ */ perObject(() => new Map<string, PresenceList>());

export function presenceList(instance: object, callee: Callee): PresenceList {
  const lists = listsOf(instance);
  const name = JSON.stringify(callee);
  let list = lists.get(name);
  if (!list) lists.set(name, (list = new PresenceList(instance, () => lists.delete(name))));
  return list;
}
