/**
 * Sends the rows of a method listed by `rows`, page by page. For each page the method runs again, and its iterator is
 * dropped after the page. Between two pages, the object keeps only the place where the next page begins, which is stored
 * with the socket.
 */
import {
  type BoundMethod,
  capabilityTokenOf,
  type Connection,
  invalidArgument,
  invoke,
  prepareReusedCall,
  type Target,
} from '../../../server/feature.ts';
import type { RpcError } from '../../../wire/errors.ts';
import type { CallMessage } from '../../../wire/messages.ts';
import { type SubscriptionEnd, encodeWindow, ROW_WINDOW } from '../../subscriptions/wire.ts';
import { Pull, type ItemReceiver } from './pull.ts';
import { RowLists } from './row-lists.ts';
import { StreamSource } from './stream-source.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import type { Subscription, SubscriptionState } from '../../subscriptions/server/subscription.ts';
import { streamStoppedError } from './open-stream.ts';

/** The size from which a page is full, in characters and bytes. */
const PAGE_SIZE = 131_072;

/** The interval in milliseconds of a timer that keeps the object awake while rows of a page are awaited. */
const AWAKE = 5_000;

/** The value of a row's cursor property. It identifies the row, and determines where the next page begins. */
type Place = string | number;

/** The stored record: the call, the place where to continue, and the number of rows that have been sent. */
export type RowsRecord = [
  subscriptionId: number,
  kind: 'rows',
  call: CallMessage,
  place: string | number | undefined,
  first: string | number | undefined,
  sent: number,
  acknowledged: number,
  window: number,
];

