/** A loop over a subscription, with the items that have arrived for it, and its position. */
import { toBase64 } from '../../../wire/values/base64.ts';
import { MISSING, RpcError } from '../../../wire/errors.ts';
import { type AnswerMessage, decodeAnswer, isId } from '../../../wire/messages.ts';
import { malformed, requireText } from '../../../wire/values/part-checks.ts';
import { Timer } from '../../../client/timer.ts';
import type { Resolve } from '../../../wire/values/rich-decoder.ts';
import { encodeSubscribe, LIVE_WINDOW, WINDOW } from '../wire.ts';
import { KeyedRows, type Patch } from './keyed-rows.ts';

/** Connects a loop with the object. */
export interface ReaderConnection {
  /** @returns the number of the reader's subscription */
  add(reader: Reader): number;
  /**
   * Sends a message that starts a subscription, if there is a connection. Otherwise makes the client connect.
   *
   * @returns whether the message was sent
   */
  begin(message: string): boolean;
  /** Sends a message, if there is a connection. */
  tell(message: string): boolean;
  /** Returns the value of a reference. */
  readonly resolve: Resolve | undefined;
  /** Removes a reader, and ends its subscription in the object. */
  leave(reader: Reader): void;
}

/**
 * Returns the end of a message that subscribes: a method, and arguments from `encodeArgs`. Returns `undefined`
 * if the call that returns the target has not been sent.
 *
 * @param retry - called when that call has settled
 */
export type Invocation = (retry?: () => void) => string | undefined;

/** One item of a loop. */
interface Item {
  value: unknown;
  cursor: string | undefined;
}

type Row = Record<string, unknown>;

/** The time that a loop that has worked waits if the object no longer has its method, in milliseconds. */
const PATIENCE = 600_000;

/** The text of a live value that has arrived in rows. */
const PATCHED = 'patch';

export class Reader {
  declare readonly subscriptionId: number;
  /** True if the object has confirmed the subscription on the current connection. */
  isBegun = false;
  /** The kind of the last message. After `window`, a live value may not be the newest. */
  kind: unknown;
  /** The position of the loop; 0 if the object may have the subscription, but has not confirmed it. */
  declare cursor: string | 0 | undefined;
  /** The cursor after which the object sends events; `undefined` for a method that returns no feed. */
  declare after: string | undefined;
  /** Subscribes again. It does nothing after a later attempt, for example on a new connection. */
  #retry: (() => void) | undefined;
  /** The items that have arrived, and that the loop has not taken. */
  #items: Item[] = [];
  #epoch: string | undefined;
  /** The property of rows that is their cursor. */
  #key: string | undefined;
  /** The number of the last event that has arrived; for a live value, the number of values that have arrived. */
  #last = 0;
  /** The number of the last acknowledged event; for a live value, the number of acknowledged values. */
  #acknowledged = 0;
  /** The window of the subscription; 0 until the object has confirmed the subscription for the first time. */
  #window = 0;
  /** The time since which the object lacks the method, in the time of `performance.now()`. */
  #missingSince: number | undefined;
  /** The last live value, as text. */
  #text: string | undefined;
  readonly #rows = new KeyedRows();
  /** The number of the last patch of the rows; `undefined` if the object does not know which rows the client has. */
  #patched: number | undefined;
  #end: { thrown?: unknown } | undefined;
  /** Wakes the calls of `take` that wait for an item. */
  readonly #waiting: (() => void)[] = [];
  readonly #invocation: Invocation;
  readonly #connection: ReaderConnection;
  readonly #left: () => void;
  readonly #missed: (() => void) | undefined;

  /**
   * @param left - called when the loop has ended
   * @param missed - called when events of a volatile feed may be missing
   */
  constructor(
    connection: ReaderConnection,
    invocation: Invocation,
    after: string | undefined,
    left: () => void,
    missed?: () => void,
  ) {
    this.#connection = connection;
    this.subscriptionId = connection.add(this);
    this.#invocation = invocation;
    this.cursor = after;
    this.#left = left;
    this.#missed = missed;
  }

