/**
 * One loop over a subscription: what has arrived for it, and where it is. Imports wire/.
 */
import { toBase64 } from '../wire/base64.ts';
import type { RpcError } from '../wire/errors.ts';
import { type AnswerMessage, decodeAnswer } from '../wire/messages.ts';
import { encodeSubscribe, LIVE_WINDOW, WINDOW } from '../wire/subscriptions.ts';

/** Connects a loop with the object. */
export interface ReaderOwner {
  /** @returns the number of its subscription */
  add(reader: Reader): number;
  /**
   * Sends a message that begins a subscription, if there is a connection; or else sees to it that there will
   * be one.
   *
   * @returns whether it was sent
   */
  begin(message: string): boolean;
  /** Sends a message, if there is a connection. */
  tell(message: string): boolean;
  /** Says that nothing more is wanted. */
  leave(reader: Reader): void;
}

/**
 * What is subscribed to, as a message ends with it: a method, and from `encodeArgs`.
 *
 * @param retry - called when there is one, if there is none yet
 */
export type Invocation = (retry?: () => void) => string | undefined;

/** What a loop is given. */
interface Item {
  value: unknown;
  cursor: string | undefined;
}

type Row = Record<string, unknown>;

export class Reader {
  readonly n: number;
  /** Whether the object has said that it has begun, on the connection that is there now. */
  isBegun = false;
  /** Where the loop is; 0, if the object may know of the subscription and nothing was heard. */
  cursor: string | 0 | undefined;
  /** How often it was to begin. */
  #attempts = 0;
  /** What has arrived and not been taken. */
  #items: Item[] = [];
  #epoch: string | undefined;
  /** The property of rows that is their cursor. */
  #key: string | undefined;
  /** The number of the last event that has arrived; of a live value how many have. */
  #last = 0;
  /** How many were there when that was told last. */
  #acknowledged = 0;
  #window = LIVE_WINDOW;
  /** The last live value, as text. */
  #text: string | undefined;
  #end: { thrown?: unknown } | undefined;
  /** Those that wait for an item. */
  readonly #waiting: (() => void)[] = [];
  readonly #invocation: Invocation;
  readonly #owner: ReaderOwner;
  readonly #left: () => void;

  /** @param left - told when the loop has been given all */
  constructor(
    owner: ReaderOwner,
    invocation: Invocation,
    after: string | undefined,
    left: () => void,
  ) {
    this.#owner = owner;
    this.n = owner.add(this);
    this.#invocation = invocation;
    this.cursor = after;
    this.#left = left;
  }

  /**
   * Subscribes, or again from where the loop is: what has not been taken will come again.
   *
   * @param waits - for a call whose result is subscribed to and which has not been sent yet
   * @returns whether it does not depend on such a call
   */
  begin(waits = true): boolean {
    if (this.#end) return true;
    // A live value comes again only if it has changed.
    if (this.#epoch !== undefined) this.#items = [];
    this.isBegun = false;
    try {
      const attempt = ++this.#attempts;
      // Unless it has begun by then because there is another connection.
      const retry = (): void => void (attempt === this.#attempts && this.begin());
      const text = this.#invocation(waits ? retry : undefined);
      if (text && this.#owner.begin(encodeSubscribe(this.n, this.cursor, text))) this.cursor ??= 0;
      return text !== undefined;
    } catch (thrown) {
      this.stop({ thrown });
      return true;
    }
  }

  /**
   * @returns the next item
   * @throws what has ended the subscription
   */
  async take(): Promise<IteratorResult<unknown, undefined>> {
    for (;;) {
      const item = this.#items.shift();
      if (item) {
        const { value, cursor } = item;
        this.cursor = this.#key ? JSON.stringify((value as Row)[this.#key]) : cursor;
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

  /** Ends the loop, whatever it has not been given. */
  stop(end: { thrown?: unknown }): void {
    this.#items = [];
    this.#finish(end);
    this.#left();
  }

  /** Takes a message that has this number. */
  hear(message: unknown[]): void {
    const [kind] = message;
    try {
      if (kind === 'subscribed') this.#begun(message);
      else if (kind === 'value') this.#value(message);
      else if (kind === 'complete') this.#complete(message);
      else if (this.isBegun) this.#next(message);
    } catch (thrown) {
      // What has arrived cannot be read.
      this.stop({ thrown });
    }
    this.#wake();
  }

  #begun(message: unknown[]): void {
    const [, , cursor, window = WINDOW] = message;
    this.isBegun = true;
    this.#last = this.#acknowledged = 0;
    if (!cursor) return;
    this.#window = window as number;
    this.#epoch = '';
    // Rows are numbered from where the loop is.
    if (typeof cursor !== 'string') [this.#key] = cursor as string[];
    else {
      const [event, epoch] = cursor.split('.');
      this.#last = this.#acknowledged = Number(event);
      this.#epoch = epoch;
      // Where a snapshot begins is nowhere to go on from until the loop has been given it.
      if (message.length > 4) this.#push(answerOf(message.slice(3)).result, cursor);
      else this.cursor = cursor;
    }
  }

  #next(message: unknown[]): void {
    const [kind, , event] = message as [string, number, number];
    if (kind === 'window') {
      this.#window = event;
      return this.#acknowledge();
    }
    if (event > this.#last + 1) this.begin();
    if (event !== this.#last + 1) return;
    const value = answerOf(message.slice(2)).result;
    // Rows come in lists.
    for (const one of this.#key ? (value as unknown[]) : [value]) {
      this.#last++;
      this.#push(one, `${event}.${this.#epoch}`);
    }
  }

  #value(message: unknown[]): void {
    this.#last++;
    const text = JSON.stringify(message, bytesAsText);
    if (text === this.#text) return;
    this.#text = text;
    this.#items = [];
    this.#push(answerOf(message.slice(1)).result);
  }

  #push(value: unknown, cursor?: string): void {
    this.#items.push({ value, cursor });
  }

  #complete(message: unknown[]): void {
    if ((message[1] as number) < 0) {
      // It did not know what it was made on.
      this.cursor ||= undefined;
      return void this.begin();
    }
    const end = answerOf(message.slice(1));
    const isExpired = (end.thrown as RpcError | undefined)?.code === 'CURSOR_EXPIRED';
    // It fell behind, and may get a snapshot; if not, that is said of an attempt to begin.
    if (isExpired && this.isBegun && this.#epoch !== undefined) this.begin();
    else this.#finish(end);
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #finish(end: { thrown?: unknown }): void {
    this.#end ??= end;
    // A stream is kept until its end has been heard.
    this.#owner.leave(this);
    this.#wake();
  }

  /** Says what has been taken, when that is half of what may be under way. */
  #acknowledge(): void {
    const taken = this.#last - this.#items.length;
    if (taken - this.#acknowledged < this.#window / 2) return;
    const count = this.#epoch === undefined ? taken - this.#acknowledged : taken;
    this.#acknowledged = taken;
    this.#owner.tell(`["ack",${this.n},${count}]`);
  }
}

/** What a message says, from the element before what an answer would hold. */
export function answerOf(tail: unknown[]): { result?: unknown; thrown?: unknown } {
  return decodeAnswer(tail as AnswerMessage);
}

/** A value has the same text whichever way its bytes have come. */
function bytesAsText(_: string, part: unknown): unknown {
  const bytes = Array.isArray(part) && part[1];
  return bytes instanceof ArrayBuffer ? ['ArrayBuffer', toBase64(bytes)] : part;
}
