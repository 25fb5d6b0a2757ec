/** The other end of a connection, as the object sees it. Imports limits, outbox, peer-log and wire/. */
import { frameOf, type Said, type Write, writeWithBytes } from '../wire/bytes.ts';
import { withoutBytes } from '../wire/bytes-as-text.ts';
import { RpcError } from '../wire/errors.ts';
import { encodeRefusal, type Frame } from '../wire/messages.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { Outbox } from './outbox.ts';
import { harmless, type PeerLog } from './peer-log.ts';

/** What a client has subscribed to; `record` says it in a form that can be kept. */
export interface Subscribed {
  readonly record: readonly unknown[];
}

/** Who the other end is. Kept with the socket, so that it outlives hibernation. */
export interface PeerIdentity {
  /** What the router's hook said of the caller. */
  caller?: unknown;
  /** Who that is, as text. */
  owner?: string | undefined;
  /** The client's id, by which the journal knows it. */
  client?: string | undefined;
  /** Whether it reads binary frames. */
  readsBytes?: boolean;
  /** What it has subscribed to. */
  subscriptions?: readonly Subscribed['record'][];
}

/** A client's id has 32 characters or so; a longer one than this would make too long a key. */
const MAX_CLIENT_LENGTH = 100;

/** The id that a client sent, unless it can be nobody's. */
export function clientIdOf(sent: string | null | undefined): string | undefined {
  return sent && sent.length <= MAX_CLIENT_LENGTH ? sent : undefined;
}

export interface RunningCall {
  readonly answer: Promise<Said>;
  /** Whether the client still waits for it. */
  isAwaited: boolean;
}

/** What a frame came by, and its answers go back to. */
export interface Link {
  send(frame: Frame): void;
  /** Ends the connection, if it is more than one exchange. */
  close?(code: number, reason: string): void;
  /** Whether what is sent by a connection may still arrive. */
  readonly isOpen?: boolean;
  /** Keeps with the connection what is known of it. */
  keep?(known: Pick<PeerIdentity, 'readsBytes' | 'subscriptions'>): void;
}

/** Refused messages from which on a client's frames wait until the others had their turn. */
const PATIENCE = 100;

/** How many frames may wait: beyond that the client is held up by the first of them. */
const MAX_WAITING = 8;

/** How many refused messages a frame counts for that cannot be read: no client of ours sends one. */
const UNREADABLE = 10;

/** The close code that a client takes for the status 429. */
const TOO_MANY_REQUESTS = 4429;

/** A socket, or one POST. */
export class Peer {
  readonly caller: unknown;
  readonly owner: string | undefined;
  readonly client: string | undefined;
  /** The calls that are running. */
  readonly running = new Map<number, RunningCall>();
  /** What it had subscribed to when the object hibernated, until there is something newer. */
  kept: readonly Subscribed['record'][];
  /** What it has subscribed to, by the client's numbers. */
  readonly subscriptions = new Map<number, Subscribed>();
  limits: Limits = DEFAULT_LIMITS;
  /** Answers that have not been sent. */
  readonly #outbox = new Outbox();
  #holding = false;
  #log: PeerLog | undefined;
  #isClosed = false;
  /** Whether the client reads binary frames. */
  readsBytes: boolean;
  /** How many messages more were refused than calls have been made. */
  #refused = 0;
  /** How many calls may be made at once, and when that was so, on the clock of `Date.now()`. */
  #tokens = Infinity;
  #refilled = 0;
  /** What deals with the frames that wait, in their order. */
  readonly #waiting: (() => void)[] = [];
  readonly #link: Link;

  constructor({ caller, owner, client, readsBytes, subscriptions }: PeerIdentity, link: Link) {
    this.caller = caller;
    this.owner = owner;
    this.client = client;
    this.kept = subscriptions ?? [];
    this.readsBytes = readsBytes ?? false;
    this.#link = link;
  }

  /** Whether the connection has ended; what still arrives, or waits, is not looked at. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes note that the client has gone. */
  leave(): void {
    this.#isClosed = true;
  }

  /** Ends the connection. */
  close(code: number, reason: string): void {
    this.#isClosed = true;
    this.#link.close?.(code, reason);
  }

