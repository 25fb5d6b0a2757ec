/** Returns the bytes that it receives: by a method, and by hand. */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { lumenizeRpcDO, read, routeDORequest } from '../../runtime/src/server.ts';

class FilesImpl extends DurableObject<Env> {
  echo(bytes: ArrayBuffer): ArrayBuffer {
    return bytes;
  }

  /** The same, with an answer in the journal. */
  store(bytes: ArrayBuffer): ArrayBuffer {
    return bytes;
  }
}

const buffer = Type.Unsafe<ArrayBuffer>(Type.Unknown());

export const Files = lumenizeRpcDO(FilesImpl, {
  echo: read([buffer]),
  store: [buffer],
});
export type Files = InstanceType<typeof Files>;

/** A binary frame by hand, as in the guide to Durable Objects. */
export class ByHand extends DurableObject<Env> {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    socket.send(message);
  }
}

interface BenchEnv extends Record<string, unknown> {
  BY_HAND: DurableObjectNamespace<ByHand>;
}

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/by-hand') return env.BY_HAND.getByName('one').fetch(request);
    const response = await routeDORequest(request, env, { prefix: '/__rpc' });
    return response ?? new Response('Not found', { status: 404 });
  },
};
