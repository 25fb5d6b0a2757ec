/**
 * Keeps a transport connected: connects when asked to, again after a loss with growing and random
 * delays, and not again after a refusal. Imports transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import type { Transport } from './transport.ts';

export type ConnectionState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** What is known of a change of state. */
export interface StateDetail {
  /** With `reconnecting`: how many attempts have failed since the connection was last open. */
  attempt?: number;
  /** With `reconnecting`: until the next attempt, in milliseconds. */
  delay?: number;
  /** With `reconnecting` and `closed`: why, in words. */
  reason?: string;
  /** With `reconnecting` and `closed`: why. */
  error?: RpcError;
}

export interface ReconnectOptions {
  /** The longest first delay, in milliseconds; it doubles with each attempt. Default 100. */
  minDelay?: number;
  /** The longest delay, in milliseconds. Default 10 000. */
  maxDelay?: number;
}

export interface ConnectionEvents {
  opened(): void;
  received(frame: string): void;
  /** @param isFinal - no further attempt follows */
  lost(error: RpcError, isFinal: boolean): void;
  changed(state: ConnectionState, detail: StateDetail): void;
}

const HOPEFUL = ['online', 'visibilitychange'];

/** Events of a page; elsewhere there are none. */
const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;

export class Connection {
  #state: ConnectionState | 'idle' = 'idle';
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #retry = (): void => this.#connect();
  readonly #transport: Transport;
  readonly #reconnect: ReconnectOptions | false;
  readonly #events: ConnectionEvents;

  constructor(transport: Transport, reconnect: ReconnectOptions | false, events: ConnectionEvents) {
    this.#transport = transport;
    this.#reconnect = reconnect;
    this.#events = events;
  }

  get state(): ConnectionState | 'idle' {
    return this.#state;
  }

  get isCongested(): boolean {
    return !!this.#transport.isCongested?.();
  }

  /** Whether frames can be sent that nobody answers. */
  get isDuplex(): boolean {
    return !!this.#transport.isDuplex && this.#state === 'open';
  }

  /** Connects, unless that is under way. */
  open(): void {
    if (this.#state === 'idle') this.#connect();
  }

  send(frame: string): void {
    this.#transport.send(frame);
  }

  close(error: RpcError): void {
    this.#stopWaiting();
    this.#transport.close();
    this.#change('closed', { reason: error.message, error });
  }

  #connect(): void {
    this.#stopWaiting();
    if (this.#attempt === 0) this.#change('connecting');
    this.#transport.connect({
      opened: () => {
        this.#change('open');
        this.#events.opened();
      },
      received: (frame) => {
        this.#attempt = 0;
        this.#events.received(frame);
      },
      lost: (error, isRefusal) => this.#lose(error, isRefusal),
    });
  }

  #lose(error: RpcError, isRefusal?: boolean): void {
    const reason = error.message;
    if (isRefusal || this.#reconnect === false) {
      this.#change('closed', { reason, error });
      // Without reconnection the next call may try again; after a refusal it may not.
      if (!isRefusal) this.#state = 'idle';
      return this.#events.lost(error, true);
    }
    const { minDelay = 100, maxDelay = 10_000 } = this.#reconnect;
    // Random, so that many clients that lost one server do not come back all at once.
    const delay = Math.random() * Math.min(maxDelay, minDelay * 2 ** this.#attempt++);
    this.#change('reconnecting', { attempt: this.#attempt, delay, reason, error });
    this.#timer = setTimeout(this.#retry, delay);
    // A browser knows when trying again makes sense.
    for (const type of HOPEFUL) page.addEventListener?.(type, this.#retry);
    this.#events.lost(error, false);
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer as never);
    for (const type of HOPEFUL) page.removeEventListener?.(type, this.#retry);
  }

  #change(state: ConnectionState, detail: StateDetail = {}): void {
    if (this.#state === 'closed') return;
    this.#state = state;
    this.#events.changed(state, detail);
  }
}
