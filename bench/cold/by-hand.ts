/** A counter by hand: the same exchange as the floor's, without a library. */
import { DurableObject } from 'cloudflare:workers';

interface ColdEnv {
  COUNTER: DurableObjectNamespace<ByHand>;
}

export class ByHand extends DurableObject<ColdEnv> {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string): void {
    const [id, method, by] = JSON.parse(message) as [number, string, number?];
    if (method !== 'increment') throw new Error(`There is no method ${method}`);
    socket.send(JSON.stringify([id, this.#increment(by)]));
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  #increment(by = 1): number {
    const value = (this.ctx.storage.kv.get<number>('value') ?? 0) + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }
}

export default {
  fetch(request, env) {
    return env.COUNTER.getByName(new URL(request.url).pathname).fetch(request);
  },
} satisfies ExportedHandler<ColdEnv>;
