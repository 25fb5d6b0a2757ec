/**
 * A caller calls the Worker under test in one way: from a runtime, by a transport, and with a class
 * that answers. It records every frame, so that a test can count the frames. The module runs in
 * Node, in the Workers runtime and in a page.
 */
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../../src/client.ts';
import { bindingTransport, type Stub } from '../../src/client/transports/binding.ts';
import { messagePortTransport } from '../../src/client/transports/message-port.ts';
import type { Transport } from '../../src/client/transport.ts';
import type { Frame } from '../../src/wire/messages.ts';
import { pieceJoiner, wholeFrame } from '../../src/wire/pieces.ts';
import type { TestEnv } from '../worker.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { portTo } from './ports.ts';

/**
 * Timeouts in milliseconds. A slow machine does not reach them, and they are shorter than the limit
 * of a test.
 */
const PATIENT = { timeout: 55_000, connectTimeout: 55_000 };

type WebSocketClass = NonNullable<RpcClientOptions['WebSocket']>;

/** The runtime of the caller: Node, the Workers runtime or a page. */
export interface Platform {
  readonly baseUrl: string;
  readonly WebSocket: WebSocketClass;
  readonly fetch: typeof fetch;
  /** Formats a value as a console does. */
  readonly inspect: (value: unknown) => unknown;
  readonly debug?: RpcClientOptions['debug'];
  /** Returns the stub of an object, on platforms that have bindings. */
  readonly stub?: (binding: keyof TestEnv, instance: string) => Stub;
}

/** How frames travel, and which class answers. */
export interface Way {
  readonly name: string;
  /** Frames travel by a connection, or each frame is an HTTP request. */
  readonly transport: 'websocket' | 'http';
  /** The route to the object. Default: the router, as from outside of Workers. */
  readonly by?: 'binding' | 'port';
  readonly binding: 'HIBERNATING' | 'RESIDENT' | 'SHOWN' | 'MANUAL';
}

export const ways: readonly Way[] = [
  { name: 'WebSocket, hibernating', transport: 'websocket', binding: 'HIBERNATING' },
  { name: 'WebSocket, not hibernating', transport: 'websocket', binding: 'RESIDENT' },
  { name: 'HTTP POST', transport: 'http', binding: 'HIBERNATING' },
  { name: 'manual routing, WebSocket', transport: 'websocket', binding: 'MANUAL' },
  { name: 'manual routing, HTTP POST', transport: 'http', binding: 'MANUAL' },
];

/** The caller reaches an object of its own program through a port. */
export const byPort: Way = {
  name: 'MessagePort',
  transport: 'websocket',
  by: 'port',
  binding: 'HIBERNATING',
};

/** Only a caller in Workers has bindings. */
export const byBinding: readonly Way[] = [
  { name: 'binding, HTTP POST', transport: 'http', by: 'binding', binding: 'HIBERNATING' },
  { name: 'binding, WebSocket', transport: 'websocket', by: 'binding', binding: 'HIBERNATING' },
];

/** The ways in which a scaffolded project is called. */
export const waysOfUsers = ways.filter(({ binding }) => binding === 'HIBERNATING');
/** Ways that callers outside of Workers test less often. */
export const otherWays = ways.slice(1);

/**
 * The frames that a client has sent and received. Frames without a call or an answer are left out.
 */
interface Traffic {
  readonly up: unknown[][][];
  readonly down: unknown[][][];
  /** The ids of the calls that the client has told the object to cancel. */
  readonly cancelled: unknown[];
  /** The addresses of the WebSockets that were opened. */
  readonly sockets: string[];
}

type InstanceOf<Binding extends keyof TestEnv> =
  TestEnv[Binding] extends DurableObjectNamespace<infer Instance> ? Instance : never;

interface ConnectOptions<Binding> extends RpcClientOptions {
  /** The name of the object. Default: the object that all clients of this caller share. */
  instance?: string;
  /** The binding of the class. Default: the binding of the way. */
  binding?: Binding;
}

/** A client, and the frames of its connection. */
export interface Connected<Binding extends keyof TestEnv = 'HIBERNATING'> {
  client: RpcClient<InstanceOf<Binding>>;
  traffic: Traffic;
}

/** Makes clients and keeps track of them. Each caller has an object of its own. */
export class Caller implements Disposable {
  readonly platform: Platform;
  readonly way: Way;
  // A page has `randomUUID` only in a secure context.
  readonly #instance = crypto.getRandomValues(new Uint32Array(4)).join('-');
  readonly #clients: Disposable[] = [];
  #standing: RpcClient<InstanceOf<'HIBERNATING'>> | undefined;

  constructor(platform: Platform, way: Way) {
    this.platform = platform;
    this.way = way;
  }

