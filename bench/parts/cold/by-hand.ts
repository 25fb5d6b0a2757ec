/** A counter without a library, whose object exchanges the same frames as the floor. */
import { StoredCounter } from './stored-counter.ts';

export class Counter extends StoredCounter {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string): void {
    const [id, method, by] = JSON.parse(message) as [number, string, number?];
    if (method !== 'increment') throw new Error(`${method} is not a method`);
    socket.send(JSON.stringify([id, this.increment(by)]));
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }
}

export { default } from './stored-counter.ts';
