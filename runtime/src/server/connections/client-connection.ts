/** A connection of a client, at the object's end. */
import { RpcError } from '../../wire/errors.ts';
import { encodeRejection, type Frame } from '../../wire/messages.ts';
import { frameLength, isControl } from '../../wire/pieces.ts';
import { LIMIT_EXCEEDED_STATUS } from '../../wire/status.ts';
import { type Encode, frameOf, type EncodedMessage, asText } from '../../wire/encoded-message.ts';
import { encodeWithBytes, type EncodingOptions } from '../../wire/frame-codec.ts';
import { explanations } from '../diagnostics/explanations.ts';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.ts';
import { type ClientMemory, type MemoryHolder, memoryOf, OUT_OF_MEMORY } from '../base/memory.ts';
import { withMaybeExecuted } from '../base/rejection.ts';
import { endOfTurn } from '../base/turns.ts';
import type { Connection, RunningCall, Subscriptions } from '../contract/connection.ts';
import { afterDisconnect } from './disconnect.ts';
import { type FirstCall, firstCallIn } from './first-call.ts';
import { Outbox } from './outbox.ts';
import { RateLimit } from './rate-limit.ts';
import type { OnFrame } from '../contract/types.ts';
import type { ConnectionIdentity } from './identity.ts';
import { SERVICE_RESTART, TRY_AGAIN_LATER } from './close-codes.ts';
import type { Link } from './link.ts';
import { rejectionCountsOf, type RejectionCount, TOO_MANY_REJECTIONS } from './rejections.ts';
import { SubscriptionStore } from './subscription-store.ts';
import { WaitingFrames } from './waiting-frames.ts';

/** The number of rejected messages that an unreadable frame counts as. Our clients never send unreadable frames. */
const UNREADABLE = 10;

/** The close code that clients treat like status 429. */
const TOO_MANY_REQUESTS = 4_000 + LIMIT_EXCEEDED_STATUS;

/** The other end of a socket, a port or one POST. */
export class ClientConnection implements Connection, MemoryHolder {
  readonly caller: unknown;
  readonly owner: string | undefined;
  readonly client: string | undefined;
  /** Running calls by id. */
  readonly running = new Map<number, RunningCall>();
  readonly subscriptions: Subscriptions = new SubscriptionStore();
  limits: Limits = DEFAULT_LIMITS;
  /** The object that the client calls. It is the connection itself until the first frame. */
  #instance: object = this;
  /** Answers that have not been sent. */
  readonly #outbox: Outbox;
  /** True if the connection was closed because the object had no memory for its client. */
  hasGivenWay = false;
  /** Called with every frame that is sent; `undefined` if no feature looks at frames. */
  #onSent: ((frame: Frame) => void) | undefined;
  #isClosed = false;
  /** True if the client reads binary frames. */
  readsBytes: boolean;
  /** The client's rejected messages minus calls that ran; `undefined` until a message is rejected. */
  #rejections: RejectionCount | undefined;
  /** Counts calls for `limits.callsPerSecond`; `undefined` until a call is made under that limit. */
  #rate: RateLimit | undefined;
  /** Frames that wait; `undefined` until a frame has to wait. */
  #waiting: WaitingFrames | undefined;
  readonly #link: Link;
  /** The bytes that the calls of the running frame may still hold. */
  #reserved = 0;
  /** The client's account; `undefined` until bytes are held for the client. */
  #memory: ClientMemory | undefined;

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

