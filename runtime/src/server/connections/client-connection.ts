/** The other end of a connection, as the object sees it. */
import { RpcError } from '../../wire/errors.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { encodeRejection, type Frame } from '../../wire/messages.ts';
import { HTTP_STATUS } from '../../wire/status.ts';
import { type Encode, frameOf, type EncodedMessage, asText } from '../../wire/encoded-message.ts';
import { encodeWithBytes, type EncodingOptions } from '../../wire/frame-codec.ts';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.ts';
import { weightOf } from '../base/sizes.ts';
import type { Connection, RunningCall, Subscriptions } from '../contract/connection.ts';
import { FrameQueue } from './frame-queue.ts';
import { Outbox } from './outbox.ts';
import { RateLimit } from './rate-limit.ts';
import type { OnFrame } from '../contract/types.ts';
import type { ConnectionIdentity } from './identity.ts';
import type { Link } from './link.ts';
import { rejectionCountsOf, type RejectionCount } from './rejections.ts';
import { SubscriptionStore } from './subscription-store.ts';

/** How many rejected messages an unreadable frame counts for. Our clients never send one. */
const UNREADABLE = 10;

/** The close code that clients treat like status 429. */
const TOO_MANY_REQUESTS = 4_000 + HTTP_STATUS.LIMIT_EXCEEDED;

/** The other end of a socket, a port or one POST. */
export class ClientConnection implements Connection {
  readonly caller: unknown;
  readonly owner: string | undefined;
  readonly client: string | undefined;
  /** Running calls by id. */
  readonly running = new Map<number, RunningCall>();
  /** About how many bytes of memory the calls and subscriptions take that run or wait: see `limits.inFlightSize`. */
  inFlightSize = 0;
  readonly subscriptions: Subscriptions = new SubscriptionStore();
  limits: Limits = DEFAULT_LIMITS;
  /** The object, which counts rejected messages. */
  #instance: object = this;
  /** Answers that have not been sent. */
  readonly #outbox: Outbox;
  /** Called with every frame that is sent; `undefined` if no feature looks at frames. */
  #onSent: ((frame: Frame) => void) | undefined;
  #isClosed = false;
  /** Whether the client reads binary frames. */
  readsBytes: boolean;
  /** Rejected messages minus calls that ran; `undefined` until one is rejected. */
  #rejections: RejectionCount | undefined;
  /** `undefined` until a call is made under `limits.callsPerSecond`. */
  #rate: RateLimit | undefined;
  /** `undefined` until a frame has to wait. */
  #frames: FrameQueue | undefined;
  readonly #link: Link;

  constructor(identity: ConnectionIdentity, link: Link) {
    this.caller = identity.caller;
    this.owner = identity.owner;
    this.client = identity.client;
    this.readsBytes = identity.readsBytes ?? false;
    this.subscriptions.stored = identity.subscriptions ?? [];
    this.#link = link;
    // A POST gets one response, however large it is.
    this.#outbox = new Outbox(!link.close);
  }

  /** Whether the connection has ended. Frames that wait or still arrive are then ignored. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sets what the client calls, before each frame: a class can pass another contract. */
  serve(instance: object, limits: Limits): void {
    this.#instance = instance;
    this.limits = limits;
  }

  /** Marks the connection as closed by the client. */
  leave(): void {
    this.#isClosed = true;
    this.#link.end?.();
  }

  /** Closes the connection. */
  close(code: number, reason: string): void {
    this.leave();
    this.#link.close?.(code, reason);
  }

