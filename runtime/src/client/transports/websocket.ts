/** Sends frames over one WebSocket at a time, with heartbeats that detect a lost connection. */
import type { RpcError } from '../../wire/errors.ts';
import { FRAME_SIZE } from '../../wire/limits.ts';
import { CLIENT_ID, type Frame, HEARTBEAT, PROBE, SUBPROTOCOL } from '../../wire/messages.ts';
import { ACK, pieceJoiner, piecesOf } from '../../wire/pieces.ts';
import type { Post } from './http.ts';
import { isPermanent, connectionError, rejectionOf } from '../failures.ts';
import {
  currentValue,
  type ConnectionOptions,
  type WebSocketClass,
  type WebSocketLike,
} from '../options.ts';
import { delayOf } from '../timer.ts';
import type { Transport, TransportEvents } from '../transport.ts';

export interface WebSocketOptions extends ConnectionOptions {
  /** The URL of the object's `call` path; `http:` and `https:` become `ws:` and `wss:`. */
  url: string;
  /** Returns the client's id. */
  clientId: () => string;
  /** Sends the request that asks why an upgrade failed. A WebSocket does not report the reason. */
  post: Post;
  /** The number of intervals to wait for the reply to a heartbeat; at first 1. */
  patience: number;
}

export function webSocketTransport(options: WebSocketOptions): Transport {
  let link: Link | undefined;
  return {
    address: options.url,
    clientId: options.clientId,
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
    isCongested: () => (link as Link).waiting > FRAME_SIZE,
  };
}

/** The global object. Only a page has a document. */
interface Page {
  document?: { hidden: boolean };
}

/** A socket with the types of its events. */
type EventedSocket = Omit<WebSocketLike, 'addEventListener'> & Pick<WebSocket, 'addEventListener'>;

/** One socket, from its creation to its end. */
class Link {
  #socket: EventedSocket | undefined;
  /** The timer is at first the timeout of the attempt to connect, then the interval of the heartbeats. */
  #timer: ReturnType<typeof setInterval>;
  /** The time of `Date.now()` when the interval last fired; 0 before the connection is open. */
  #beatAt = 0;
  #idleBeats = 0;
  /** The number of times that the interval has fired since a heartbeat without a reply was sent. */
  #silence = 0;
  /** The number of bytes that were waiting to be sent when the interval last fired. */
  #waited = 0;
  #events: TransportEvents | undefined;
  /** True if half of the time to connect has passed. */
  #isLate: boolean | undefined;
  /** Asks why the upgrade has not opened a socket. */
  #ask: ((reason?: string) => void) | undefined;
  /** Aborts the request that asks. */
  readonly #probe = new AbortController();
  /** Shared with later links of the same client. */
  readonly #shared: WebSocketOptions;

  constructor(shared: WebSocketOptions, events: TransportEvents) {
    this.#shared = shared;
    this.#events = events;
    // A proxy may hold an upgrade back. Then the answer to the request that asks arrives earlier.
    this.#timer = setInterval(
      () => {
        if (this.#isLate) this.#lose();
        this.#isLate = true;
        this.#ask?.();
      },
      delayOf(shared.connectTimeout ?? 8_000) / 2,
    );
    void this.#connect(typeof shared.protocols === 'function');
  }

