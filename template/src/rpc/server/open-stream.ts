/**
 * A stream that lives in the object's memory: what a generator or a `ReadableStream` gives, kept until the
 * client has consumed it, so that the same client goes on with it by another connection.
 * Imports contract, peer, pull, refusal, stream-source, subscription, unsendable and wire/.
 */
import { joined, type Said, writeWithBytes } from '../wire/bytes.ts';
import type { RpcError } from '../wire/errors.ts';
import { exceeded } from '../wire/limits.ts';
import {
  type End,
  encodeEnd,
  encodeSubscribed,
  encodeWindow,
  type Position,
  WINDOW,
} from '../wire/subscriptions.ts';
import type { CompiledContract } from './contract.ts';
import type { Peer } from './peer.ts';
import { Pull, type Taker } from './pull.ts';
import { refusal } from './refusal.ts';
import type { StreamSource } from './stream-source.ts';
import type { SubscriptionRecord } from './subscription.ts';
import { encodeItem } from './unsendable.ts';

/** What the message with one item may take, in characters and bytes. */
const MAX_ITEM_SIZE = 1_048_576;

/** From how many characters on messages leave in a further frame. */
const FRAME = 65_536;

/** What a stream is made from. */
export interface Opened {
  readonly peer: Peer;
  readonly n: number;
  readonly method: string;
  readonly isReadonly: boolean;
  readonly seal: string | undefined;
  readonly source: StreamSource;
  readonly contract: CompiledContract;
  /** Told after the producer has run. */
  readonly ran: () => void;
}

/** The other streams of the object. */
export interface Siblings {
  /** How much one of them may hold, in characters and bytes. */
  readonly share: number;
  /** How much all of them hold. */
  held: number;
  /** Lets go of one. */
  forget(stream: OpenStream): void;
}

/**
 * For whoever comes back for a stream that is not there any more.
 *
 * @param isReadonly - whether the method that made it is, so that nothing has been done
 */
export function lost(isReadonly: boolean): RpcError {
  const problem =
    'The stream was lost: the object was stopped, or the client did not read for too long';
  return refusal('DISCONNECTED', problem, { maybeExecuted: !isReadonly });
}

export class OpenStream implements Taker {
  readonly n: number;
  readonly method: string;
  readonly seal: string | undefined;
  readonly contract: CompiledContract;
  readonly ran: () => void;
  readonly record: SubscriptionRecord;
  caller: unknown;
  /** Where it is sent; nowhere, while the client is away. */
  #peer: Peer | undefined;
  /** Tells it from another one under the same number. */
  readonly #epoch = crypto.randomUUID().slice(0, 8);
  readonly #pull: Pull;
  readonly #siblings: Siblings;
  readonly #timeout: number;
  /** The messages of the items that have not been acknowledged. */
  #items: Said[] = [];
  #size = 0;
  #acknowledged = 0;
  #sent = 0;
  #window = WINDOW;
  #end: End | undefined;
  /** Whether the client has been told the end, by the connection that it has now. */
  #isComplete = false;
  /** When the client did something last, or was given something to do. */
  #since = Date.now();

  constructor(opened: Opened, siblings: Siblings) {
    this.n = opened.n;
    this.method = opened.method;
    this.seal = opened.seal;
    this.contract = opened.contract;
    this.ran = opened.ran;
    this.record = [opened.n, 'stream', opened.isReadonly];
    this.caller = opened.peer.caller;
    this.#peer = opened.peer;
    this.#timeout = opened.contract.streamTimeout;
    this.#pull = new Pull(opened.source, this);
    this.#siblings = siblings;
  }

  get peer(): Peer | undefined {
    return this.#peer;
  }

