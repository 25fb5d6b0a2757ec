/**
 * The Worker under test: one Durable Object class, wrapped in each way that changes the life of a
 * connection. The hooks of its router refuse what a test tells them to refuse.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import {
  currentCaller,
  bytes,
  lumenizeRpcDO,
  read,
  type Route,
  routeDORequest,
  type RouteOptions,
  withCaller,
} from '../../src/server.ts';

/** Counts executions, so that a test notices a call that ran twice. */
class Subject extends DurableObject<Env> {
  /**
   * The WebSocket messages that woke the object, and the requests that reached it, since its last
   * eviction.
   */
  protected heard = { messages: 0, requests: [] as string[], edge: [] as string[] };
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#increase('starts');
  }

  add(by = 1): number {
    return this.#increase('count', by);
  }

  /** Waits for a number of microtasks and adds 1. */
  async addSoon(microtasks: number): Promise<number> {
    for (let count = 0; count < microtasks; count++) await undefined;
    return this.add();
  }

  /** Waits for one event of the runtime and adds 1. */
  async addAfterEvent(): Promise<number> {
    await scheduler.wait(0);
    return this.add();
  }

  async event(): Promise<number> {
    await scheduler.wait(0);
    return 1;
  }

  /** Returns the number of rows written since the last eviction, including the row of this call. */
  rowsWritten(): number {
    return this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one()['rows'] as number;
  }

  /** Returns the size of the storage in bytes. */
  databaseSize(): number {
    return this.ctx.storage.sql.databaseSize;
  }

  /** Returns the size of each client's entries in the journal, in characters. */
  journal(): Record<string, number> {
    const rows = this.ctx.storage.kv.list({ prefix: '__rpc_journal:' });
    return Object.fromEntries(
      Array.from(rows, ([key, row]) => [key.split(':')[1], JSON.stringify(row).length]),
    );
  }

  caller(): unknown {
    return currentCaller();
  }

  /** Returns a value that is not plain, although the contract says otherwise. */
  moment(): unknown {
    return { at: new Date(0) };
  }

  /** Returns what the edge says of the last request. */
  edge(): string[] {
    return this.heard.edge;
  }

  count(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  addAndThrow(): void {
    this.add();
    throw new RangeError(`thrown at ${this.count()}`);
  }

  addAllOrNothing(): void {
    this.ctx.storage.transactionSync(() => this.addAndThrow());
  }

  /** Adds 1, waits until a gate is opened, and adds 10. */
  async addInTwoTurns(gate: string): Promise<number> {
    this.add();
    await this.#gate(gate).promise;
    return this.add(10);
  }

  /** Waits until a gate is opened, and changes nothing. */
  async wait(gate: string): Promise<string> {
    await this.#gate(gate).promise;
    return gate;
  }

  openGate(gate: string): void {
    this.#gate(gate).resolve();
  }

  addAndReturn(text: string, times: number): string {
    this.add();
    return text.repeat(times);
  }

  repeat(text: string, times: number): string {
    return text.repeat(times);
  }

  length(text: string): number {
    return text.length;
  }

  async deleteAndAdd(): Promise<number> {
    await this.ctx.storage.deleteAll();
    return this.add();
  }

  plus(left: number, right: number): number {
    return left + right;
  }

  text(length: number): string {
    return 'x'.repeat(length);
  }

  /** Sends a text to all sockets of all clients. */
  broadcast(text: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(text);
  }

  broadcastBytes(text: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(new TextEncoder().encode(text));
  }

  closeSockets(code: number, reason: string): number {
    const sockets = this.ctx.getWebSockets();
    for (const socket of sockets) socket.close(code, reason);
    return sockets.length;
  }

  /** Returns the number of sockets that the runtime holds for this object. */
  sockets(): number {
    return this.ctx.getWebSockets().length;
  }

  /** Returns the number of times that the object was created, over all evictions. */
  starts(): number {
    return this.ctx.storage.kv.get<number>('starts') ?? 0;
  }

  messages(): number {
    return this.heard.messages;
  }

  requests(): string[] {
    return this.heard.requests;
  }

  #increase(key: string, by = 1): number {
    const value = (this.ctx.storage.kv.get<number>(key) ?? 0) + by;
    this.ctx.storage.kv.put(key, value);
    return value;
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(name) ?? Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }
}

const contract = {
  add: [Type.Optional(Type.Integer())],
  addSoon: [Type.Integer()],
  addAfterEvent: [],
  event: read(),
  rowsWritten: read(),
  databaseSize: read(),
  journal: read(),
  caller: read(),
  moment: { input: [], readonly: true, plain: true },
  edge: read(),
  count: read(),
  addAndThrow: [],
  addAllOrNothing: [],
  addInTwoTurns: [Type.String()],
  wait: read([Type.String()]),
  openGate: read([Type.String()]),
  addAndReturn: [Type.String(), Type.Integer()],
  repeat: read([Type.String(), Type.Integer()]),
  length: read([Type.String()]),
  deleteAndAdd: [],
  plus: read([Type.Number(), Type.Number()]),
  text: read([Type.Integer()]),
  broadcast: read([Type.String()]),
  broadcastBytes: read([Type.String()]),
  closeSockets: read([Type.Integer(), Type.String()]),
  sockets: read(),
  starts: read(),
  messages: read(),
  requests: read(),
} as const;