export class RowsSubscription implements ItemReceiver, Subscription {
  readonly connection: Connection;
  readonly subscriptionId: number;
  /** The method and its arguments without the cursor. The first element is not used. */
  readonly call: CallMessage;
  readonly #instance: object;
  #target: Target | undefined;
  /** The place of the first row that was sent. It detects a method that begins anew for each page. */
  #first: Place | undefined;
  /**
   * The place of the last row that was sent. Before the first row, it is the place after which the client continues.
   */
  #place: Place | undefined;
  #sent: number;
  #acknowledged: number;
  #window: number;
  /** The number of rows that have been taken, whether they are sent or not. */
  #taken: number;
  /** The current page: its rows, how many rows it has, and how many more it may have. */
  readonly #lists = new RowLists(this);
  #rows = 0;
  #room = 0;
  /** The place of the last row that was taken. */
  #last: Place | undefined;
  #pull: Pull | undefined;
  #called: BoundMethod | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    instance: object,
    connection: Connection,
    [subscriptionId, , call, place, first, sent, acknowledged, window]: RowsRecord,
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.subscriptionId = subscriptionId;
    this.call = call;
    this.#place = place;
    this.#first = first;
    this.#sent = this.#taken = sent;
    this.#acknowledged = acknowledged;
    this.#window = window;
  }

  get state(): SubscriptionState {
    const { subscriptionId, call } = this;
    const [place, first] = [this.#place, this.#first];
    return [
      subscriptionId,
      'rows',
      call,
      place,
      first,
      this.#sent,
      this.#acknowledged,
      this.#window,
    ];
  }

  get capabilityToken(): string | undefined {
    return capabilityTokenOf(this.call[1]);
  }

  get method(): string {
    return this.#called?.method.name ?? '';
  }

  get caller(): unknown {
    return this.connection.caller;
  }

  get target(): Target {
    return this.#target as Target;
  }

  acknowledge(count: number, target: Target): void {
    if (count <= this.#acknowledged || count > this.#sent) return;
    this.#acknowledged = count;
    if (this.#keep()) this.go(target);
  }

  /** Begins the next page if half of the window is free. */
  go(target: Target): void {
    this.#target = target;
    if (this.#pull || this.#free < this.#window / 2) return;
    this.#room = this.#free;
    this.#lists.beginPage();
    this.#rows = 0;
    this.#last = this.#place;
    let pull: Pull;
    try {
      const { called, args, sent } = prepareReusedCall(this.call, target, this.caller);
      this.#called = called;
      pull = new Pull(new StreamSource(this.method, this.#run(called, args, sent)), this);
    } catch (thrown) {
      return this.#ended({ thrown });
    }
    this.#pull = pull;
    pull.go();
    if (pull === this.#pull) this.#timer = setInterval(() => {}, AWAKE);
  }

  stop(): void {
    this.#dropPage(streamStoppedError());
  }

  #dropPage(reason: RpcError | undefined): void {
    this.#pull?.stop(reason);
    this.#pull = undefined;
    clearInterval(this.#timer as never);
  }

  hasRoom(): boolean {
    return this.#room > 0 && this.#lists.size < PAGE_SIZE;
  }

  take(row: unknown): void {
    const place = this.#placeOf(row, this.#taken);
    this.#called?.method.checkOutput?.(row, this.#taken);
    this.#lists.add(row, this.#taken++);
    this.#room--;
    this.#rows++;
    this.#last = place;
    this.#first ??= place;
  }

  end(end: SubscriptionEnd): void {
    this.#ended(this.#send() ?? end);
  }

  flush(): void {
    if (!this.#pull) return;
    // This is checked before the rows are in messages, because their exact size may be smaller than the estimate.
    const isFull = !this.hasRoom();
    const failed = this.#send();
    if (failed) return this.#ended(failed);
    if (isFull) {
      this.#dropPage(undefined);
      this.#fit();
    }
    if (!this.#keep()) return;
    // The client may have acknowledged earlier rows while rows were awaited.
    if (!this.#pull && this.#free >= this.#window / 2) this.go(this.#target as Target);
  }

  ran(): void {}

  /**
   * Stores the subscription with the connection at each change of its record. So if the record does not fit, this
   * subscription has grown, and no other subscription fails instead.
   *
   * @returns whether it fits; if not, the subscription has ended
   */
  #keep(): boolean {
    return subscribersOf(this.#instance).storeState(this.connection, this.subscriptionId);
  }

  /** Ends the subscription, and drops the current page. */
  #ended(end: SubscriptionEnd): void {
    subscribersOf(this.#instance).end(this.connection, this.subscriptionId, end);
  }

  /** Returns the number of rows that may be sent now. */
  get #free(): number {
    return this.#window - (this.#sent - this.#acknowledged);
  }

  /**
   * Runs the method, beginning after the last page.
   *
   * @param args - the validated arguments, to which a schema can have added further arguments
   * @param sent - the number of arguments that the client has sent
   */
  #run(called: BoundMethod, args: unknown[], sent: number): unknown {
    const { method } = called;
    const { name, input } = method;
    const parameters = input.length;
    if (sent >= parameters) {
      const path = `[${parameters - 1}]`;
      throw invalidArgument(name, path, 'is the cursor, which the runtime sets: leave it out');
    }
    // Parameters between the arguments and the cursor are optional too, so they can be `undefined`.
    const all = Array.from({ length: parameters }, (_, index) => args[index]);
    if (this.#place === undefined) return invoke(called, this.target, args, this.caller);
    all[parameters - 1] = this.#place;
    return invoke(called, this.target, method.validate(all, parameters - 1), this.caller);
  }

  /** @throws TypeError for a row without a place, or with the place of the first or the previous row */
  #placeOf(row: unknown, index: number): Place {
    const { name, key = '' } = (this.#called as BoundMethod).method;
    const place = (row as Record<string, unknown> | null | undefined)?.[key];
    let problem: string;
    if (typeof place !== 'string' && !Number.isFinite(place)) {
      problem = `has no ${key} that is a string or a number, and ${key} is the key of the rows`;
    } else if (place === this.#last || place === this.#first) {
      const order = `order the rows by ${key}, and begin after the value of the last parameter`;
      problem = `has the ${key} ${JSON.stringify(place)} of an earlier row: ${order}`;
    } else return place as Place;
    throw new TypeError(`${name}: row [${index}] ${problem}`);
  }

  /** @returns the end of the subscription, if a row cannot be sent */
  #send(): SubscriptionEnd | undefined {
    let failed: SubscriptionEnd | undefined;
    try {
      this.#lists.close();
    } catch (thrown) {
      failed = { thrown };
    }
    const messages = this.#lists.take();
    if (messages.length > 0) this.connection.send(messages);
    this.#sent = this.#taken;
    this.#place = this.#last;
    return failed;
  }

  /**
   * Adapts the window to the size of the rows, so that it holds two pages. The client acknowledges half of a window at a
   * time.
   */
  #fit(): void {
    let window = this.#window;
    if (this.#room > 0) window = Math.min(2 * this.#rows, window);
    else if (2 * this.#lists.size < PAGE_SIZE) window = Math.min(2 * window, ROW_WINDOW);
    if (window === this.#window) return;
    this.#window = window;
    this.connection.send(encodeWindow(this.subscriptionId, window));
  }
}
