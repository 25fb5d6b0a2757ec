/** Objects that return the bytes that they receive, by a method and by hand. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../runtime/src/typebox.ts';
import { bytes, lumenizeRpcDO, read, type RpcObject } from '../../../runtime/src/server.ts';

class FilesImpl extends DurableObject<Env> {
  echo(value: ArrayBuffer): ArrayBuffer {
    return value;
  }

  /** Returns the bytes, with an answer in the journal. */
  store(value: ArrayBuffer): ArrayBuffer {
    return value;
  }
}

const buffer = Type.Unsafe<ArrayBuffer>(Type.Unknown());

export const Files = lumenizeRpcDO(
  FilesImpl,
  {
    echo: read([buffer]),
    store: [buffer],
  },
  { use: [bytes] },
);
export type Files = RpcObject<typeof Files>;

/** Returns binary frames by hand, as in the guide to Durable Objects. */
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

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
