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
   * Stands for the client in the object's journal: at most 100 characters of those that `crypto.randomUUID()`
   * has, used for nothing else, and stored with the intent to call.
   */
  id: string;
  /**
   * When it was first tried, in milliseconds on the clock of `Date.now()`, and stored before that. The
   * object runs a call whose first attempt is older than half an hour only if it remembers the id.
   */
  since: number;
}

export interface BindingOptions {
  /**
   * Whether to open a WebSocket, for who subscribes or passes callbacks. It belongs to the request that
   * opened it, and is billed to an object that opens it as long as it lasts. Default: each frame is a POST.
   */
  socket?: boolean;
  /**
   * Whom `currentCaller()` of the object returns: JSON data of at most 4 000 characters. Whoever has the
   * binding may name anybody. Default: `undefined`, as for a client that no hook has named.
   */
  caller?: unknown;
  /**
   * Makes calls that an earlier life of the caller may have made: of those with the same `id` each runs
   * once, and answers as it did. They have to be the same calls in the same order, and all of one tick.
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
