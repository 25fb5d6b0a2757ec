/**
 * The worker that is measured: every contender's Durable Object runs the same `CounterImpl`.
 * The floors are what a careful person writes by hand: one WebSocket, tiny JSON, no library. They
 * are the measure of everything else, so they are never tuned. Imports ../src/ only.
 */
import { Counter, CounterImpl } from '../src/counter.ts';
import { routeDORequest } from '../src/rpc/server.ts';

export { Counter };

/** What a floor's client sends; `by` only with `increment`. */
export type FloorCall = [id: number, method: 'increment' | 'getValue', by?: number];

/** What a floor answers. */
export type FloorAnswer = [id: number, value: number];

interface PerfEnv extends Env {
  PLAIN_FLOOR: DurableObjectNamespace<PlainFloor>;
  HIBERNATING_FLOOR: DurableObjectNamespace<HibernatingFloor>;
}

/** The floor for objects that stay in memory while a socket is open. */
export class PlainFloor extends CounterImpl {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    server.addEventListener('message', ({ data }) => server.send(answer(this, data as string)));
    return new Response(null, { status: 101, webSocket: client });
  }
}

/** The floor for objects that may sleep while a socket is open, as this RPC's do. */
export class HibernatingFloor extends CounterImpl {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string): void {
    socket.send(answer(this, message));
  }
}

function answer(counter: CounterImpl, message: string): string {
  const [id, method, by] = JSON.parse(message) as FloorCall;
  const value = method === 'increment' ? counter.increment(by) : counter.getValue();
  return JSON.stringify([id, value] satisfies FloorAnswer);
}

export default {
  async fetch(request, env) {
    const response = await routeDORequest(request, env, { prefix: '/__rpc' });
    if (response) return response;
    const [, floor, name = ''] = new URL(request.url).pathname.split('/');
    if (floor === 'plain') return env.PLAIN_FLOOR.getByName(name).fetch(request);
    if (floor === 'hibernating') return env.HIBERNATING_FLOOR.getByName(name).fetch(request);
    return new Response('Not found', { status: 404 });
  },
} satisfies ExportedHandler<PerfEnv>;
