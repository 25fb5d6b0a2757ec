/** Returns the value that it receives: by a method, by Cap'n Web, and by hand. Imports template/src. */
import { DurableObject } from 'cloudflare:workers';
import { newWorkersRpcResponse, RpcTarget } from 'capnweb';
import { Type } from 'typebox';
import { lumenizeRpcDO, routeDORequest } from '../../template/src/rpc/server.ts';

class ValuesImpl extends DurableObject<Env> {
  echo(value: unknown): unknown {
    return value;
  }
}

export const Values = lumenizeRpcDO(ValuesImpl, {
  echo: { input: [Type.Unknown()], readonly: true },
});
export type Values = InstanceType<typeof Values>;

export class EchoTarget extends RpcTarget {
  echo(value: unknown): unknown {
    return value;
  }
}

export class Capnweb extends DurableObject<Env> {
  override fetch(request: Request): Promise<Response> {
    return newWorkersRpcResponse(request, new EchoTarget());
  }
}

/** JSON by hand, on a socket that hibernates, as those of `Values` do. */
export class ByHand extends DurableObject<Env> {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string): void {
    const [id, value] = JSON.parse(message) as [id: number, value: unknown];
    socket.send(JSON.stringify([id, value]));
  }
}

interface BenchEnv extends Record<string, unknown> {
  CAPNWEB: DurableObjectNamespace<Capnweb>;
  BY_HAND: DurableObjectNamespace<ByHand>;
}

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/by-hand') return env.BY_HAND.getByName('one').fetch(request);
    if (pathname === '/capnweb') return env.CAPNWEB.getByName('one').fetch(request);
    const response = await routeDORequest(request, env, { prefix: '/__rpc' });
    return response ?? new Response('Not found', { status: 404 });
  },
};