  connect<Binding extends Extract<keyof TestEnv, string> = 'HIBERNATING'>({
    instance = this.#instance,
    binding,
    ...options
  }: ConnectOptions<Binding> = {}): Connected<Binding> {
    const traffic: Traffic = { up: [], down: [], cancelled: [], sockets: [] };
    const { baseUrl, WebSocket, fetch, debug } = this.platform;
    const own = this.#transport(binding ?? this.way.binding, instance);
    const client = createRpcClient<InstanceOf<Binding>>(binding ?? this.way.binding, instance, {
      baseUrl,
      transport: own ? recordingTransport(own, traffic) : this.way.transport,
      WebSocket: recordingSocket(WebSocket, traffic),
      fetch: recordingFetch(fetch, traffic),
      ...(debug && { debug }),
      ...PATIENT,
      ...options,
    });
    this.#clients.push(client);
    return { client, traffic };
  }

  /** A client that all cases of this caller share. */
  get standing(): RpcClient<InstanceOf<'HIBERNATING'>> {
    return (this.#standing ??= this.connect().client);
  }

  /** Returns the transport of a way that does not go through the router. */
  #transport(binding: keyof TestEnv, instance: string): Transport | undefined {
    const { by, transport } = this.way;
    if (by === 'port') return messagePortTransport(portTo(binding, instance));
    if (by !== 'binding') return undefined;
    const stub = this.platform.stub?.(binding, instance);
    if (!stub) throw new Error('This platform has no bindings');
    return bindingTransport(stub, { socket: transport === 'websocket' });
  }

  /** Sends a frame as text by a connection of its own, and returns the frame that answers it. */
  async exchange(frame: string): Promise<unknown[][]> {
    using raw = await this.#openRaw();
    raw.send(frame);
    return JSON.parse(await raw.next());
  }

  async #openRaw(): Promise<RawConnection> {
    const { binding, by, transport } = this.way;
    if (transport === 'http') return RawConnection.post(this.#url, this.platform);
    if (by === 'port') return RawConnection.port(portTo(binding, this.#instance));
    return RawConnection.socket(this.openSocket());
  }

  /** Opens a connection without a client. */
  openSocket(): InstanceType<WebSocketClass> {
    return new this.platform.WebSocket(this.#url.replace(/^http/, 'ws'), ['lumenize-rpc.1']);
  }

  get #url(): string {
    return `${this.platform.baseUrl}/__rpc/${this.way.binding}/${this.#instance}/call`;
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) client[Symbol.dispose]();
  }
}

function recordingSocket(Base: WebSocketClass, traffic: Traffic): WebSocketClass {
  const construct = (_: unknown, [url, protocols]: [string, string[]]): object => {
    traffic.sockets.push(url);
    const socket = new Base(url, protocols);
    const send = socket.send.bind(socket);
    const up = recorder(traffic.up, traffic);
    const down = recorder(traffic.down, traffic);
    socket.send = (message) => {
      up(message as Frame);
      send(message);
    };
    socket.addEventListener('message', (event) => down((event as MessageEvent).data));
    return socket;
  };
  return new Proxy<WebSocketClass>(Base, { construct });
}

function recordingTransport(transport: Transport, traffic: Traffic): Transport {
  return {
    ...transport,
    connect(events) {
      if (transport.isDuplex) traffic.sockets.push(transport.address);
      transport.connect({
        ...events,
        received(frame) {
          record(wholeFrame(frame), traffic.down, traffic);
          return events.received(frame);
        },
      });
    },
    send(frame) {
      record(frame, traffic.up, traffic);
      transport.send(frame);
    },
  };
}

function recordingFetch(send: typeof fetch, traffic: Traffic): typeof fetch {
  return async (input, init) => {
    record(String(init?.body), traffic.up, traffic);
    const response = await send(input, init);
    record(await response.clone().text(), traffic.down, traffic);
    return response;
  };
}

/** Records the frames of one direction of a socket. It joins the pieces of a large frame first. */
function recorder(frames: unknown[][][], traffic: Traffic): (message: Frame) => void {
  const join = pieceJoiner(() => {});
  return (message) => {
    const arrived = join(message);
    if (arrived !== undefined) record(wholeFrame(arrived), frames, traffic);
  };
}

/** Leaves out heartbeats and similar messages, because their number depends on the clock. */
function record(text: Frame, frames: unknown[][][], { cancelled }: Traffic): void {
  if (typeof text !== 'string' || !text.startsWith('[')) return;
  const frame = JSON.parse(text) as unknown[][];
  for (const [kind, ...ids] of frame) if (kind === 'cancel') cancelled.push(...ids);
  if (frame.some(([id]) => typeof id === 'number')) frames.push(frame);
}