  /** The number of bytes that wait to be sent; 0 if the socket does not report it. */
  get waiting(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  send(frame: Frame): void {
    try {
      for (const piece of piecesOf(frame)) this.#socket?.send(piece);
    } catch (cause) {
      // In the Workers runtime a socket works only in the request that created it. The loss is reported later,
      // since the session is sending now.
      void Promise.resolve().then(() => this.#lose(cause));
    }
  }

  /** @returns the events to report the end to, unless it was reported */
  end(): TransportEvents | undefined {
    const events = this.#events;
    this.#events = this.#ask = undefined;
    clearInterval(this.#timer);
    this.#probe.abort();
    try {
      if (events) this.#socket?.close(1000);
    } catch {
      // The Workers runtime does not let a request close the socket of another request.
    }
    return events;
  }

  /** @param mayRenew - whether to connect once more after a 401, with new subprotocols */
  async #connect(mayRenew: boolean): Promise<void> {
    const {
      url,
      clientId,
      headers,
      protocols = [],
      WebSocket: Socket = globalThis.WebSocket as WebSocketClass,
    } = this.#shared;
    const heartbeat = delayOf(this.#shared.heartbeat ?? 5_000);
    let offered: string[];
    let sent: Record<string, string> | undefined;
    let socket: EventedSocket | undefined;
    try {
      offered = [SUBPROTOCOL, ...(await currentValue(protocols))];
      sent = await currentValue(headers);
    } catch (cause) {
      return this.end()?.lost(connectionError(cause, cause));
    }
    if (!this.#events) return;
    this.#ask = async (reason = `no answer from ${url}`) => {
      this.#ask = undefined;
      let error = connectionError(reason);
      try {
        await this.#shared.post(
          HEARTBEAT,
          () => ({ [PROBE]: `${offered.map(encodeURIComponent)}` }),
          this.#probe.signal,
          // With an upgrade, a browser sends its cookies to any origin.
          'include',
        );
      } catch (refusal) {
        error = refusal as RpcError;
      }
      // The socket may have opened meanwhile.
      if (this.#beatAt) return;
      if (!mayRenew || error.status !== 401) return this.end()?.lost(error, isPermanent(error));
      this.#socket = undefined;
      socket?.close();
      return this.#connect(false);
    };
    try {
      offered.push(`${CLIENT_ID}.${clientId()}`);
      socket = this.#socket = new Socket(url.replace(/^http/, 'ws'), offered, {
        headers: sent,
      }) as EventedSocket;
      socket.binaryType = 'arraybuffer';
    } catch {
      // The server explains the problem: a subprotocol that cannot be offered, or a feature that the engine lacks.
      return this.#ask();
    }
    socket.addEventListener('open', () => {
      if (!this.#events) return;
      clearInterval(this.#timer);
      this.#ask = undefined;
      this.#beatAt = Date.now();
      this.#timer = setInterval(() => this.#beat(heartbeat), heartbeat);
      this.#events.opened();
    });
    const join = pieceJoiner((acknowledgement) => this.send(acknowledgement));
    socket.addEventListener('message', ({ data }) => {
      this.#silence = 0;
      const frame = join(data);
      // A heartbeat or an acknowledgement also arrives over a link on which the next answer takes longer than an
      // interval.
      if (frame && frame !== HEARTBEAT && frame !== ACK) this.#shared.patience = 1;
      if (frame) this.#events?.received(frame);
    });
    // No `close` event follows if a page's Content Security Policy has blocked the upgrade.
    socket.addEventListener('error', () => this.#ask?.());
    socket.addEventListener('close', ({ code, reason }) => {
      if (socket !== this.#socket) return;
      // The close codes 4400 to 4499 mean the HTTP statuses 400 to 499.
      if (code >= 4400 && code < 4500)
        this.end()?.lost(rejectionOf(code - 4000, reason, url), true);
      else {
        const problem = `Connection closed: ${code} ${reason}`;
        if (this.#beatAt) this.#lose(problem);
        else this.#ask?.(problem);
      }
    });
  }

  #beat(heartbeat: number): void {
    const now = Date.now();
    // A late timer means that the machine was asleep, except in a hidden page, where Chrome fires timers once a minute.
    const isLate = !(globalThis as Page).document?.hidden && now > this.#beatAt + heartbeat + 5_000;
    this.#beatAt = now;
    // This is true if fewer bytes are waiting than when the interval last fired.
    const isLeaving = this.#waited > (this.#waited = this.waiting);
    const isAwaiting = this.#events?.isAwaiting();
    // Data that is still being sent delays the heartbeat.
    if (isAwaiting ? isLeaving && !isLate : ++this.#idleBeats % 3) return;
    if ((isAwaiting && isLate) || this.#silence >= this.#shared.patience) {
      // The client waits two minutes at most.
      this.#shared.patience = Math.min(2 * this.#shared.patience, 120_000 / heartbeat);
      return this.#lose();
    }
    if (this.#silence++ === 0) this.send(HEARTBEAT);
  }

  #lose(reason: unknown = `no answer from ${this.#shared.url}`): void {
    this.end()?.lost(connectionError(reason));
  }
}
