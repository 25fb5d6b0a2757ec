/**
 * Frames over one WebSocket at a time, with a watch over whether the other end is still there.
 * Imports failures, http, options, transport and wire/.
 */
import type { RpcError } from '../wire/errors.ts';
import { FRAME_SIZE } from '../wire/limits.ts';
import { CLIENT_ID, type Frame, HEARTBEAT, PROBE, SUBPROTOCOL } from '../wire/messages.ts';
import type { Post } from './http.ts';
import { isFinal, lostBy, refusalOf } from './failures.ts';
import {
  current,
  type ConnectionOptions,
  type WebSocketClass,
  type WebSocketLike,
} from './options.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** A timer that goes off so much too late, in milliseconds, does so on a machine that slept. */
const LATE = 5_000;

/** How long a heartbeat's answer is waited for at most, in milliseconds. */
const MAX_PATIENCE = 120_000;

export interface WebSocketOptions extends ConnectionOptions {
  /** Of the object's `call` path; `http:` and `https:` become `ws:` and `wss:`. */
  url: string;
  /** Gives the client's id. */
  clientId: () => string;
  /** Asks why an upgrade failed, which a WebSocket does not tell. */
  post: Post;
  /** How many heartbeats may come due before one of them is answered; 1 at first. */
  patience: number;
}

export function webSocketTransport(options: WebSocketOptions): Transport {
  let link: Link | undefined;
  return {
    address: options.url,
    isDuplex: true,
    connect(events) {
      link = new Link(options, events);
    },
    send(frame) {
      link?.send(frame);
    },
    close() {
      link?.end();
    },
    isCongested: () => (link?.waiting ?? 0) > FRAME_SIZE,
  };
}

/** One socket, from its making to its end. */
class Link {
  #socket: WebSocketLike | undefined;
  /** Waits for the connection first, for signs of life then. */
  #timer: ReturnType<typeof setInterval>;
  /** When it went off last, on the clock of `Date.now()`. */
  #beatAt = 0;
  #idleBeats = 0;
  /** How often it has gone off since a heartbeat left that has no answer yet. */
  #silence = 0;
  /** How much was waiting to be sent then, in bytes. */
  #waited = 0;
  #events: TransportEvents | undefined;
  /** Ends the question why an upgrade failed. */
  readonly #probe = new AbortController();
  /** For this link and those that follow it. */
  readonly #shared: WebSocketOptions;

  constructor(shared: WebSocketOptions, events: TransportEvents) {
    const { connectTimeout = 10_000, protocols } = shared;
    this.#shared = shared;
    this.#events = events;
    this.#timer = setInterval(() => this.#lose('Cannot connect'), connectTimeout);
    void this.#connect(typeof protocols === 'function');
  }

  /** In bytes, where the socket tells. */
  get waiting(): number | undefined {
    return this.#socket?.bufferedAmount;
  }

  send(frame: Frame): void {
    try {
      this.#socket?.send(frame);
    } catch (cause) {
      // In the Workers runtime a socket works for no request but the one that made it. Told later,
      // since the session is at work now.
      queueMicrotask(() => this.#lose(cause));
    }
  }

  /** @returns the events that nobody has been told the end to */
  end(): TransportEvents | undefined {
    const events = this.#events;
    this.#events = undefined;
    clearInterval(this.#timer);
    this.#probe.abort();
    try {
      if (events) this.#socket?.close(1000);
    } catch {
      // It belongs to another request.
    }
    return events;
  }

  /** @param mayRenew - whether to ask for other subprotocols after a 401 */
  async #connect(mayRenew: boolean): Promise<void> {
    const { url, clientId, protocols = [], heartbeat = 5_000 } = this.#shared;
    const { WebSocket: Socket = globalThis.WebSocket as WebSocketClass } = this.#shared;
    let offered: string[] | undefined;
    try {
      offered = await current(protocols);
      if (!this.#events) return;
      const all = [SUBPROTOCOL, `${CLIENT_ID}.${clientId()}`, ...offered];
      this.#socket = new Socket(url.replace(/^http/, 'ws'), all);
      this.#socket.binaryType = 'arraybuffer';
    } catch (cause) {
      // An address or a subprotocol that is none will be no better next time.
      return this.end()?.lost(lostBy(cause, cause), !!offered);
    }
    const more = offered.join(', ');
    this.#listen('open', () => {
      if (!this.#events) return;
      clearInterval(this.#timer);
      this.#beatAt = Date.now();
      this.#timer = setInterval(() => this.#beat(heartbeat), heartbeat);
      this.#events.opened();
    });
    this.#listen('message', ({ data }) => {
      this.#shared.patience = 1;
      this.#silence = 0;
      this.#events?.received(data as Frame);
    });
    // A `close` event always follows an `error` event, and says more.
    this.#listen('error', () => {});
    this.#listen('close', (event) => void this.#closed(event, more, mayRenew));
  }

  #listen<Type extends keyof WebSocketEventMap>(
    type: Type,
    listener: (event: WebSocketEventMap[Type]) => void,
  ): void {
    this.#socket?.addEventListener(type, listener as (event: Event) => void);
  }

  #beat(heartbeat: number): void {
    const now = Date.now();
    const isLate = now > this.#beatAt + heartbeat + LATE;
    this.#beatAt = now;
    // Less is waiting than when it went off last.
    const isLeaving = this.#waited > (this.#waited = this.waiting ?? 0);
    const isAwaiting = this.#events?.isAwaiting();
    // What is still leaving holds the heartbeat up.
    if (isAwaiting ? isLeaving && !isLate : ++this.#idleBeats % 3) return;
    if ((isAwaiting && isLate) || this.#silence >= this.#shared.patience) {
      this.#shared.patience = Math.min(2 * this.#shared.patience, MAX_PATIENCE / heartbeat);
      return this.#lose('no answer');
    }
    if (this.#silence++ === 0) this.send(HEARTBEAT);
  }

  #lose(reason: unknown): void {
    this.end()?.lost(lostBy(reason));
  }

  async #closed({ code, reason }: CloseEvent, offered: string, mayRenew: boolean): Promise<void> {
    if (!this.#events) return;
    let error = lostBy(`Connection closed: ${code} ${reason}`);
    // 4400 to 4499 are the statuses of HTTP that say no, moved into the range for applications.
    const isMeant = code >= 4400 && code < 4500;
    if (isMeant) error = refusalOf(code - 4000, reason);
    else if (this.#beatAt === 0) {
      // An upgrade failed: by a POST of an empty frame a refusal can be told from a broken network.
      try {
        await this.#shared.post(HEARTBEAT, { [PROBE]: offered }, this.#probe.signal);
      } catch (refusal) {
        error = refusal as RpcError;
      }
      if (mayRenew && error.status === 401) return this.#connect(false);
    }
    this.end()?.lost(error, isMeant || isFinal(error));
  }
}
