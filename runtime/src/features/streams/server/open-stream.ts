/**
 * A stream in the object's memory. The items of a generator or a `ReadableStream` are kept until the client
 * has consumed them, so that the client can continue on another connection.
 */
import {
  holderKeyOf,
  type Connection,
  type HeldItem,
  rejection,
  type Target,
} from '../../../server/feature.ts';
import { encodeWithBytes } from '../../../wire/frame-codec.ts';
import { joinMessages, type EncodedMessage } from '../../../wire/encoded-message.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import {
  type SubscriptionEnd,
  encodeEnd,
  encodeSubscribed,
  encodeWindow,
  type Position,
  WINDOW,
} from '../../subscriptions/wire.ts';
import { Pull, type ItemReceiver } from './pull.ts';
import type { StreamSource } from './stream-source.ts';
import type {
  SurvivingSubscription,
  SubscriptionState,
} from '../../subscriptions/server/subscription.ts';
import { encodeStreamItem } from './item-message.ts';

/** Maximum size of a message with one item, in characters and bytes. */
const MAX_ITEM_SIZE = 1_048_576;

/** The size from which further messages are sent in another frame, in characters and bytes. */
const FRAME = 65_536;

/** The data from which a stream is created. */
export interface NewStream {
  readonly connection: Connection;
  readonly subscriptionId: number;
  readonly method: string;
  /** Checks an item with its index; `undefined` where nothing is checked. */
  readonly checkItem: ((item: unknown, index: number) => void) | undefined;
  readonly isReadonly: boolean;
  readonly capabilityToken: string | undefined;
  readonly source: StreamSource;
  readonly target: Target;
  /** Called after the producer has run. */
  readonly ran: () => void;
}

/** The memory that a stream shares with the other streams of its object. */
export interface StreamPool {
  /** The size that one stream may hold, in characters and bytes. */
  readonly share: number;
  /** The size that all streams hold, in characters and bytes. */
  held: number;
  /** Removes a stream. */
  forget(stream: OpenStream): void;
}

/**
 * Returns the error for a client that continues a stream which no longer exists.
 *
 * @param isReadonly - whether the stream's method is `readonly`, so that it has changed nothing
 */
export function streamLostError(isReadonly: boolean): RpcError {
  const problem =
    'The stream cannot go on, because the object was stopped or full, or the client did not read for too long: subscribe again';
  return rejection('DISCONNECTED', problem, { maybeExecuted: !isReadonly });
}

/** Returns the error for the producer of a stream that its client has stopped reading. */
export function streamStoppedError(): RpcError {
  return rejection('ABORTED', 'The client stopped reading the stream');
}

export class OpenStream implements ItemReceiver, HeldItem, SurvivingSubscription {
  /** The client: see `holderKeyOf`. */
  readonly holder: unknown;
  leftAt: number | undefined;
  readonly subscriptionId: number;
  readonly method: string;
  readonly capabilityToken: string | undefined;
  readonly target: Target;
  readonly ran: () => void;
  readonly state: SubscriptionState;
  caller: unknown;
  /** The connection of the client; `undefined` while the client is disconnected. */
  #connection: Connection | undefined;
  /** Distinguishes this stream from another stream with the same number. */
  readonly #epoch = crypto.randomUUID().slice(0, 8);
  /** The account of the client's items. */
  readonly #memory: Connection['memory'];
  readonly #pull: Pull;
  readonly #pool: StreamPool;
  readonly #timeout: number;
  readonly #checkItem: NewStream['checkItem'];
  /** The messages of the items that have not been acknowledged. */
  #items: EncodedMessage[] = [];
  #size = 0;
  #acknowledged = 0;
  #sent = 0;
  #window = WINDOW;
  #end: SubscriptionEnd | undefined;
  /** True if the end has been sent on the current connection. */
  #isComplete = false;
  /**
   * The time of `Date.now()` when an item was last added or acknowledged, or the client last connected or left.
   */
  #since = Date.now();