  /** Subscribes, unless the opening of a connection has done so already. A port opens within the tick. */
  start(): void {
    if (!this.#retry) this.begin();
  }

  /**
   * Subscribes, or subscribes again from the position of the loop. Items that the loop has not taken arrive
   * again.
   *
   * @param waits - whether to wait for a call that returns the target and has not been sent
   * @returns false if the target depends on such a call
   */
  begin(waits = true): boolean {
    if (this.#end) return true;
    // A live value that was taken is not taken again.
    if (this.#items.splice(0).length > 0) this.#text = '';
    this.isBegun = false;
    try {
      const retry = (this.#retry = () => void (retry === this.#retry && this.begin()));
      const text = this.#invocation(waits ? retry : undefined);
      if (text && this.#connection.begin(encodeSubscribe(this.subscriptionId, this.cursor, text)))
        this.cursor ??= 0;
      return text !== undefined;
    } catch (thrown) {
      this.stop({ thrown });
      return true;
    }
  }

  /** The number of items that have arrived and that the loop has not taken. */
  get length(): number {
    return this.#items.length;
  }

  /**
   * @returns the next item
   * @throws the error that has ended the subscription
   */
  async take(): Promise<IteratorResult<unknown, undefined>> {
    for (;;) {
      const item = this.#items.shift();
      if (item) {
        const { value, cursor } = item;
        this.cursor = cursor;
        this.#acknowledge();
        return { done: false, value };
      }
      if (this.#end) {
        this.#left();
        if ('thrown' in this.#end) throw this.#end.thrown;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Ends the loop, and drops the items that it has not taken. */
  stop(end: { thrown?: unknown }): void {
    this.#items = [];
    this.#finish(end);
    this.#left();
  }

  /** Receives a message about this subscription. A malformed message ends the loop. */
  receive(message: unknown[]): void {
    try {
      this.handle(message);
    } catch (thrown) {
      const malformedMessage = new RpcError('BAD_MESSAGE', 'Malformed message');
      this.stop({ thrown: thrown instanceof RpcError ? thrown : malformedMessage });
    }
    this.#wake();
  }

  /** @throws any error for a malformed message */
  protected handle(message: unknown[]): void {
    const [kind] = message;
    this.kind = kind;
    if (kind === 'subscribed') this.#begun(message);
    else if (kind === 'value') this.#value(message);
    else if (kind === 'complete') this.#complete(message);
    else if (kind === 'gap') this.#missed?.();
    else if (this.isBegun) {
      if (kind === 'patch') this.#patch(message);
      else this.#next(message);
    }
  }

  #begun(message: unknown[]): void {
    const [, , cursor, window = cursor ? WINDOW : LIVE_WINDOW] = message;
    this.isBegun = true;
    this.#last = this.#acknowledged = 0;
    this.#patched = undefined;
    // After a deployment, the method can be of another kind than before.
    this.#epoch = cursor ? '' : undefined;
    this.#window = requireId(window);
    this.#key = undefined;
    // Rows are numbered from the position of the loop.
    if (Array.isArray(cursor)) this.#key = requireText(cursor[0]);
    else if (cursor !== undefined) {
      const [event, epoch] = requireText(cursor).split('.');
      this.#missingSince = undefined;
      this.#last = this.#acknowledged = event === '0' ? 0 : requireId(Number(event));
      this.#epoch = requireText(epoch);
      this.after = cursor as string;
      // With a snapshot, the loop gets this cursor only when it takes the snapshot.
      if (message.length > 4) this.#push(message.slice(3), cursor as string);
      else this.cursor = cursor as string;
    }
  }

  #next(message: unknown[]): void {
    const [kind, , number, epoch] = message;
    if (kind === 'epoch') {
      this.#epoch = requireText(epoch);
      // The object may have lost events that have arrived: they were rolled back, or its storage was restored.
      if (number !== this.#last && (number === 0 || requireId(number))) this.begin();
      return;
    }
    const event = requireId(number);
    if (kind === 'window') {
      this.#window = event;
      return this.#acknowledge();
    }
    if (event > this.#last + 1) this.begin();
    if (event !== this.#last + 1) return;
    this.#last += this.#push(message.slice(2), `${event}.${this.#epoch}`);
  }

  #value(message: unknown[]): void {
    if (this.#epoch !== undefined) malformed();
    this.#last++;
    const text = JSON.stringify(message, bytesAsText);
    if (text === this.#text) return;
    this.#text = text;
    this.#patched = undefined;
    this.#items = [];
    this.#push(message.slice(1));
  }

  /** Receives rows of a live value: all rows, or the rows that have changed. */
  #patch([, , number, ...patch]: unknown[]): void {
    if (this.#epoch !== undefined || !Array.isArray(patch[0])) malformed();
    const isWhole = number === 0;
    if (!isWhole && number !== (this.#patched as number) + 1) return void this.begin();
    this.#patched = number as number;
    this.#last++;
    const isNew = this.#rows.patch(patch as Patch, isWhole, this.#connection.resolve);
    if (!isNew && this.#text === PATCHED) return;
    this.#text = PATCHED;
    this.#missingSince = undefined;
    this.#items = [{ value: this.#rows.value, cursor: undefined }];
  }

  /** @returns the number of items in the message, which can be several because rows arrive in lists */
  #push(tail: unknown[], cursor?: string): number {
    this.#missingSince = undefined;
    const answer = decodeAnswer(tail as AnswerMessage, this.#connection.resolve);
    if ('thrown' in answer) malformed();
    const key = this.#key;
    const values = key ? (answer.result as Row[]) : [answer.result];
    for (const value of values) {
      const place = key && (value as Row)[key];
      if (key && typeof place !== 'number') requireText(place);
      this.#items.push({ value, cursor: key ? JSON.stringify(place) : cursor });
    }
    return values.length;
  }

  #complete(message: unknown[]): void {
    if ((message[1] as number) < 0) {
      // The object does not have the result that is the target.
      this.cursor ||= undefined;
      return void this.begin();
    }
    const end = decodeAnswer(message.slice(1) as AnswerMessage) as { thrown?: unknown };
    if ('result' in end && message.length > 2) malformed();
    const { code, message: reason } = (end.thrown ?? {}) as RpcError;
    // The loop of a feed fell behind. A new attempt may get a snapshot, or ends with this error.
    const isOfFeed = this.#epoch !== undefined && !this.#key;
    if (code === 'CURSOR_EXPIRED' && this.isBegun && isOfFeed) return void this.begin();
    const now = performance.now();
    const waited = now - (this.#missingSince ??= now);
    // A loop that has not worked yet names a method that does not exist, or that returns something else.
    const hasWorked = this.isBegun ? this.#last : this.#window;
    if (!MISSING.test(code) || !hasWorked || waited > PATIENCE) return this.#finish(end);
    if (!waited) console.warn(`Subscription waits: ${reason}`);
    this.isBegun = false;
    // Each attempt waits about as long as all attempts before.
    new Timer(this.#retry as () => void).watch(now + 500 + waited);
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #finish(end: { thrown?: unknown }): void {
    this.#end = end;
    // The object keeps a stream until the client confirms its end.
    this.#connection.leave(this);
    this.#wake();
  }

  /** Acknowledges the items that the loop has taken, when they are half of the window. */
  #acknowledge(): void {
    const taken = this.#last - this.#items.length;
    if (taken - this.#acknowledged < this.#window / 2) return;
    const count = this.#epoch === undefined ? taken - this.#acknowledged : taken;
    this.#acknowledged = taken;
    this.#connection.tell(`["ack",${this.subscriptionId},${count}]`);
  }
}

/** Requires a positive integer: the number of an event, or a window. */
export function requireId(number: unknown): number {
  return isId(number) ? number : malformed();
}

/** Converts bytes to Base64, so that equal values have equal text, however their bytes were sent. */
function bytesAsText(_: string, part: unknown): unknown {
  const bytes = (part as unknown[] | null)?.[1];
  return bytes instanceof ArrayBuffer ? ['ArrayBuffer', toBase64(bytes)] : part;
}