  /** True if the connection has ended. Frames that wait or still arrive are then ignored. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sets the object and the limits. It is called before each frame, because a class can pass another contract. */
  serve(instance: object, limits: Limits): void {
    this.limits = limits;
    if (this.#instance === instance) return;
    this.#instance = instance;
    this.#rejections = rejectionCountsOf(instance).known(this);
  }

  /** Returns whether the connection belongs to an older instance of the object. */
  isOfOther(instance: object): boolean {
    return this.#instance !== this && this.#instance !== instance;
  }

  get memory(): ClientMemory {
    return (this.#memory ??= memoryOf(this.#instance, this.limits, this));
  }

  /** True if the object holds so much for the client that further calls have to be rejected. */
  get isFull(): boolean {
    return this.#memory?.isFull === true;
  }

  /** Marks the connection as closed by the client, and releases the memory that is held for it. */
  leave(): void {
    this.#isClosed = true;
    this.#link.pieces?.end();
    this.#takeHeld();
    this.#waiting?.drop();
    this.#memory?.leave(this);
  }

  /** Closes the connection because another instance has replaced the object. */
  giveUp(): void {
    this.close(SERVICE_RESTART, 'The code of the object has changed');
    afterDisconnect(this.#instance, this);
  }

  /** Closes the connection because the object has no more memory, and the client holds most of it. */
  giveWay(): void {
    this.hasGivenWay = true;
    this.close(TRY_AGAIN_LATER, OUT_OF_MEMORY);
    afterDisconnect(this.#instance, this, true);
  }

  close(code: number, reason: string): void {
    this.leave();
    this.#link.close?.(code, reason);
  }

  /** Joins the pieces of large frames. Returns `undefined` for a piece that is not the last. */
  joinPieces(message: Frame): Frame | undefined {
    const { pieces } = this.#link;
    if (!this.#link.makePieces || (!pieces?.isExpecting && !isControl(message))) return message;
    const start = pieces?.arriving ?? message;
    try {
      return this.#link.makePieces(this).receive(message, this.limits.frameSize);
    } catch (error) {
      this.rejectFrame(error, firstCallIn(start));
      return undefined;
    } finally {
      this.#closeIfExhausted();
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
  inTurn(run: () => void, frame: Frame): Promise<void> | void {
    if (!this.#rejections?.mustWait && !this.#waiting?.length) return void run();
    try {
      return this.#waitingFrames().add(run, frameLength(frame));
    } catch (error) {
      return this.rejectFrame(error, firstCallIn(frame));
    }
  }

  /** True if unread answers take most of the client's memory, so that it must read before the rest of a frame runs. */
  get mustPause(): boolean {
    if (!this.isFull || !this.isConnection) return false;
    return this.#outbox.size + this.#unsent > this.limits.memoryPerClient / 2;
  }

  /**
   * Lets the rest of a frame wait until the client has read answers.
   *
   * @param drop - called instead of `run` if the connection ends before the client has read
   */
  pause(run: () => void, drop: () => void, size: number): void {
    this.#waitingFrames().pause(run, drop, size);
  }

  get #unsent(): number {
    return this.#link.pieces?.unsent ?? 0;
  }

  /** Called before the connection is closed because the client makes no progress on a large frame. */
  stalled(): void {
    this.countRejection(UNREADABLE);
  }

  /** Called when the client has read some of the messages that were sent. */
  drained(): void {
    this.#waiting?.resume();
  }

  #waitingFrames(): WaitingFrames {
    const hasRead = (): boolean => this.#unsent <= this.limits.memoryPerClient / 2;
    return (this.#waiting ??= new WaitingFrames(this.memory, hasRead));
  }

  /** Holds answers back until `release`, so that the answers to one frame share a frame. */
  hold(): void {
    this.#outbox.hold();
  }

  /** Sends the answers that were held back. */
  release(): void {
    // The link counts the messages that are sent.
    for (const messages of this.#takeHeld()) if (!this.#isClosed) this.#send(messages);
    this.#waiting?.resume();
    this.#closeIfExhausted();
  }

  #closeIfExhausted(): void {
    if (this.isExhausted) {
      this.close(TOO_MANY_REQUESTS, TOO_MANY_REJECTIONS);
    }
  }

  /**
   * Replaces answers that are held back.
   *
   * @param replacement - returns another answer for the id of a call; `undefined` to keep the answer
   */
  replaceHeld(replacement: (id: number) => string | undefined): void {
    this.memory.add(this.#outbox.replace(replacement));
  }

  /** Sends an answer, in one frame with other answers of this tick. */
  queue(message: EncodedMessage): void {
    if (this.#isClosed) return;
    // `queueMicrotask` would cost several microseconds in the Workers runtime.
    if (this.#outbox.isIdle) void endOfTurn(this.#instance).then(() => this.release());
    this.#outbox.add(message);
    this.memory.add(message.length);
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

  /** True for a socket or a port, which can carry more than answers; false for a POST. */
  get isConnection(): boolean {
    return this.#link.storeState !== undefined;
  }

  /** True for a socket or a port over which a message that is sent now may still arrive. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#link.isOpen === true;
  }

  /**
   * Stores the state that is needed after hibernation: the subscriptions, and whether the client reads binary frames.
   */
  storeState(): void {
    this.#link.storeState?.({
      readsBytes: this.readsBytes,
      subscriptions: this.subscriptions.records,
    });
  }

  /**
   * Rejects a frame, or the rest of a frame.
   *
   * @param first - the first call of the frame, if no call has run; left out for the rest of a frame, or if unknown
   */
  rejectFrame(error: unknown, first?: FirstCall): void {
    this.countRejection(UNREADABLE);
    const refusal = error instanceof RpcError ? error : unavailable(error, this.#instance);
    this.queue(
      first
        ? encodeRejection(first.isResent ? refusal : withMaybeExecuted(refusal, false), first.id)
        : encodeRejection(refusal),
    );
  }

  /** Counts messages that were rejected, such as a call whose method did not run. */
  countRejection(count = 1): void {
    this.#rejections ??= rejectionCountsOf(this.#instance).of(this);
    this.#rejections.add(count, this.limits.refusals);
  }

  /** True if more messages were rejected than `limits.refusals` allows. */
  get isExhausted(): boolean {
    return this.#rejections?.isBarred === true;
  }

  /** Counts a call whose method runs. */
  countCall(): void {
    this.#rejections?.subtract();
  }

  /**
   * Reserves memory for the calls of a frame that runs. The memory that a call holds is taken from this reserve.
   *
   * @throws RpcError `LIMIT_EXCEEDED` if the object would hold too much for the client
   */
  reserve(bytes: number): void {
    this.memory.admit(bytes);
    this.#reserved = bytes;
  }

  /** Releases the part of the reserve that no call has taken. */
  endReserve(): void {
    if (this.#reserved === 0) return;
    this.memory.release(this.#reserved);
    this.#reserved = 0;
  }

  /**
   * Holds the arguments of a call or a subscription until it has ended, even if the connection ends before.
   *
   * @param isRunning - whether the call runs already, so that it cannot be rejected
   * @returns a function that releases the arguments
   * @throws RpcError `LIMIT_EXCEEDED` if the object would hold too much for the client
   */
  holdInFlight(bytes: number, isRunning = false): () => void {
    const { memory } = this;
    const ofFrame = Math.min(bytes, this.#reserved);
    this.#reserved -= ofFrame;
    if (isRunning) memory.add(bytes - ofFrame);
    else memory.admit(bytes - ofFrame);
    memory.pin(bytes);
    return () => {
      memory.pin(-bytes);
      memory.release(bytes);
    };
  }

  /** Returns whether `limits.callsPerSecond` allows one more call now. */
  mayCall(): boolean {
    const { callsPerSecond } = this.limits;
    return callsPerSecond === Infinity || (this.#rate ??= new RateLimit()).admits(callsPerSecond);
  }

  /** Takes the frames that are held back, and releases their memory. */
  #takeHeld(): ReturnType<Outbox['release']> {
    const { size } = this.#outbox;
    const frames = this.#outbox.release();
    if (size > 0) this.memory.release(size);
    return frames;
  }

  #send(messages: readonly EncodedMessage[]): void {
    const frame = frameOf(this.readsBytes ? messages : messages.map(asText));
    this.#onSent?.(frame);
    this.#link.send(frame, messages, this);
  }
}

/** Returns an error for a failure that the client did not cause: a class without SQLite cannot store a journal. */
function unavailable(cause: unknown, instance: object): RpcError {
  explanations?.printFailure(cause, instance.constructor.name);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new RpcError('UNAVAILABLE', message, { cause });
}