  constructor(opened: NewStream, pool: StreamPool) {
    this.holder = holderKeyOf(opened.connection) ?? opened.connection;
    this.subscriptionId = opened.subscriptionId;
    this.method = opened.method;
    this.capabilityToken = opened.capabilityToken;
    this.target = opened.target;
    this.ran = opened.ran;
    this.state = [opened.subscriptionId, 'stream', opened.isReadonly];
    this.caller = opened.connection.caller;
    this.#connection = opened.connection;
    this.#memory = opened.connection.memory;
    this.#timeout = opened.target.contract.streamTimeout;
    this.#pull = new Pull(opened.source, this);
    this.#pool = pool;
    this.#checkItem = opened.checkItem;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  /**
   * Returns when the stream expires at the earliest if the client does nothing, in the time of `Date.now()`. The time
   * in which the stream waits for the producer does not count.
   */
  get deadline(): number {
    const isWaiting = !this.#connection || this.#end !== undefined || !this.hasRoom();
    return (isWaiting ? this.#since : Date.now()) + this.#timeout;
  }

  /** Returns whether the stream can continue after a position; without a position, from its beginning. */
  canResumeAfter(position: Position | undefined): boolean {
    if (!position) return this.#acknowledged === 0;
    const { event, epoch } = position;
    return epoch === this.#epoch && event >= this.#acknowledged && event <= this.#sent;
  }

  /** Begins or continues the stream on a connection. */
  begin(connection: Connection, event: number): void {
    this.#connection = connection;
    this.leftAt = undefined;
    this.caller = connection.caller;
    this.#drop(event);
    this.#sent = event;
    this.#isComplete = false;
    connection.send(
      encodeSubscribed(this.subscriptionId, { event, epoch: this.#epoch }, this.#window),
    );
    this.#pull.go();
    this.flush();
  }

  /** Keeps the stream for a client that has disconnected and may come back. */
  leave(): void {
    this.#connection = undefined;
    this.leftAt = this.#since = Date.now();
  }

  acknowledge(count: number): void {
    if (count <= this.#acknowledged || count > this.#sent) return;
    this.#drop(count);
    this.#pull.go();
  }

  abandon(): void {
    this.stop(streamLostError(true));
  }

  /** Ends the stream without sending anything to the client. */
  stop(reason: RpcError = streamStoppedError()): void {
    this.#pool.forget(this);
    this.#items = [];
    this.#resize(-this.#size);
    this.#pull.stop(reason);
  }

  /** Ends the stream because the client has not read it for too long. */
  expire(): void {
    const problem = `${this.method}: the client did not read the stream for ${this.#timeout} ms`;
    this.#giveUp(rejection('TIMEOUT', problem));
  }

  /** Ends the stream because another client needs its place. */
  giveWay(): void {
    const { streams } = this.target.contract.limits;
    const problem = `${this.method}: the object has ${streams} streams, and this client had the most of them: see limits.streams`;
    this.#giveUp(rejection('LIMIT_EXCEEDED', problem));
  }

  #giveUp(reason: RpcError): void {
    const connection = this.#connection;
    this.stop(reason);
    if (connection?.subscriptions.delete(this.subscriptionId)) connection.storeState();
    // If the producer has ended, the end has been sent already.
    if (connection && !this.#end) this.#complete(connection, { thrown: reason });
  }

  hasRoom(): boolean {
    const held = this.#items.length;
    if (held === 0) return true;
    return held < this.#window && this.#size < this.#pool.share && !this.#memory.isFull;
  }

  take(item: unknown): void {
    const index = this.#acknowledged + this.#items.length;
    this.#checkItem?.(item, index);
    // Bytes follow the text. For a client that does not read binary frames, the connection converts them to text.
    const message = encodeStreamItem(item, index, this, (encode) =>
      encodeWithBytes(this.target.contract, encode),
    );
    if (message.length > MAX_ITEM_SIZE) limitExceeded('the size of an item', MAX_ITEM_SIZE);
    this.#items.push(message);
    this.#resize(message.length);
    this.#since = Date.now();
  }

  end(end: SubscriptionEnd): void {
    this.#end = end;
    this.#since = Date.now();
  }

  flush(): void {
    const connection = this.#connection;
    if (!connection) return;
    const unsent = this.#items.slice(this.#sent - this.#acknowledged);
    this.#sent += unsent.length;
    let frame: EncodedMessage[] = [];
    let size = 0;
    for (const message of unsent) {
      // Large messages leave one by one, so that other messages can go between them.
      if (frame.length > 0 && size + message.length > FRAME) {
        connection.send(joinMessages(frame));
        frame = [];
        size = 0;
      }
      frame.push(message);
      size += message.length + 1;
    }
    if (frame.length > 0) connection.send(joinMessages(frame));
    if (this.#end && !this.#isComplete) this.#complete(connection, this.#end);
    else if (!this.#end) this.#fit(connection);
  }

  #complete(connection: Connection, end: SubscriptionEnd): void {
    this.#isComplete = true;
    connection.send(encodeEnd(this.subscriptionId, end, this.target.contract.exposeErrorDetails));
  }

  /**
   * Adapts the window to the size of the items, so that the client acknowledges large items sooner. Large items fill
   * the stream's share of memory before they fill a window.
   */
  #fit(connection: Connection): void {
    const held = this.#items.length;
    let window = this.#window;
    if (this.#size >= this.#pool.share) window = held;
    else if (held === window) {
      if (2 * this.#size < this.#pool.share) window = Math.min(2 * held, WINDOW);
    }
    if (window === this.#window) return;
    this.#window = window;
    connection.send(encodeWindow(this.subscriptionId, window));
  }

  /** Drops the items that the client has consumed. */
  #drop(event: number): void {
    const consumed = this.#items.splice(0, event - this.#acknowledged);
    for (const { length } of consumed) this.#resize(-length);
    this.#acknowledged = event;
    this.#since = Date.now();
  }

  #resize(by: number): void {
    this.#size += by;
    this.#pool.held += by;
    if (by > 0) this.#memory.add(by);
    else this.#memory.release(-by);
  }
}
