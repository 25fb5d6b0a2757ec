/**
 * Keeps a transport connected: connects when asked to, again after a loss with growing and random
 * delays, and not again after a refusal that lasts. What arrives is read here, once for all who listen.
 * Imports options, transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { readFrame } from '../wire/messages.ts';
import type { ConnectionState, ReconnectOptions, StateDetail } from './options.ts';
import type { Transport } from './transport.ts';

export interface ConnectionEvents {
  opened(): void;
  /** @param messages - of one frame; who listens before others passes on those that are not its own */
  received(messages: unknown[][]): void;
  /**
   * @param error - left out when a further attempt follows
   * @param isFinal - none will, unless it is asked for
   */
  lost(error?: RpcError, isFinal?: boolean): void;
  /** Whether anything is to come. */
  isAwaiting(): boolean;
  /** May throw. */
  changed: ((state: ConnectionState, detail: StateDetail) => void) | undefined;
}

/** How long a client that was let in before goes on trying to come back, in milliseconds. */
const REFUSAL_TIME = 5_000;

/** Addresses of a Worker that runs on the developer's machine. */
const LOCAL = /\/\/(localhost|127\.|\[::1)/;

const HOPEFUL = ['online', 'visibilitychange'];

/** Events of a page; elsewhere there are none. */
const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;

export class Connection {
  #state: ConnectionState | 'idle' = 'idle';
  #attempt = 0;
  /** How the last attempt failed, if the object has not been heard since. */
  failure: RpcError | undefined;
  /** Until when a refusal may be one that passes, on the clock of `performance.now()`. */
  #hopefulUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #retry = (): void => this.#connect();
  readonly #transport: Transport;
  readonly #reconnect: ReconnectOptions | false;
  readonly events: ConnectionEvents;
  /** Gives the messages of a frame; nothing for what is none. */
  read = readFrame;

  constructor(
    transport: Transport,
    reconnect: ReconnectOptions | false = {},
    events: ConnectionEvents,
  ) {
    this.#transport = transport;
    this.#reconnect = reconnect;
    this.events = events;
  }

  get state(): ConnectionState | 'idle' {
    return this.#state;
  }

  /** Whether frames can be sent that nobody answers. */
  get isDuplex(): boolean {
    return !!this.#transport.isDuplex && this.#state === 'open';
  }

  /** Where an answer was to come from, and how the last attempt to get one failed. */
  get trouble(): string {
    const tried = this.#attempt ? `, attempt ${this.#attempt}: ${this.failure?.message}` : '';
    return `no answer from ${this.#transport.address}${tried}`;
  }

  /** Connects, unless that is under way. */
  open(): void {
    if (this.#state === 'idle') this.#connect();
  }

  /** Connects anew, at once. */
  reopen(): void {
    this.#transport.close();
    this.#state = 'idle';
    this.#attempt = 0;
    this.#connect();
  }

  close(error: RpcError): void {
    this.#stopWaiting();
    // While something can still be said: that streams are to end.
    this.#end(error, true);
    this.#transport.close();
  }

  #connect(): void {
    this.#stopWaiting();
    if (this.#attempt === 0) this.#change('connecting');
    // Whoever was told may have closed it.
    if (this.#state === 'closed') return;
    this.#transport.connect({
      isAwaiting: () => this.events.isAwaiting(),
      opened: () => {
        this.#change('open');
        if (this.isDuplex) this.#hopefulUntil = Infinity;
        this.events.opened();
      },
      received: (frame) => {
        this.#attempt = 0;
        this.failure = undefined;
        this.#hopefulUntil = Infinity;
        // The class may send what it likes to all its sockets.
        this.events.received(this.read(frame) ?? []);
      },
      lost: (error, isRefusal) => this.#lose(error, isRefusal),
    });
  }

  #lose(error: RpcError, isRefusal?: boolean): void {
    const now = performance.now();
    // It may last but a moment, as while somebody deploys. A client that was let in before waits for
    // that; and what closes an open socket means it.
    if (isRefusal) this.#hopefulUntil = Math.min(this.#hopefulUntil, now + REFUSAL_TIME);
    const isFinal = !!isRefusal && (this.isDuplex || now >= this.#hopefulUntil);
    if (isFinal || !this.#reconnect) return this.#end(error, isFinal);
    const { minDelay = 100, maxDelay = 10_000 } = this.#reconnect;
    // Random, so that many clients that lost one server do not come back all at once.
    const delay = Math.random() * Math.min(maxDelay, minDelay * 2 ** this.#attempt++);
    this.#timer = setTimeout(this.#retry, delay);
    // A browser knows when trying again makes sense.
    for (const type of HOPEFUL) page.addEventListener?.(type, this.#retry);
    this.failure = error;
    // In development mostly because nothing listens there, or not this Worker.
    if (this.#attempt === 1 && !this.#hopefulUntil && LOCAL.test(this.#transport.address)) {
      console.warn(this.trouble);
    }
    this.events.lost();
    this.#change('reconnecting', { attempt: this.#attempt, delay, reason: error.message, error });
  }

  /** @param isFinal - or else the next call may try again */
  #end(error: RpcError, isFinal: boolean): void {
    this.events.lost(error, isFinal);
    this.#change('closed', { reason: error.message, error });
    if (!isFinal && this.#state === 'closed') this.#state = 'idle';
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer as never);
    for (const type of HOPEFUL) page.removeEventListener?.(type, this.#retry);
  }

  #change(state: ConnectionState, detail: StateDetail = {}): void {
    if (this.#state === 'closed') return;
    this.#state = state;
    try {
      this.events.changed?.(state, detail);
    } catch (error) {
      (globalThis.reportError ?? console.error)(error);
    }
  }
}
