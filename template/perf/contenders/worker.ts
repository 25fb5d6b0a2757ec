/**
 * The Worker that is measured. Every contender's Durable Object runs the same `CounterImpl`, with more
 * methods for the workloads that send values, use SQL or send events.
 */
import { newWorkersRpcResponse, type RpcStub, RpcTarget } from 'capnweb';
import { Type } from 'typebox';
import { CounterImpl } from '../../src/counter.ts';
import { compileContract, type Contract, events, feed, type Feed, handleRpcClose, handleRpcMessage, handleRpcRequest, lumenizeRpcDO, read, routeDORequest } from '../../../runtime/src/server.ts';

/**
 * A call from a floor's client. `argument` is the number that `increment` adds, the value that `echo`
 * returns, or the event that `announce` sends to all sockets.
 */
export type FloorCall = [
  id: number,
  method: 'increment' | 'getValue' | 'book' | 'echo' | 'announce',
  argument?: unknown,
];

/** An answer of a floor, or an event, which has the id 0. */
export type FloorAnswer = [id: number, value: unknown];

type Place = { id: string; place: string; expires: number };

class EchoingCounter extends CounterImpl {
  #hasTable = false;

  echo(value: unknown): unknown {
    return value;
  }

  echoPlain(value: unknown): unknown {
    return value;
  }

  /**
   * Books a place for ten minutes and frees it again, with an index and an alarm. The table belongs to
   * the performance test, so that the template's examples can be deleted. The first booking creates the
   * table, so that objects without bookings have none.
   */
  book(): string {
    const query = (statement: string, ...bindings: SqlStorageValue[]): Place[] =>
      this.ctx.storage.sql.exec<Place>(statement, ...bindings).toArray();
    if (!this.#hasTable) {
      query(`CREATE TABLE IF NOT EXISTS places (
          id TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, expires INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX IF NOT EXISTS places_by_expiry ON places (expires)`);
      this.#hasTable = true;
    }
    query('DELETE FROM places WHERE expires <= ?', Date.now());
    const [taken] = query(
      'INSERT INTO places VALUES (?, ?, ?) ON CONFLICT (place) DO NOTHING RETURNING *',
      crypto.randomUUID(),
      'A1',
      Date.now() + 600_000,
    );
    if (!taken) throw new Error('A1 is taken');
    const [next] = query('SELECT * FROM places ORDER BY expires LIMIT 1');
    if (next) void this.ctx.storage.setAlarm(next.expires);
    const [own] = query('SELECT * FROM places WHERE id = ?', taken.id);
    if (own) query('DELETE FROM places WHERE id = ?', own.id);
    return taken.place;
  }

  events(): Feed<unknown> {
    return feed(this, 'events');
  }

  announce(event: unknown): void {
    this.events().append(event);
  }

  /** Nothing to do: no booking is left when the alarm runs. */
  override alarm(): void {}
}

const contract = {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))],
  getValue: read(),
  echo: read([Type.Unknown()]),
  echoPlain: { input: [Type.Unknown()], readonly: true, plain: true },
  book: [],
  events: events(),
  announce: [Type.Unknown()],
} as const satisfies Contract;

export const Counter = lumenizeRpcDO(EchoingCounter, contract);
export type Counter = InstanceType<typeof Counter>;
export const AwakeCounter = lumenizeRpcDO(EchoingCounter, contract, { hibernate: false });
export const UnjournaledCounter = lumenizeRpcDO(EchoingCounter, contract, { journal: false });

const compiled = compileContract(contract);

/** This RPC in a class that keeps its own `fetch`. */
export class ManualCounter extends EchoingCounter {
  override async fetch(request: Request): Promise<Response> {
    const response = await handleRpcRequest(request, this, compiled);
    return response ?? new Response('Not found', { status: 404 });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    handleRpcMessage(socket, message, this, compiled);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    handleRpcClose(socket, code, reason, this, compiled);
  }
}