  /** Joins the pieces of large frames. Returns `undefined` for a piece that is not the last. */
  joinPieces(message: Frame): Frame | undefined {
    // Marks and acknowledgements have one character.
    if ((message as string).length !== 1 && !this.#link.isExpecting) return message;
    try {
      return this.#link.receive?.(message, this.limits.frameSize);
    } catch (error) {
      this.rejectFrame(error);
      return undefined;
    }
  }

  /** Shows the frames that are sent from now on to a hook. */
  showSent(onFrame: OnFrame, instance: object): void {
    this.#onSent ??= (frame) => onFrame('down', frame, this, instance);
  }

  /**
   * Handles a frame at once. If many messages of the client were rejected, frames of other connections go first.
   *
   * @returns a promise of the end, or `undefined` if the frame was handled at once
   */
  inTurn(run: () => void): Promise<void> | undefined {
    if (!this.#rejections?.mustWait && !this.#frames?.length) return void run();
    return (this.#frames ??= new FrameQueue()).add(() => this.#isClosed || run());
  }

  /** Holds answers back until `release`, so that the answers to one frame share a frame. */
  hold(): void {
    this.#outbox.hold();
  }

  /** Sends the answers that were held back. */
  release(): void {
    for (const messages of this.#outbox.release()) this.#send(messages);
    if (this.isExhausted) {
      this.close(TOO_MANY_REQUESTS, 'Too many rejected messages: see limits.refusals');
    }
  }

  /**
   * Replaces answers that are held back.
   *
   * @param replacement - returns another answer of the call with that id, if there is one
   */
  replaceHeld(replacement: (id: number) => string | undefined): void {
    this.#outbox.replace(replacement);
  }

  /** Sends an answer, in one frame with others of the same tick. */
  queue(message: EncodedMessage): void {
    // Not queueMicrotask, which costs several microseconds in the Workers runtime.
    if (this.#outbox.isIdle) void Promise.resolve().then(() => this.release());
    this.#outbox.add(message);
  }

  /** Sends a message that is not an answer: at once, or after the answers that are held back. */
  send(message: EncodedMessage): void {
    if (this.#outbox.isIdle) this.#send([message]);
    else this.queue(message);
  }

  /** Encodes a message. Bytes follow its text if the client reads binary frames. */
  encode(encode: Encode, writing: EncodingOptions): EncodedMessage {
    return this.readsBytes ? encodeWithBytes(writing, encode) : encode(writing.referenceOf);
  }

  /** Whether it is a connection, which can carry more than answers. A POST cannot. */
  get isConnection(): boolean {
    return this.#link.storeState !== undefined;
  }

  /** Whether it is a connection, and a message that is sent now may still arrive. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#link.isOpen === true;
  }

  /** Stores with the connection what is needed after hibernation: the subscriptions, and what the client reads. */
  storeState(): void {
    this.#link.storeState?.({
      readsBytes: this.readsBytes,
      subscriptions: this.subscriptions.records,
    });
  }

  /** Rejects a frame, or the rest of a frame. */
  rejectFrame(error: unknown): void {
    this.countRejection(UNREADABLE);
    this.queue(encodeRejection(error instanceof RpcError ? error : unavailable(error)));
  }

  /** Counts messages that were rejected, such as a call whose method did not run. */
  countRejection(count = 1): void {
    (this.#rejections ??= rejectionCountsOf(this.#instance).of(this)).add(count);
  }

  /** Whether more messages were rejected than `limits.refusals` allows. */
  get isExhausted(): boolean {
    return this.#rejections?.exceeds(this.limits.refusals) === true;
  }

  /** Counts a call whose method runs. */
  countCall(): void {
    this.#rejections?.subtract();
  }

  /**
   * Counts a message that takes memory until a call or a subscription has ended.
   *
   * @param limit - `Infinity` for a call that runs already
   * @returns a function that counts the message no longer
   * @throws RpcError `LIMIT_EXCEEDED` if the connection would hold more
   */
  holdInFlight(message: unknown[], limit = this.limits.inFlightSize): () => void {
    const weight = weightOf(message);
    if (this.inFlightSize + weight > limit) limitExceeded('inFlightSize', limit);
    this.inFlightSize += weight;
    return () => {
      this.inFlightSize -= weight;
    };
  }

  /** Whether `limits.callsPerSecond` allows one more call now. */
  mayCall(): boolean {
    const { callsPerSecond } = this.limits;
    return callsPerSecond === Infinity || (this.#rate ??= new RateLimit()).admits(callsPerSecond);
  }

  #send(messages: readonly EncodedMessage[]): void {
    const frame = frameOf(this.readsBytes ? messages : messages.map(asText));
    this.#onSent?.(frame);
    this.#link.send(frame, messages);
  }
}

/** An error that the client did not cause, such as a class without SQLite, which cannot store a journal. */
function unavailable(cause: unknown): RpcError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new RpcError('UNAVAILABLE', message, { cause });
}
