/**
 * The Worker under test: the template's Durable Object, those of the examples, and those that the
 * tests need. There is one for each way in which a class can answer RPC.
 */
import type { WokenRelay } from './features/relay/woken.ts';
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../src/typebox.ts';
import {
  bytes,
  compileContract,
  handleRpcClose,
  handleRpcMessage,
  handleRpcRequest,
  lumenizeRpcDO,
  read,
  routeDORequest,
} from '../src/server.ts';
import { debug } from '../src/features/debug/feature.ts';
import type { Watched } from './features/debug/watched.ts';
import type { Reported } from './features/reports/reported.ts';
import type { Hooked } from './server/contract/hooked.ts';
import { contract, discreet, frank, subjectOn } from './calls/subject.ts';
import { Members } from './patterns/members.ts';
import type { Versioned } from './contract/versioned.ts';
import type { Tally } from './testing/tally.ts';
import { Broadcaster } from './features/subscriptions/broadcaster/broadcaster.ts';
import { contract as broadcasts } from './features/subscriptions/broadcaster/contract.ts';

export { Counter } from '../../template/src/counter.ts';
export { Bank } from '../../examples/bank/src/bank.ts';
export { Board } from '../../examples/board/src/board.ts';
export { Bookings } from '../../examples/bookings/src/bookings.ts';
export { Pi } from '../../examples/digits/src/pi.ts';
export { Meter } from '../../examples/meter/src/meter.ts';
export { MeterShard } from '../../examples/meter/src/meter-shard.ts';
export { Match } from '../../examples/relay/src/match.ts';
export { MatchRelay } from '../../examples/relay/src/match-relay.ts';
export { Room } from '../../examples/room/src/room.ts';
export { WokenRelay } from './features/relay/woken.ts';
export { Members };
export { Watched } from './features/debug/watched.ts';
export { Joined, Reported } from './features/reports/reported.ts';
export { Hooked } from './server/contract/hooked.ts';
export { Versioned } from './contract/versioned.ts';
export { Tally } from './testing/tally.ts';

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const response = await routeDORequest(request, env, { otherPaths: true });
    return response ?? new Response('Not found', { status: 404 });
  },
};

/** Records the executed calls in its storage. */
class Stored extends DurableObject<Env> {
  get notes(): SyncKvStorage {
    return this.ctx.storage.kv;
  }
}

const Subject = subjectOn(Stored);

export const Hibernating = lumenizeRpcDO(Subject, contract, { ...frank, use: [bytes] });
export type Hibernating = InstanceType<typeof Hibernating>;

export const Resident = lumenizeRpcDO(Subject, contract, {
  ...frank,
  hibernate: false,
  use: [bytes],
});
export type Resident = InstanceType<typeof Resident>;

/** Shows its incoming messages. */
export const Shown = lumenizeRpcDO(Subject, contract, { ...frank, use: [debug, bytes] });
export type Shown = InstanceType<typeof Shown>;

/** Shows its subscriptions and their messages. */
export const ShownBroadcaster = lumenizeRpcDO(Broadcaster, broadcasts, { use: [debug] });
export type ShownBroadcaster = InstanceType<typeof ShownBroadcaster>;

/** Remembers its clients for a day. */
export const Remembering = lumenizeRpcDO(Subject, contract, { journalAge: 24 * 3_600_000 });
export type Remembering = InstanceType<typeof Remembering>;

const compiled = compileContract(contract, { ...frank, use: [bytes] });

/** Wires the three handlers itself. */
export class Manual extends Subject {
  override async fetch(request: Request): Promise<Response> {
    return (await handleRpcRequest(request, this, compiled)) ?? new Response('mine');
  }

  override webSocketMessage(ws: WebSocket, message: string | ArrayBuffer): void {
    handleRpcMessage(ws, message, this, compiled);
  }

  override webSocketClose(ws: WebSocket, code: number, reason: string): void {
    handleRpcClose(ws, code, reason, this, compiled);
  }

  override webSocketError(ws: WebSocket, error: unknown): void {
    handleRpcClose(ws, 1006, String(error), this, compiled);
  }
}

export const Discreet = lumenizeRpcDO(Subject, contract, discreet);
export type Discreet = InstanceType<typeof Discreet>;

/** Extends a wrapped class and overrides one of its methods. */
export class Extended extends Hibernating {
  override add(left: number, right: number): number {
    return 100 + super.add(left, right);
  }

  extra(): string {
    return 'extra';
  }
}

/** Belongs to a namespace without SQLite. */
export class Legacy extends Hibernating {}

/** Has its own `fetch`, its own WebSockets and its own auto-response besides RPC. */
class Chat extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('marco', 'polo'));
  }

  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get('Upgrade') !== 'websocket') {
      // The runtime reports an unread body as an error.
      await request.text();
      return new Response(`${request.method} ${new URL(request.url).pathname}`);
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, ['chat']);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(ws: WebSocket, message: string | ArrayBuffer): void {
    ws.send(`heard ${message}`);
  }

  override webSocketClose(ws: WebSocket, code: number, reason: string): void {
    this.ctx.storage.kv.put('closed', `${code} ${reason}`);
    ws.close(code, reason);
  }

  /** The tags of the sockets that had an error. */
  readonly errors: string[][] = [];

  override webSocketError(ws: WebSocket): void {
    this.errors.push(this.ctx.getTags(ws));
  }

  say(text: string): number {
    const sockets = this.ctx.getWebSockets('chat');
    for (const socket of sockets) socket.send(text);
    return sockets.length;
  }

  closed(): string | undefined {
    return this.ctx.storage.kv.get<string>('closed');
  }
}

const WrappedChat = lumenizeRpcDO(
  Chat,
  { say: [Type.String()], closed: read() },
  { limits: { connections: 2 } },
);
type WrappedChat = InstanceType<typeof WrappedChat>;
export { WrappedChat as Chat };

export interface TestEnv extends Env {
  HIBERNATING: DurableObjectNamespace<Hibernating>;
  RESIDENT: DurableObjectNamespace<Resident>;
  SHOWN: DurableObjectNamespace<Shown>;
  MANUAL: DurableObjectNamespace<Manual>;
  DISCREET: DurableObjectNamespace<Discreet>;
  EXTENDED: DurableObjectNamespace<Extended>;
  LEGACY: DurableObjectNamespace<Legacy>;
  REMEMBERING: DurableObjectNamespace<Remembering>;
  CHAT: DurableObjectNamespace<WrappedChat>;
  HOOKED: DurableObjectNamespace<Hooked>;
  WATCHED: DurableObjectNamespace<Watched>;
  JOINED: DurableObjectNamespace<Reported>;
  REPORTED: DurableObjectNamespace<Reported>;
  MEMBERS: DurableObjectNamespace<Members>;
  SHOWN_BROADCASTER: DurableObjectNamespace<ShownBroadcaster>;
  VERSIONED: DurableObjectNamespace<Versioned>;
  TALLY: DurableObjectNamespace<Tally>;
  WOKEN_RELAY: DurableObjectNamespace<WokenRelay>;
}
