/**
 * The floors: careful code by hand, without a library: one WebSocket or POST, short JSON, raw bytes. All
 * contenders are compared with them, so they are never tuned.
 */
import { callByName, type Measured, type MeasuredClass } from './measured-class.ts';

/** A call from a floor's client. */
export type FloorCall = [id: number, method: string, ...args: unknown[]];

/** An answer of a floor, or an event, which has the id 0. */
export type FloorAnswer = [id: number, value: unknown];

export interface Floors {
  PlainFloor: MeasuredClass;
  HibernatingFloor: MeasuredClass;
  PostFloor: MeasuredClass;
}

/** @param methods - those that clients can call */
export function floorsOf(Class: MeasuredClass, methods: ReadonlySet<string>): Floors {
  /** @param sockets - all that are connected */
  const answer = (
    object: Measured,
    message: string | ArrayBuffer,
    sockets: Iterable<WebSocket> = [],
  ): string | ArrayBuffer => {
    if (typeof message !== 'string') return object.perfEcho(message) as ArrayBuffer;
    const [id, method, ...args] = JSON.parse(message) as FloorCall;
    if (method === 'perfAnnounce') {
      const event = JSON.stringify([0, args[0]] satisfies FloorAnswer);
      for (const socket of sockets) socket.send(event);
      return JSON.stringify([id, null] satisfies FloorAnswer);
    }
    if (!methods.has(method)) throw new Error(`There is no method ${method}`);
    return JSON.stringify([id, callByName(object, method, args)] satisfies FloorAnswer);
  };

  return {
    /** The floor for objects that stay in memory while a socket is open. */
    PlainFloor: class extends Class {
      readonly #sockets = new Set<WebSocket>();

      override fetch(): Response {
        const { 0: client, 1: server } = new WebSocketPair();
        server.binaryType = 'arraybuffer';
        server.accept();
        this.#sockets.add(server);
        server.addEventListener('close', () => this.#sockets.delete(server));
        server.addEventListener('message', ({ data }) =>
          server.send(answer(this, data, this.#sockets)),
        );
        return new Response(null, { status: 101, webSocket: client });
      }
    },

    /** The floor for objects that may sleep while a socket is open, as this RPC's do. */
    HibernatingFloor: class extends Class {
      override fetch(): Response {
        const { 0: client, 1: server } = new WebSocketPair();
        this.ctx.acceptWebSocket(server);
        return new Response(null, { status: 101, webSocket: client });
      }

      override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
        socket.send(answer(this, message, this.ctx.getWebSockets()));
      }

      // Otherwise a client waits ten seconds for the end of a socket that it has closed.
      override webSocketClose(socket: WebSocket): void {
        socket.close();
      }
    },

    /** The floor for calls that are a POST each. */
    PostFloor: class extends Class {
      override async fetch(request: Request): Promise<Response> {
        const isJson = request.headers.get('Content-Type') === 'application/json';
        return new Response(
          answer(this, isJson ? await request.text() : await request.arrayBuffer()),
        );
      }
    },
  };
}
