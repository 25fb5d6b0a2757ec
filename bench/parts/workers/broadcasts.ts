/**
 * Objects that send a message of one client to all listeners. Each class is careful code for its library. The objects
 * written by hand are the reference, and are never tuned.
 */
import { DurableObject } from 'cloudflare:workers';
import { newWorkersRpcResponse, type RpcStub, RpcTarget } from 'capnweb';
import * as Type from '../../../runtime/src/typebox.ts';
import {
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  type RpcObject,
} from '../../../runtime/src/server.ts';

/** The number of events that an object stores, if it stores events. */
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
  messages: events(),
  say: [Type.String({ maxLength: 2_000 })],
  getTopic: live(),
  setTopic: [Type.String({ maxLength: 2_000 })],
});
export type Room = RpcObject<typeof Room>;

/** Sends a message from one socket to all. Messages are not numbered, stored or sent again. */
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

/** Also stores the messages in a table, from which a client could read messages that it missed. */
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

/** Calls the function that each client has passed. A client whose call fails gets no more calls. */
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

/** Requests no answers, which is cheaper, but does not detect clients that have gone. */
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

  /** Cap'n Web disposes of a stub in the arguments when the call ends, so this keeps a duplicate. */
  listen(listener: RpcStub<Listener>): void {
    this.#room.listen(listener.dup());
  }

  say(text: string): void {
    this.#room.say(text);
  }
}

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
