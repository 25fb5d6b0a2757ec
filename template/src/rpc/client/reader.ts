/**
 * One loop over a subscription: what has arrived for it, and where it is. Imports wire/.
 */
import type { RpcError } from '../wire/errors.ts';
import { type AnswerMessage, decodeAnswer } from '../wire/messages.ts';
import { encodeSubscribe, LIVE_WINDOW, WINDOW } from '../wire/subscriptions.ts';

/** Connects a loop with the object. */
export interface ReaderOwner {
  /** @returns the number of its subscription */
  add(reader: Reader): number;
  /** Sends a message that begins a subscription, now or when the connection is there. */
  begin(message: string): void;
  /** Sends a message, if there is a connection. */
  tell(message: string): void;
  leave(reader: Reader, isToldToObject: boolean): void;
}

/**
 * What is subscribed to, as a message ends with it: a method, and from `encodeArgs`.
 *
 * @param retry - called when there is one, if there is none yet
 */
export type Invocation = (retry?: () => void) => string | undefined;

/** What a loop is given. */
interface Item {
  cursor: string | undefined;
  value: unknown;
}

export class Reader {
  readonly n: number;
  /** Whether the object has said that it has begun, on the connection that is there now. */
  isBegun = false;
  #cursor: string | undefined;
  /** How often it was to begin. */
  #attempts = 0;
  /** What has arrived and not been taken. */
  #items: Item[] = [];
  #epoch: string | undefined;
  /** The number of the last event that has arrived; of a live value how many have. */
  #last = 0;
  /** How many were there when that was told last. */
  #acknowledged = 0;
  #window = LIVE_WINDOW;
  /** The last live value, as text. */
  #text: string | undefined;
  #end: { thrown?: unknown } | undefined;
  #wake = (): void => {};
  readonly #invocation: Invocation;
  readonly #owner: ReaderOwner;
  readonly #moved: (cursor: string | undefined) => void;

  /** @param moved - told of each new cursor */
  constructor(
    owner: ReaderOwner,
    invocation: Invocation,
    after: string | undefined,
    moved: (cursor: string | undefined) => void,
  ) {
    this.#owner = owner;
    this.n = owner.add(this);
    this.#invocation = invocation;
    this.#cursor = after;
    this.#moved = moved;
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
      if (text) this.#owner.begin(encodeSubscribe(this.n, this.#cursor, text));
      return text !== undefined;
    } catch (thrown) {
      this.stop({ thrown });
      return true;
    }
  }

  /** @returns the next item; nothing at the end */
  async take(): Promise<Item | undefined> {
    for (;;) {
      const item = this.#items.shift();
      if (item) {
        this.#move(item.cursor);
        this.#acknowledge();
        return item;
      }
      if (this.#end) {
        if ('thrown' in this.#end) throw this.#end.thrown;
        return undefined;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Ends the loop, whatever it has not been given. */
  stop(end: { thrown?: unknown }): void {
    this.#items = [];
    this.#finish(end);
    this.#owner.leave(this, true);
  }

  /** Takes a message that has this number. */
  hear([kind, , ...rest]: unknown[]): void {
    try {
      if (kind === 'subscribed') this.#begun(rest);
      else if (kind === 'value') this.#value(rest);
      else if (kind === 'complete') this.#complete(rest);
      else if (this.isBegun) this.#next(rest);
    } catch (thrown) {
      // What has arrived cannot be read.
      this.stop({ thrown });
    }
    this.#wake();
  }

  #begun([cursor, window = WINDOW, ...snapshot]: unknown[]): void {
    this.isBegun = true;
    this.#last = this.#acknowledged = 0;
    if (typeof cursor !== 'string') return;
    const [event, epoch] = cursor.split('.');
    this.#last = this.#acknowledged = Number(event);
    this.#epoch = epoch;
    this.#window = window as number;
    // Where a snapshot begins is nowhere to go on from until the loop has been given it.
    if (snapshot.length > 0) this.#items.push({ cursor, value: valueOf(snapshot) });
    else this.#move(cursor);
  }

  #next([event, ...value]: unknown[]): void {
    if ((event as number) > this.#last + 1) this.begin();
    if (event !== this.#last + 1) return;
    this.#last++;
    this.#items.push({ cursor: `${event}.${this.#epoch}`, value: valueOf(value) });
  }

  #value(value: unknown[]): void {
    this.#last++;
    const text = JSON.stringify(value);
    if (text === this.#text) return;
    this.#text = text;
    this.#items = [{ cursor: undefined, value: valueOf(value) }];
  }

  #complete(error: unknown[]): void {
    const { thrown } = answerOf(error);
    const isExpired = (thrown as RpcError | undefined)?.code === 'CURSOR_EXPIRED';
    // It fell behind, and may get a snapshot; if not, that is said of an attempt to begin.
    if (isExpired && this.isBegun && this.#epoch !== undefined) this.begin();
    else {
      this.#finish(error.length > 0 ? { thrown } : {});
      this.#owner.leave(this, false);
    }
  }

  #finish(end: { thrown?: unknown }): void {
    this.#end ??= end;
    this.#wake();
  }

  #move(cursor: string | undefined): void {
    this.#cursor = cursor;
    this.#moved(cursor);
  }

  /** Says what has been taken, when that is half of what may be under way. */
  #acknowledge(): void {
    const taken = this.#last - this.#items.length;
    if (taken - this.#acknowledged < this.#window / 2) return;
    const count = this.#epoch === undefined ? taken - this.#acknowledged : taken;
    this.#acknowledged = taken;
    this.#owner.tell(JSON.stringify(['ack', this.n, count]));
  }
}

/** How a message goes on that says what an answer would. */
export function answerOf(rest: unknown[]): { result?: unknown; thrown?: unknown } {
  return decodeAnswer([0, ...rest] as AnswerMessage);
}

function valueOf(rest: unknown[]): unknown {
  return answerOf(rest).result;
}
