/**
 * Frames to a Durable Object through its binding, from a Worker or from another object. The requests are like the
 * requests that the router sends, without a network in between. A bundle contains this file only if you import it.
 */
import { CALLER_FIELD, withIdentity } from '../../wire/caller.ts';
import { CALL_SEGMENT, type Frame } from '../../wire/messages.ts';
import { httpTransport, createPost } from './http.ts';
import type { WebSocketClass } from '../options.ts';
import type { Transport } from '../transport.ts';
import { webSocketTransport } from './websocket.ts';

/** The members that a stub must have. `env.COUNTER.getByName('my-counter')` returns such a stub. */
export interface Stub {
  readonly name?: string | undefined;
  readonly id?: { toString(): string } | undefined;
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** The data that a program stores about calls that must run once, even if the program is stopped meanwhile. */
export interface DeliveryOptions {
  /**
   * The client's id in the object's journal: up to 100 hex digits and hyphens, as `crypto.randomUUID()` returns them.
   * Store it together with the intent to call, and use it for nothing else.
   */
  id: string;
  /**
   * The time of the first attempt, from `Date.now()`. Store it before the attempt. The object runs a call that is older
   * than half an hour only if its journal has the id.
   */
  since: number;
}

/** The options of `bindingTransport`. */
export interface BindingOptions {
  /**
   * Opens a WebSocket, which subscriptions and callbacks need. The socket belongs to the request that opened it. An
   * object that opens such a socket stays awake, and is billed, as long as the socket is open. With `false`, each frame
   * is a POST. Default false.
   */
  socket?: boolean | undefined;
  /**
   * The value that `currentCaller()` returns in the object: JSON data of at most 2 000 characters. A Worker that has
   * the binding can name any user. Default: `undefined`.
   */
  caller?: unknown;
  /**
   * Repeats calls that may have been made before the program was stopped. Make the same calls in the same order, in one
   * tick. Each call runs once among all clients with this `id`.
   */
  delivery?: DeliveryOptions | undefined;
}

/**
 * Creates a transport to a Durable Object through its binding. Pass it to `createRpcClient` as `transport`. The binding
 * and the instance are then only names for messages. The calls of one tick are one request. After a failure, the
 * request is sent again, and each call runs once.
 *
 * @param stub - the object's stub, or a function that returns a new one for each request. A stub stays broken
 *   after its object was stopped, so pass a function for calls that must survive that.
 * @param options - `socket`, true for a WebSocket; `caller`; `delivery`, which repeats the calls of an earlier run: see
 *   `BindingOptions`. Default: none.
 * @throws RangeError for a caller that is too large
 * @example
 * const counter = createRpcClient<Counter>('COUNTER', 'x', {
 *   transport: bindingTransport(() => env.COUNTER.getByName('x')),
 * });
 */
export function bindingTransport(
  stub: Stub | (() => Stub),
  { socket, caller, delivery }: BindingOptions = {},
): Transport {
  const stubNow = (): Stub => (typeof stub === 'function' ? stub() : stub);
  const own = caller === undefined ? {} : { cf: { [CALLER_FIELD]: withIdentity(caller) } };
  const send = (url: string, init: RequestInit): Promise<Response> =>
    stubNow().fetch(url, { ...init, ...own });
  let id = delivery?.id;
  const clientId = (): string => (id ??= crypto.randomUUID());
  // The object ignores all segments but the last. The name is for messages. The id gives clients of different objects
  // different addresses.
  const { name, id: object } = stubNow();
  const parts = ['https://object', name && encodeURIComponent(name), object, CALL_SEGMENT];
  const url = parts.filter(Boolean).join('/');
  const post = createPost(url, { fetch: send as typeof fetch });
  const transport = socket
    ? webSocketTransport({ url, clientId, post, patience: 1, WebSocket: socketsBy(send) })
    : httpTransport(url, post, clientId);
  return { ...transport, since: delivery?.since };
}

/** Returns a WebSocket class that sends its upgrade request through a binding. */
function socketsBy(send: (url: string, init: RequestInit) => Promise<Response>): WebSocketClass {
  return class extends EventTarget {
    #socket: WebSocket | undefined;

    constructor(url: string, protocols: string[]) {
      super();
      const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols.join() };
      this.#open(url.replace(/^ws/, 'http'), headers).catch((error: unknown) => this.#end(error));
    }

    send(frame: Frame): void {
      this.#socket?.send(frame);
    }

    close(code?: number, reason?: string): void {
      const close = (): void => this.#socket?.close(code, reason);
      close();
      // A socket that opens after `close()` would stay open, and keep the object that has opened it awake.
      this.addEventListener('open', close);
    }

    async #open(url: string, headers: Record<string, string>): Promise<void> {
      const { webSocket, status } = (await send(url, { headers })) as UpgradeResponse;
      if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
      this.#socket = webSocket;
      webSocket.addEventListener('message', ({ data }) =>
        this.dispatchEvent(new MessageEvent('message', { data })),
      );
      webSocket.addEventListener('close', (event) =>
        this.dispatchEvent(new CloseEvent('close', event)),
      );
      webSocket.addEventListener('error', () => this.#end('The connection failed'));
      // The bytes of a `Blob` could only be read asynchronously.
      webSocket.binaryType = 'arraybuffer';
      webSocket.accept();
      this.dispatchEvent(new Event('open'));
    }

    #end(reason: unknown): void {
      this.dispatchEvent(new CloseEvent('close', { code: 1006, reason: String(reason) }));
    }
  };
}

/** A response of the Workers runtime, with the socket of an upgrade. */
type UpgradeResponse = Response & { webSocket: (WebSocket & { accept(): void }) | null };