  /** The log of the connection, made when it is first asked for. */
  logWith(make: (peer: Peer, instance: object) => PeerLog, instance: object): PeerLog {
    this.#log ??= harmless(() => make(this, instance));
    return this.#log;
  }

  /**
   * Deals with a frame: at once, or if the client goes on with what is refused, when the others have
   * had their turn. While the next frame of one socket is there before the last is done, the Workers
   * runtime reads no other; it does before a timer goes off.
   *
   * @returns a promise of the end, unless it is dealt with at once
   */
  inTurn(run: () => void): Promise<void> | undefined {
    const waiting = this.#waiting;
    if (this.#refused < PATIENCE && waiting.length === 0) {
      run();
      return undefined;
    }
    waiting.push(run);
    if (waiting.length <= MAX_WAITING) {
      return new Promise((resolve) => setTimeout(resolve)).then(() => this.#deal(1));
    }
    this.#deal(waiting.length);
    return undefined;
  }

  /** Keeps answers back until `release`, so that those of one frame leave in one frame. */
  hold(): void {
    this.#holding = true;
  }

  /** Sends what has been kept back. */
  release(): void {
    this.#holding = false;
    for (const messages of this.#outbox.take()) this.#send(messages);
    if (this.#refused >= this.limits.refusals) {
      this.close(TOO_MANY_REQUESTS, 'Too many rejected messages: see limits.refusals');
    }
  }

  /** Sends an answer, together with others of the same tick. */
  answer(message: Said): void {
    // Not queueMicrotask, which costs several microseconds in the Workers runtime.
    if (this.#outbox.isEmpty && !this.#holding) void Promise.resolve().then(() => this.release());
    // A POST has one answer, however long it is.
    this.#outbox.add(message, !this.#link.close);
  }

  /** Sends what answers nothing: at once, or after the answers that are being kept back. */
  push(message: Said): void {
    if (this.#outbox.isEmpty && !this.#holding) this.#send([message]);
    else this.answer(message);
  }

  /** Takes note that the client reads binary frames. */
  readBytes(): void {
    this.readsBytes = true;
    this.#keep();
  }

  /** Writes a message, with bytes beside its text for a client that reads them. */
  readonly write: Write = (encode, referenceOf) =>
    this.readsBytes ? writeWithBytes(encode, referenceOf) : encode(referenceOf);

  /** Whether it is a connection, so that more can be sent than answers. */
  get isConnection(): boolean {
    return this.#link.keep !== undefined;
  }

  /** Whether it is one, and something that is sent may still arrive. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#link.isOpen === true;
  }

  /** Keeps the subscriptions with the connection, for the time after hibernation. */
  keepSubscriptions(): void {
    this.kept = [];
    this.#keep();
  }

  /** Says that a frame, or the rest of it, is not looked at. */
  refuseFrame(error: unknown): void {
    this.#refused += UNREADABLE;
    this.answer(encodeRefusal(error instanceof RpcError ? error : unavailable(error)));
  }

  /** Counts a call that was refused before its method ran. */
  countRefusal(): void {
    this.#refused++;
  }

  /** Counts a call whose method runs. */
  countCall(): void {
    if (this.#refused > 0) this.#refused--;
  }

  /** Whether `limits.callsPerSecond` allows one more call now. */
  mayCall(): boolean {
    const { callsPerSecond } = this.limits;
    if (callsPerSecond === Infinity) return true;
    const now = Date.now();
    const added = (Math.max(now - this.#refilled, 0) / 1000) * callsPerSecond;
    this.#tokens = Math.min(this.#tokens + added, callsPerSecond);
    this.#refilled = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #deal(frames: number): void {
    for (const run of this.#waiting.splice(0, frames)) if (!this.#isClosed) run();
  }

  #keep(): void {
    const { readsBytes, kept } = this;
    const records = Array.from(this.subscriptions.values(), ({ record }) => record);
    this.#link.keep?.({ readsBytes, subscriptions: kept.length > 0 ? kept : records });
  }

  #send(messages: readonly Said[]): void {
    const frame = frameOf(this.readsBytes ? messages : messages.map(withoutBytes));
    this.#log?.down(frame);
    this.#link.send(frame);
  }
}

/** What is not the client's fault: a class without SQLite, for one, has no place for a journal. */
function unavailable(cause: unknown): RpcError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new RpcError('UNAVAILABLE', message, { cause });
}
