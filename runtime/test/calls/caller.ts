/**
 * One way of calling the Worker under test: where the caller is, how frames travel, and which class
 * answers. Every frame is recorded, so that a test can count them. Runs in Node, in the Workers
 * runtime and in a page.
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

/** Limits that a slow machine does not reach, in milliseconds; less than a test may take. */
const PATIENT = { timeout: 55_000, connectTimeout: 55_000 };

type WebSocketClass = NonNullable<RpcClientOptions['WebSocket']>;

/** The runtime of the caller: Node, the Workers runtime or a page. */
export interface Platform {
  readonly baseUrl: string;
  readonly WebSocket: WebSocketClass;
  readonly fetch: typeof fetch;
  /** Looks at a value as a console does. */
  readonly inspect: (value: unknown) => unknown;
  readonly debug?: RpcClientOptions['debug'];
  /** Where there are bindings: the stub of an object. */
  readonly stub?: (binding: keyof TestEnv, instance: string) => Stub;
}

/** How frames travel, and which class answers. */
export interface Way {
  readonly name: string;
  /** A connection, or frames each of which is a request. */
  readonly transport: 'websocket' | 'http';
  /** Default: by the router, as from elsewhere. */
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

/** To an object of the same program. */
export const byPort: Way = {
  name: 'MessagePort',
  transport: 'websocket',
  by: 'port',
  binding: 'HIBERNATING',
};

/** From Workers only. */
export const byBinding: readonly Way[] = [
  { name: 'binding, HTTP POST', transport: 'http', by: 'binding', binding: 'HIBERNATING' },
  { name: 'binding, WebSocket', transport: 'websocket', by: 'binding', binding: 'HIBERNATING' },
];

/** Those of the scaffolded project. */
export const waysOfUsers = ways.filter(({ binding }) => binding === 'HIBERNATING');
/** Of those which callers elsewhere than in Workers try less often. */
export const otherWays = ways.slice(1);

/** What a client has sent and received, a frame an entry; only frames with calls or answers. */
interface Traffic {
  readonly up: unknown[][][];
  readonly down: unknown[][][];
  /** Ids of the calls that the object was told to forget. */
  readonly cancelled: unknown[];
  /** The addresses of the WebSockets that were opened. */
  readonly sockets: string[];
}

type InstanceOf<Binding extends keyof TestEnv> =
  TestEnv[Binding] extends DurableObjectNamespace<infer Instance> ? Instance : never;

interface ConnectOptions<Binding> extends RpcClientOptions {
  /** Default: the one that all clients of this caller share. */
  instance?: string;
  /** Default: the way's. */
  binding?: Binding;
}

/** A client, and what goes over its connection. */
export interface Connected<Binding extends keyof TestEnv = 'HIBERNATING'> {
  client: RpcClient<InstanceOf<Binding>>;
  traffic: Traffic;
}

/** Makes clients and keeps track of them. Each caller has an object of its own. */
export class Caller implements Disposable {
  readonly platform: Platform;
  readonly way: Way;
  // Not `randomUUID`, which a page has only in a secure context.
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

  /** A client that all cases share that have this caller. */
  get standing(): RpcClient<InstanceOf<'HIBERNATING'>> {
    return (this.#standing ??= this.connect().client);
  }

  /** What carries the frames of a way that goes past the router. */
  #transport(binding: keyof TestEnv, instance: string): Transport | undefined {
    const { by, transport } = this.way;
    if (by === 'port') return messagePortTransport(portTo(binding, instance));
    if (by !== 'binding') return undefined;
    const stub = this.platform.stub?.(binding, instance);
    if (!stub) throw new Error('There are no bindings here');
    return bindingTransport(stub, { socket: transport === 'websocket' });
  }

  /** Sends a frame as it stands, by a connection of its own, and gives the frame that answers. */
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

  /** A connection without a client. */
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

/** Records the frames of one direction of a socket, the large ones once they are whole. */
function recorder(frames: unknown[][][], traffic: Traffic): (message: Frame) => void {
  const join = pieceJoiner(() => {});
  return (message) => {
    const arrived = join(message);
    if (arrived !== undefined) record(wholeFrame(arrived), frames, traffic);
  };
}

/** Heartbeats and the like are not recorded: how many there are depends on the clock. */
function record(text: Frame, frames: unknown[][][], { cancelled }: Traffic): void {
  if (typeof text !== 'string' || !text.startsWith('[')) return;
  const frame = JSON.parse(text) as unknown[][];
  for (const [kind, ...ids] of frame) if (kind === 'cancel') cancelled.push(...ids);
  if (frame.some(([id]) => typeof id === 'number')) frames.push(frame);
}
