/**
 * The part of Cloudflare's platform that the demo's object needs, simulated in a web worker: the class `DurableObject`,
 * key-value storage, WebSockets, and hibernation. The object and the runtime are real.
 */

type Data = string | ArrayBuffer;

/** The module `cloudflare:workers`. */
export class DurableObject {
  readonly ctx: unknown;
  readonly env: unknown;

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }
}

/** One end of a WebSocket. */
export class SocketEnd extends EventTarget {
  readyState: number = WebSocket.OPEN;
  #other: SocketEnd | undefined;
  #attachment: unknown;

  static pair(): [SocketEnd, SocketEnd] {
    const [one, other] = [new SocketEnd(), new SocketEnd()];
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  send(data: Data): void {
    if (this.readyState !== WebSocket.OPEN) throw new TypeError('The WebSocket is closed');
    this.#other?.dispatchEvent(new MessageEvent('message', { data }));
  }

  close(code = 1000, reason = ''): void {
    if (this.readyState !== WebSocket.OPEN) return;
    this.readyState = WebSocket.CLOSED;
    const other = this.#other;
    if (!other) return;
    other.readyState = WebSocket.CLOSED;
    other.dispatchEvent(new CloseEvent('close', { code, reason }));
  }

  serializeAttachment(value: unknown): void {
    this.#attachment = structuredClone(value);
  }

  deserializeAttachment(): unknown {
    return structuredClone(this.#attachment);
  }

  /** Returns this end for an object that wakes, with a copy of the attachment. */
  renewed(): SocketEnd {
    const end = new SocketEnd();
    end.readyState = this.readyState;
    end.#attachment = this.#attachment;
    end.#other = this.#other;
    if (this.#other) this.#other.#other = end;
    return end;
  }
}

/** `ctx.storage.kv`, in memory. */
class KeyValues {
  readonly #values = new Map<string, unknown>();

  get(key: string): unknown {
    return structuredClone(this.#values.get(key));
  }

  put(key: string, value: unknown): void {
    this.#values.set(key, structuredClone(value));
  }

  delete(key: string): boolean {
    return this.#values.delete(key);
  }

  list({ prefix = '', start = '', end = '\uFFFF', reverse = false, limit = Infinity } = {}): [
    string,
    unknown,
  ][] {
    const keys = [...this.#values.keys()]
      .filter((key) => key.startsWith(prefix) && key >= start && key < end)
      .toSorted();
    if (reverse) keys.reverse();
    return keys.slice(0, limit).map((key) => [key, this.get(key)]);
  }
}

interface ObjectWithSockets {
  fetch(request: Request): Promise<Response>;
  webSocketMessage(socket: WebSocket, data: Data): void | Promise<void>;
  webSocketClose(
    socket: WebSocket,
    code: number,
    reason: string,
    wasClean: boolean,
  ): void | Promise<void>;
}

/** Runs one object: creates it when a request or a message arrives, and lets it hibernate. */
export class Runtime {
  readonly #create: (ctx: never) => object;
  readonly #kv = new KeyValues();
  #object: ObjectWithSockets | undefined;
  #sockets: { end: SocketEnd; tags: readonly string[] }[] = [];
  #autoResponse: { request: string; response: string } | undefined;

  /** @param create - makes the object. Its class has handlers of requests and WebSockets. */
  constructor(create: (ctx: never) => object) {
    this.#create = create;
  }

  /** Opens a WebSocket to the object. */
  async connect(url: string, protocols: readonly string[]): Promise<SocketEnd> {
    const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols.join(', ') };
    // A `Request` of a browser drops the headers of an upgrade.
    const request = { method: 'GET', url, headers: new Headers(headers) } as Request;
    const response = await this.#wake().fetch(request);
    const { webSocket } = response as unknown as { webSocket?: SocketEnd };
    if (!webSocket) throw new Error(`The object answered ${response.status}`);
    return webSocket;
  }

  /** Drops the object from memory. Its storage and its sockets stay. */
  hibernate(): void {
    this.#object = undefined;
    const sockets = this.#sockets;
    this.#sockets = [];
    for (const { end, tags } of sockets) this.#accept(end.renewed(), tags);
  }

  #wake(): ObjectWithSockets {
    return (this.#object ??= this.#create(this.#context() as never) as ObjectWithSockets);
  }

  #context(): object {
    return {
      id: { name: 'demo', toString: () => 'demo' },
      storage: { kv: this.#kv },
      waitUntil: () => {},
      acceptWebSocket: (end: SocketEnd, tags: string[] = []) => this.#accept(end, tags),
      getWebSockets: (tag?: string) =>
        this.#sockets
          .filter(({ tags }) => tag === undefined || tags.includes(tag))
          .map(({ end }) => end),
      getTags: (socket: SocketEnd) => this.#sockets.find(({ end }) => end === socket)?.tags ?? [],
      getWebSocketAutoResponse: () => this.#autoResponse ?? null,
      setWebSocketAutoResponse: (pair: { request: string; response: string }) =>
        (this.#autoResponse = pair),
    };
  }

  #accept(end: SocketEnd, tags: readonly string[]): void {
    this.#sockets.push({ end, tags });
    const socket = end as unknown as WebSocket;
    end.addEventListener('message', (event) => {
      const { data } = event as MessageEvent<Data>;
      if (data === this.#autoResponse?.request) end.send(this.#autoResponse.response);
      else void this.#wake().webSocketMessage(socket, data);
    });
    end.addEventListener('close', (event) => {
      const { code, reason } = event as CloseEvent;
      void this.#wake().webSocketClose(socket, code, reason, true);
      this.#sockets = this.#sockets.filter((other) => other.end !== end);
    });
  }
}

/** Gives the web worker the classes that Workers have and browsers lack. */
export function defineGlobals(): void {
  const BrowserResponse = globalThis.Response;
  Object.assign(globalThis, {
    // A browser's class accepts neither the status 101 nor a WebSocket.
    Response: class extends BrowserResponse {
      override readonly webSocket: WebSocket | null;

      constructor(body?: BodyInit | null, init: ResponseInit & { webSocket?: WebSocket } = {}) {
        super(body, init.webSocket ? {} : init);
        this.webSocket = init.webSocket ?? null;
      }
    },
    WebSocketPair: class {
      readonly 0: SocketEnd;
      readonly 1: SocketEnd;

      constructor() {
        [this[0], this[1]] = SocketEnd.pair();
      }
    },
    WebSocketRequestResponsePair: class {
      readonly request: string;
      readonly response: string;

      constructor(request: string, response: string) {
        this.request = request;
        this.response = response;
      }
    },
  });
}
