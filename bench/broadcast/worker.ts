/**
 * Objects that tell all who listen what one says. Each is what a careful person writes with what it is
 * made with; the ones by hand are the measure of the others and are never tuned.
 */
import { DurableObject } from 'cloudflare:workers';
import { newWorkersRpcResponse, type RpcStub, RpcTarget } from 'capnweb';
import { Type } from 'typebox';
import { type Feed, feed, lumenizeRpcDO, routeDORequest } from '../../template/src/rpc/server.ts';

/** How many events those keep that keep any. */
const KEEP = 1_000;

class RoomImpl extends DurableObject<Env> {
  messages(): Feed<string> {
    return feed(this, 'messages', { keep: KEEP });
  }

  say(text: string): void {
    this.messages().append(text);
  }

  getTopic(): string {
    return this.ctx.storage.kv.get<string>('topic') ?? '';
  }

  setTopic(text: string): void {
    this.ctx.storage.kv.put('topic', text);
  }
}

export const Room = lumenizeRpcDO(RoomImpl, {
  messages: { input: [], readonly: true },
  say: [Type.String({ maxLength: 2_000 })],
  getTopic: { input: [], readonly: true, live: true },
  setTopic: [Type.String({ maxLength: 2_000 })],
});
export type Room = InstanceType<typeof Room>;

/** What is said on one socket is sent to all: nothing is numbered, kept or sent again. */
export class ByHand extends DurableObject<Env> {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(_: WebSocket, message: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(message);
  }
}

/** The same, with a table from which somebody could read what he missed. */
export class ByHandStored extends ByHand {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, text TEXT)');
  }

  override webSocketMessage(socket: WebSocket, message: string): void {
    const { sql } = this.ctx.storage;
    const row = sql.exec('INSERT INTO events (text) VALUES (?) RETURNING id', message).one();
    sql.exec('DELETE FROM events WHERE id <= ?', Number(row['id']) - KEEP);
    super.webSocketMessage(socket, message);
  }
}

type Listener = (text: string) => void;

/** Calls the function that each client has passed; who does not answer is left out from then on. */
export class CapnwebRoom extends DurableObject<Env> {
  protected readonly listeners = new Set<RpcStub<Listener>>();

  override fetch(request: Request): Promise<Response> {
    return newWorkersRpcResponse(request, new CapnwebTarget(this));
  }

  listen(listener: RpcStub<Listener>): void {
    this.listeners.add(listener);
  }

  say(text: string): void {
    for (const listener of this.listeners) {
      listener(text).catch(() => this.listeners.delete(listener));
    }
  }
}

/** The cheaper way: the answers are not asked for, so that nobody learns who has gone. */
export class CapnwebDroppedRoom extends CapnwebRoom {
  override say(text: string): void {
    for (const listener of this.listeners) listener(text)[Symbol.dispose]();
  }
}

export class CapnwebTarget extends RpcTarget {
  readonly #room: CapnwebRoom;

  constructor(room: CapnwebRoom) {
    super();
    this.#room = room;
  }

  /** What is passed is disposed of when the call ends, unless it is duplicated. */
  listen(listener: RpcStub<Listener>): void {
    this.#room.listen(listener.dup());
  }

  say(text: string): void {
    this.#room.say(text);
  }
}

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    const response = await routeDORequest(request, env);
    if (response) return response;
    const [, binding = '', name = ''] = new URL(request.url).pathname.split('/');
    const namespaces = env as Record<string, DurableObjectNamespace | undefined>;
    const routed = namespaces[binding]?.getByName(name).fetch(request);
    return routed ?? new Response('Not found', { status: 404 });
  },
};
