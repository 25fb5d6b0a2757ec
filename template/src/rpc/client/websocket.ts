/**
 * Frames over one WebSocket at a time, with a watch over whether the other end is still there.
 * Imports failures, http, transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { FRAME_SIZE } from '../wire/limits.ts';
import { HEARTBEAT, SUBPROTOCOL } from '../wire/messages.ts';
import type { Post } from './http.ts';
import { isFinal, refusalOf } from './failures.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** What the transport needs of a WebSocket class; every runtime's own one has it. */
export interface WebSocketClass {
  new (url: string, protocols: string[]): WebSocketLike;
}

interface WebSocketLike {
  readonly bufferedAmount?: number;
  send(frame: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

export interface WebSocketOptions {
  /** Of the object's `call` path; `http:` and `https:` become `ws:` and `wss:`. */
  url: string;
  /** Offered beside the runtime's own. */
  protocols: readonly string[];
  Socket: WebSocketClass;
  /** How long connecting may take, in milliseconds. */
  connectTimeout: number;
  /** How often to see whether the other end is there, in milliseconds. */
  heartbeat: number;
  /** Asks why an upgrade failed, which a WebSocket does not tell. */
  post: Post;
}

export function webSocketTransport(options: WebSocketOptions): Transport {
  let link: Link | undefined;
  return {
    isDuplex: true,
    connect(events) {
      try {
        link = new Link(options, events);
      } catch (cause) {
        // The address or a subprotocol is none.
        events.lost(new RpcError('DISCONNECTED', String(cause), { cause }), true);
      }
    },
    send(frame) {
      link?.send(frame);
    },
    close() {
      link?.end();
    },
    isCongested() {
      return !!link?.isCongested;
    },
  };
}

/** One socket, from its making to its end. */
class Link {
  #isOpen = false;
  /** Nothing has been heard since the last heartbeat. */
  #isSilent = false;
  /** Waits for the connection first, for signs of life then. */
  #timer: ReturnType<typeof setInterval>;
  #events: TransportEvents | undefined;
  /** Ends the question why an upgrade failed. */
  #probe: AbortController | undefined;
  readonly #options: WebSocketOptions;
  readonly #socket: WebSocketLike;

  constructor(options: WebSocketOptions, events: TransportEvents) {
    const { url, protocols, Socket, connectTimeout } = options;
    this.#options = options;
    this.#events = events;
    this.#socket = new Socket(url.replace(/^http/, 'ws'), [SUBPROTOCOL, ...protocols]);
    this.#timer = setInterval(() => this.#lose('No connection'), connectTimeout);
    this.#listen('open', () => this.#open());
    this.#listen('message', ({ data }) => {
      this.#isSilent = false;
      this.#events?.received(String(data));
    });
    // A `close` event always follows an `error` event, and says more.
    this.#listen('error', () => {});
    this.#listen('close', (event) => this.#closed(event));
  }

  get isCongested(): boolean {
    return (this.#socket.bufferedAmount ?? 0) > FRAME_SIZE;
  }

  send(frame: string): void {
    this.#socket.send(frame);
  }

  /** @returns the events that nobody has been told the end to */
  end(): TransportEvents | undefined {
    const events = this.#events;
    this.#events = undefined;
    clearInterval(this.#timer);
    this.#probe?.abort();
    if (events) this.#socket.close(1000);
    return events;
  }

  #listen<Type extends keyof WebSocketEventMap>(
    type: Type,
    listener: (event: WebSocketEventMap[Type]) => void,
  ): void {
    this.#socket.addEventListener(type, listener as (event: Event) => void);
  }

  #open(): void {
    this.#isOpen = true;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#beat(), this.#options.heartbeat);
    this.#events?.opened();
  }

  #beat(): void {
    if (this.#isSilent) return this.#lose('No answer');
    this.#isSilent = true;
    this.send(HEARTBEAT);
  }

  #lose(message: string): void {
    this.end()?.lost(new RpcError('DISCONNECTED', message));
  }

  #closed({ code, reason }: { code: number; reason: string }): void {
    if (!this.#events) return;
    if (!this.#isOpen) return void this.#explain();
    // 4400 to 4499 are the statuses of HTTP that say no, moved into the range for applications.
    if (code >= 4400 && code < 4500) this.end()?.lost(refusalOf(code - 4000, reason), true);
    else this.#lose(`Connection closed: ${code} ${reason}`);
  }

  /** An upgrade failed: by a POST of an empty frame a refusal can be told from a broken network. */
  async #explain(): Promise<void> {
    let error = new RpcError('DISCONNECTED', 'No connection');
    this.#probe = new AbortController();
    try {
      await this.#options.post(HEARTBEAT, this.#probe.signal);
    } catch (refusal) {
      error = refusal as RpcError;
    }
    this.end()?.lost(error, isFinal(error));
  }
}