  /** When it ends at the earliest, if the client does nothing. The producer may take its time. */
  get deadline(): number {
    const isWaiting = !this.#peer || this.#end !== undefined || !this.hasRoom();
    return (isWaiting ? this.#since : Date.now()) + this.#timeout;
  }

  /** Whether it can go on after a cursor; without one, from its beginning. */
  holds(position: Position | undefined): boolean {
    if (!position) return this.#acknowledged === 0;
    const { event, epoch } = position;
    return epoch === this.#epoch && event >= this.#acknowledged && event <= this.#sent;
  }

  /** Begins, or goes on, for a client that is there. */
  begin(peer: Peer, event: number): void {
    this.#peer = peer;
    this.caller = peer.caller;
    this.#drop(event);
    this.#sent = event;
    this.#isComplete = false;
    peer.push(encodeSubscribed(this.n, { event, epoch: this.#epoch }, this.#window, undefined));
    this.#pull.go();
    this.flush();
  }

  /** Takes note that the client has gone, and may come back. */
  leave(): void {
    this.#peer = undefined;
    this.#since = Date.now();
  }

  acknowledge(count: number): void {
    if (count <= this.#acknowledged || count > this.#sent) return;
    this.#drop(count);
    this.#pull.go();
  }

  /** Ends it without a word to the client. */
  stop(reason: RpcError): void {
    this.#siblings.forget(this);
    this.#items = [];
    this.#resize(-this.#size);
    this.#pull.stop(reason);
  }

  /** Ends it because the client does not take what there is for it. */
  expire(): void {
    const problem = `${this.method}: the client did not read the stream for ${this.#timeout} ms`;
    const reason = refusal('TIMEOUT', problem);
    const peer = this.#peer;
    this.stop(reason);
    if (peer?.subscriptions.delete(this.n)) peer.keepSubscriptions();
    // It has been told the end, if there was one.
    if (peer && !this.#end) this.#complete(peer, { thrown: reason });
  }

  hasRoom(): boolean {
    const held = this.#items.length;
    return held === 0 || (held < this.#window && this.#size < this.#siblings.share);
  }

  take(item: unknown): void {
    // Bytes go beside the text; a peer that does not read them so gets them in it.
    const index = this.#acknowledged + this.#items.length;
    const message = encodeItem(item, index, this, writeWithBytes);
    if (message.length > MAX_ITEM_SIZE) exceeded('the size of an item', MAX_ITEM_SIZE);
    this.#items.push(message);
    this.#resize(message.length);
    this.#since = Date.now();
  }

  end(end: End): void {
    this.#end = end;
    this.#since = Date.now();
  }

  flush(): void {
    const peer = this.#peer;
    if (!peer) return;
    const unsent = this.#items.slice(this.#sent - this.#acknowledged);
    this.#sent += unsent.length;
    let frame: Said[] = [];
    let size = 0;
    for (const message of unsent) {
      // Large ones one by one, so that others are heard between them.
      if (frame.length > 0 && size + message.length > FRAME) {
        peer.push(joined(frame));
        frame = [];
        size = 0;
      }
      frame.push(message);
      size += message.length + 1;
    }
    if (frame.length > 0) peer.push(joined(frame));
    if (this.#end && !this.#isComplete) this.#complete(peer, this.#end);
    else if (!this.#end) this.#fit(peer);
  }

  #complete(peer: Peer, end: End): void {
    this.#isComplete = true;
    peer.push(encodeEnd(this.n, end, this.contract.exposeErrorDetails));
  }

  /** Has the client acknowledge sooner where items are so large that fewer are under way; later again else. */
  #fit(peer: Peer): void {
    const held = this.#items.length;
    let window = this.#window;
    if (this.#size >= this.#siblings.share) window = held;
    else if (held === window) {
      if (2 * this.#size < this.#siblings.share) window = Math.min(2 * held, WINDOW);
    }
    if (window === this.#window) return;
    this.#window = window;
    peer.push(encodeWindow(this.n, window));
  }

  /** Lets go of what has been consumed. */
  #drop(event: number): void {
    const consumed = this.#items.splice(0, event - this.#acknowledged);
    for (const { length } of consumed) this.#resize(-length);
    this.#acknowledged = event;
    this.#since = Date.now();
  }

  #resize(by: number): void {
    this.#size += by;
    this.#siblings.held += by;
  }
}
