/**
 * Frames to a Durable Object by its binding, from a Worker or from another object: the same requests that
 * come by the router, without a network in between. Only who imports this file has it in a bundle.
 * Imports http, options, transport, websocket and wire/.
 */
import { CALLER_FIELD, named } from '../wire/caller.ts';
import { CALL_SEGMENT, type Frame } from '../wire/messages.ts';
import { httpTransport, poster } from './http.ts';
import type { WebSocketClass } from './options.ts';
import type { Transport } from './transport.ts';
import { webSocketTransport } from './websocket.ts';

/** What is needed of a stub, as `env.COUNTER.getByName('my-counter')` returns it. */
export interface Stub {
  readonly name?: string | undefined;
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** What the caller has stored of calls that are to be made once, even if it is stopped meanwhile. */
export interface Delivery {
  /**
   * The client's id in the object's journal. Use at most 100 characters of those that `crypto.randomUUID()`
   * has. Store it together with the intent to call, and use it for nothing else.
   */
  id: string;
  /**
   * When the first attempt was made, in milliseconds on the clock of `Date.now()`. Store it before that
   * attempt. The object runs a call that is older than half an hour only if it remembers the id.
   */
  since: number;
}

export interface BindingOptions {
  /**
   * Opens a WebSocket, which subscriptions and callbacks need. It belongs to the request that opened it. If
   * an object opens it, the object stays awake, and is billed, as long as the socket is open. Default: false,
   * each frame is a POST.
   */
  socket?: boolean;
  /**
   * What `currentCaller()` returns in the object: JSON data of at most 4 000 characters. A Worker that has
   * the binding can name any caller. Default `undefined`.
   */
  caller?: unknown;
  /**
   * Repeats calls that the caller may have made before it was stopped. Of the calls with one `id`, each runs
   * once. They must be the same calls in the same order, all made in one tick.
   */
  delivery?: Delivery;
}

/**
 * Calls a Durable Object by its binding: `transport` of `createRpcClient`, whose other arguments are then
 * names for messages only. The calls of a tick are one request, which is sent again after a failure; each
 * runs once.
 *
 * @param stub - of the object, or a function that gives one for each request. A stub stays broken when its
 *   object has been stopped, so calls that are to survive that need a function.
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
  const cf = caller === undefined ? undefined : { [CALLER_FIELD]: named(caller) };
  const send = (url: string, init: RequestInit): Promise<Response> =>
    stubNow().fetch(url, { ...init, ...(cf && { cf }) });
  let id = delivery?.id;
  const clientId = (): string => (id ??= crypto.randomUUID());
  // An object does not look at its host. The name is for messages.
  const url = `https://object/${encodeURIComponent(stubNow().name ?? '')}/${CALL_SEGMENT}`;
  const post = poster(url, { fetch: send as typeof fetch });
  const transport = socket
    ? webSocketTransport({ url, clientId, post, patience: 1, WebSocket: socketsBy(send) })
    : httpTransport(url, post, clientId);
  return { ...transport, since: delivery?.since };
}

/** The sockets that upgrades by a binding give. */
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
      this.#socket?.close(code, reason);
    }

    async #open(url: string, headers: Record<string, string>): Promise<void> {
      const { webSocket, status } = (await send(url, { headers })) as UpgradeResponse;
      if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
      this.#socket = webSocket;
      webSocket.addEventListener('message', (event) => this.#tell('message', event));
      webSocket.addEventListener('close', (event) => this.#tell('close', event));
      webSocket.addEventListener('error', () => this.#end('The connection failed'));
      // Bytes, where they come, come at once.
      Object.assign(webSocket, { binaryType: 'arraybuffer' });
      webSocket.accept();
      this.#tell('open');
    }

    #end(reason: unknown): void {
      this.#tell('close', { code: 1006, reason: String(reason) });
    }

    #tell(type: string, { data, code, reason }: Told = {}): void {
      this.dispatchEvent(Object.assign(new Event(type), { data, code, reason }));
    }
  };
}

/** What the Workers runtime adds to a response. */
type UpgradeResponse = Response & { webSocket: (WebSocket & { accept(): void }) | null };

interface Told {
  data?: unknown;
  code?: number;
  reason?: string;
}