/** Cap'n Web, used as in its documentation. */
export class CapnwebCounter extends EchoingCounter {
  readonly listeners = new Set<RpcStub<(event: unknown) => void>>();

  override fetch(request: Request): Promise<Response> {
    return newWorkersRpcResponse(request, new CapnwebTarget(this));
  }
}

export class CapnwebTarget extends RpcTarget {
  readonly #counter: CapnwebCounter;

  constructor(counter: CapnwebCounter) {
    super();
    this.#counter = counter;
  }

  increment(by?: number): number {
    return this.#counter.increment(by);
  }

  getValue(): number {
    return this.#counter.getValue();
  }

  echo(value: unknown): unknown {
    return this.#counter.echo(value);
  }

  book(): string {
    return this.#counter.book();
  }

  /** Cap'n Web disposes of a stub in the arguments when the call ends, so this keeps a duplicate. */
  listen(listener: RpcStub<(event: unknown) => void>): void {
    this.#counter.listeners.add(listener.dup());
  }

  announce(event: unknown): void {
    const { listeners } = this.#counter;
    for (const listener of listeners) listener(event).catch(() => listeners.delete(listener));
  }
}

// The floors are careful code by hand, without a library: one WebSocket or POST, short JSON, raw bytes.
// All contenders are compared with them, so they are never tuned.

/** The floor for objects that stay in memory while a socket is open. */
export class PlainFloor extends EchoingCounter {
  readonly #sockets = new Set<WebSocket>();

  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    server.binaryType = 'arraybuffer';
    server.accept();
    this.#sockets.add(server);
    server.addEventListener('close', () => this.#sockets.delete(server));
    server.addEventListener('message', ({ data }) =>
      server.send(answer(this, data, this.#sockets)),
    );
    return new Response(null, { status: 101, webSocket: client });
  }
}

/** The floor for objects that may sleep while a socket is open, as this RPC's do. */
export class HibernatingFloor extends EchoingCounter {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    socket.send(answer(this, message, this.ctx.getWebSockets()));
  }

  // Otherwise a client waits ten seconds for the end of a socket that it has closed.
  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }
}

/** The floor for calls that are a POST each. */
export class PostFloor extends EchoingCounter {
  override async fetch(request: Request): Promise<Response> {
    const isJson = request.headers.get('Content-Type') === 'application/json';
    return new Response(answer(this, isJson ? await request.text() : await request.arrayBuffer()));
  }
}

/** @param sockets - all that are connected */
function answer(
  counter: EchoingCounter,
  message: string | ArrayBuffer,
  sockets: Iterable<WebSocket> = [],
): string | ArrayBuffer {
  if (typeof message !== 'string') return counter.echo(message) as ArrayBuffer;
  const call = JSON.parse(message) as FloorCall;
  if (call[1] === 'announce') {
    const event = JSON.stringify([0, call[2]] satisfies FloorAnswer);
    for (const socket of sockets) socket.send(event);
    return JSON.stringify([call[0], null] satisfies FloorAnswer);
  }
  return JSON.stringify([call[0], run(counter, call)] satisfies FloorAnswer);
}

function run(counter: EchoingCounter, [, method, argument]: FloorCall): unknown {
  if (method === 'increment') return counter.increment(argument as number | undefined);
  if (method === 'book') return counter.book();
  return method === 'getValue' ? counter.getValue() : counter.echo(argument);
}

export default {
  async fetch(request, env) {
    const response = await routeDORequest(request, env, { prefix: '/__rpc' });
    if (response) return response;
    const [, binding = '', name = ''] = new URL(request.url).pathname.split('/');
    const namespaces = env as unknown as Record<string, DurableObjectNamespace | undefined>;
    const routed = namespaces[binding]?.getByName(name).fetch(request);
    return routed ?? new Response('Not found', { status: 404 });
  },
} satisfies ExportedHandler<Env>;