/** Records the messages and requests that reach the object before the wrapper handles them. */
export class Default extends lumenizeRpcDO(Subject, contract, { use: [bytes] }) {
  override async fetch(request: Request): Promise<Response> {
    this.heard.requests.push(`${request.method} ${request.headers.get('Upgrade') ?? ''}`.trim());
    this.heard.edge = Object.keys(request.cf ?? {});
    return (await super.fetch?.(request)) as Response;
  }

  override async webSocketMessage(ws: WebSocket, message: string | ArrayBuffer): Promise<void> {
    this.heard.messages++;
    await super.webSocketMessage?.(ws, message);
  }
}

export class OwnAutoResponse extends Default {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('marco', 'polo'));
  }
}

export const Unjournaled = lumenizeRpcDO(Subject, contract, { journal: false });
export const Resident = lumenizeRpcDO(Subject, contract, { hibernate: false });
export const Small = lumenizeRpcDO(Subject, contract, {
  limits: { frameSize: 1_000, callsPerFrame: 4, callsInFlight: 3 },
});
export const Strict = lumenizeRpcDO(Subject, contract, { limits: { refusals: 20 } });
export const Rated = lumenizeRpcDO(Subject, contract, { limits: { callsPerSecond: 5 } });

/** Answers all requests except RPC. */
export class Plain extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    const { method, headers, url } = request;
    const given = [headers.get('Authorization'), await request.text()];
    return new Response(`plain ${method} ${new URL(url).pathname} ${given.join(' ')}`);
  }
}

export const Pair = lumenizeRpcDO(Subject, contract, { limits: { connections: 2 } });
export const ResidentPair = lumenizeRpcDO(Subject, contract, {
  limits: { connections: 2 },
  hibernate: false,
});

/** The refusals of the hooks by instance, the only token that they accept, and their calls. */
const refusals = new Map<string, number>();
const tokens = new Map<string, string>();
const asked = new Map<string, string[]>();

function judge(hook: string, request: Request, { instance }: Route): Response | Request {
  const protocols = request.headers.get('Sec-WebSocket-Protocol') ?? '';
  const log = asked.get(instance) ?? [];
  asked.set(instance, [...log, `${hook} ${protocols}`.trim()]);
  const token = tokens.get(instance);
  const { headers, url } = request;
  const elsewhere = [headers.get('Authorization'), headers.get('Cookie'), new URL(url).search];
  const shown = `${protocols} ${elsewhere}`.split(/[ ,;?=&]+/);
  const status = token && !shown.includes(token) ? 401 : refusals.get(instance);
  return status ? new Response(`refused with ${status}`, { status }) : identified(request);
}

/** Names the caller of a token: `user.Ada`, or `user.Ada.2` for Ada's second token. */
function identified(request: Request): Request {
  const { headers } = request;
  const sent = `${headers.get('Sec-WebSocket-Protocol')} ${headers.get('Authorization')}`;
  const [, user, token] = /user\.(\w+)(?:\.(\w+))?/.exec(sent) ?? [];
  if (user === 'Large') return withCaller(request, 'x'.repeat(5_000));
  return user ? withCaller(request, { user, token }, user) : request;
}

/**
 * `/hooks/{instance}`: PUT sets the status of refusals, or 0. POST sets the accepted token, or an
 * empty text for all. GET returns the calls of the hooks.
 */
async function control(request: Request): Promise<Response> {
  const instance = decodeURIComponent(new URL(request.url).pathname.slice('/hooks/'.length));
  if (request.method === 'PUT') refusals.set(instance, Number(await request.text()));
  if (request.method === 'POST') tokens.set(instance, await request.text());
  return Response.json(asked.get(instance) ?? []);
}

const hooks: RouteOptions = {
  onBeforeConnect: (upgrade, route) => judge('connect', upgrade, route),
  onBeforeRequest: (post, route) => judge('request', post, route),
};

export default {
  async fetch(request: Request, env: Record<string, DurableObjectNamespace>): Promise<Response> {
    const [, room, binding = '', instance = ''] = new URL(request.url).pathname.split('/');
    if (room === 'hooks') return control(request);
    // This path calls an object without the router.
    if (room === 'unrouted') return env[binding]!.getByName(instance).fetch(request);
    const response =
      (await routeDORequest(request, env, hooks)) ??
      (await routeDORequest(request, env, { prefix: '/few', bindings: ['DEFAULT', 'SMALL'] })) ??
      (await routeDORequest(request, env, { prefix: '/open', otherPaths: true }));
    return response ?? new Response('no such object', { status: 404 });
  },
};
