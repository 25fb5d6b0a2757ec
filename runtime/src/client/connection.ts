/**
 * Keeps a transport connected. It connects on request, and reconnects after a loss, with random delays that grow. It
 * stops after a permanent rejection. It decodes each frame once, for all listeners.
 */
import { RpcError } from '../wire/errors.ts';
import { type Frame, parseFrame } from '../wire/messages.ts';
import type { ReceivedFrame } from '../wire/pieces.ts';
import { FAILED_STATUS } from '../wire/status.ts';
import type { ConnectionState, ReconnectOptions, ConnectionDetails } from './options.ts';
import { delayOf } from './timer.ts';
import type { Transport, TransportEvents } from './transport.ts';

export interface ConnectionEvents {
  opened(): void;
  /**
   * @param messages - the messages of one frame. A module that replaces this listener passes on the messages that it
   * does not handle.
   */
  received(messages: unknown[][]): void;
  /**
   * @param error - the reason why the client is closed; left out when another attempt follows
   * @param isFinal - whether later calls fail too, until `reconnect()`
   * @param unread - the frame that the server has rejected: see `TransportEvents`
   * @param fruitless - the error of the last attempt to connect, if calls are rejected and do not wait for another attempt
   */
  lost(error?: RpcError, isFinal?: boolean, unread?: Frame | false, fruitless?: RpcError): void;
  /** Returns whether the client waits for messages. */
  isAwaiting(): boolean;
  /** This function is called at every change of the state. It may throw. */
  changed: ((state: ConnectionState, detail: ConnectionDetails) => void) | undefined;
}

/** Events of a page after which a new attempt may succeed. */
const HOPEFUL = ['online', 'visibilitychange'];

/** The time that calls wait for the first connection of a client, in milliseconds. */
const FIRST_CONNECTION = 8_000;

/** The global object. It has events only in a page. */
const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;

export class Connection implements TransportEvents {
  /** The state is `undefined` until there is something to send. Only this class sets it. */
  declare state: ConnectionState | undefined;
  #attempt = 0;
  /** The error of the last attempt, until a frame arrives or `reopen` is called. */
  declare failure: RpcError | undefined;
  /** The time until which a rejection may be temporary, in the time of `performance.now()`. */
  #hopefulUntil = 0;
  /** The time until which calls wait for the first connection, in the time of `performance.now()`. */
  #patientUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #transport: Transport;
  readonly #reconnect: ReconnectOptions | false;
  readonly #events: ConnectionEvents;
  /** Returns the messages of a frame, or `undefined` for a malformed frame. */
  read = parseFrame as (frame: ReceivedFrame) => unknown[][] | undefined;

  constructor(
    transport: Transport,
    reconnect: ReconnectOptions | false = {},
    events: ConnectionEvents,
  ) {
    this.#transport = transport;
    this.#reconnect = reconnect;
    this.#events = events;
  }

  /** Returns whether frames that need no answer can be sent now. */
  get isDuplex(): boolean {
    return !!this.#transport.isDuplex && this.state === 'open';
  }

  /** Connects if the connection is idle. */
  open(): void {
    if (!this.state) this.#connect();
  }

  /** Opens a new connection at once. */
  reopen(): void {
    this.#transport.close();
    this.state = undefined;
    this.#attempt = 0;
    this.failure = undefined;
    this.#connect();
  }

  close(error: RpcError): void {
    this.#stopWaiting();
    // Listeners are called before the transport closes, so that they can still send the end of streams.
    this.#end(error, true);
    this.#transport.close();
  }

  readonly #connect = (): void => {
    this.#stopWaiting();
    if (this.#attempt === 0) {
      this.#patientUntil = performance.now() + FIRST_CONNECTION;
      this.#change('connecting');
    }
    // The listener may have closed the client.
    if (this.state === 'closed') return;
    this.#transport.connect(this);
  };

  opened = (): void => {
    this.#change('open');
    if (this.isDuplex) this.#hopefulUntil = Infinity;
    this.#events.opened();
  };

  received = (frame: ReceivedFrame): boolean => {
    const messages = this.read(frame);
    // Over a socket, other frames are ignored: the class may send messages of its own to all its sockets.
    if (!messages) return false;
    this.#attempt = 0;
    this.failure = undefined;
    this.#hopefulUntil = Infinity;
    this.#events.received(messages);
    return true;
  };

  isAwaiting = (): boolean => this.#events.isAwaiting();

  lost = (error: RpcError, isRefusal?: boolean, unread?: Frame | false): void => {
    const now = performance.now();
    // A rejection can be temporary, for example during a deployment. A client that was connected before tries
    // again for five seconds. A rejection that closes an open socket is final.
    if (isRefusal) this.#hopefulUntil = Math.min(this.#hopefulUntil, now + 5_000);
    const isFinal = isRefusal && (this.isDuplex || now >= this.#hopefulUntil);
    if (isFinal || !this.#reconnect) return this.#end(error, isFinal, unread);
    const { minDelay = 100, maxDelay = 10_000 } = this.#reconnect;
    // The delay is random, so that clients that lost the same server do not all reconnect at once.
    const delay =
      Math.random() * Math.min(delayOf(maxDelay), delayOf(minDelay) * 2 ** this.#attempt++);
    this.#timer = setTimeout(this.#connect, delay);
    // A browser reports when a new attempt makes sense.
    for (const type of HOPEFUL) page.addEventListener?.(type, this.#connect);
    this.failure = error;
    const { since } = this.#transport;
    // When a Worker runs locally, its router reports an object that cannot be created. The first such answer does not
    // count, because it may be about an object that a method has broken.
    const isHopeless = error.status === FAILED_STATUS && this.#attempt > 1;
    // Calls of a durable delivery wait for their whole timeout, because only an answer tells whether they ran.
    const waits =
      since || (!isHopeless && (this.#hopefulUntil || now + delay < this.#patientUntil));
    this.#events.lost(undefined, false, unread, waits ? undefined : error);
    this.#change('reconnecting', { attempt: this.#attempt, delay, reason: error.message, error });
  };

  /** @param isFinal - false if the next call may connect again */
  #end(error: RpcError, isFinal: boolean | undefined, unread?: Frame | false): void {
    this.#events.lost(error, isFinal, unread);
    this.#change('closed', { reason: error.message, error });
    if (!isFinal && this.state === 'closed') this.state = undefined;
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer as never);
    for (const type of HOPEFUL) page.removeEventListener?.(type, this.#connect);
  }

  #change(state: ConnectionState, detail: ConnectionDetails = {}): void {
    if (this.state === 'closed') return;
    this.state = state;
    try {
      this.#events.changed?.(state, detail);
    } catch (error) {
      (globalThis.reportError ?? console.error)(error);
    }
  }
}
