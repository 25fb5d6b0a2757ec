/**
 * The floors: careful code by hand, without a library. It uses one WebSocket or POST, short JSON and raw bytes. All
 * contenders are compared with the floors, so they are never tuned.
 */
import { callByName, type Measured, type MeasuredClass } from './measured-class.ts';

/** A call from a floor's client. */
export type FloorCall = [id: number, method: string, ...args: unknown[]];

/** An answer of a floor, or an event, which has the id 0. Only a method that throws has the third part. */
export type FloorAnswer = [id: number, value?: unknown, error?: string];

type Answer = string | ArrayBuffer;

export interface Floors {
  PlainFloor: MeasuredClass;
  HibernatingFloor: MeasuredClass;
  PostFloor: MeasuredClass;
}

/** @param methods - the methods that clients can call */
export function floorsOf(Class: MeasuredClass, methods: ReadonlySet<string>): Floors {
  const text = (...answer: FloorAnswer): string => JSON.stringify(answer);
  const returned = (id: number, value: unknown): string =>
    value === undefined ? text(id) : text(id, value);
  const thrown = (id: number, error: unknown): string => text(id, null, String(error));

  /** @param sockets - all connected sockets */
  const answer = (
    object: Measured,
    message: string | ArrayBuffer,
    sockets: Iterable<WebSocket> = [],
  ): Answer | Promise<Answer> => {
    if (typeof message !== 'string') return object.perfEcho(message) as ArrayBuffer;
    const [id, method, ...args] = JSON.parse(message) as FloorCall;
    if (method === 'perfAnnounce') {
      const event = text(0, args[0]);
      for (const socket of sockets) socket.send(event);
      return text(id);
    }
    if (!methods.has(method)) return thrown(id, `There is no method ${method}`);
    try {
      const value = callByName(object, method, args);
      if (!(value instanceof Promise)) return returned(id, value);
      return value.then(
        (result) => returned(id, result),
        (error) => thrown(id, error),
      );
    } catch (error) {
      return thrown(id, error);
    }
  };
  const send = (socket: WebSocket, reply: Answer | Promise<Answer>): void => {
    if (reply instanceof Promise) void reply.then((one) => socket.send(one));
    else socket.send(reply);
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
          send(server, answer(this, data, this.#sockets)),
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
        send(socket, answer(this, message, this.ctx.getWebSockets()));
      }

      // Without this answer, a client waits ten seconds for the end of a socket that it has closed.
      override webSocketClose(socket: WebSocket): void {
        socket.close();
      }
    },

    /** The floor for calls that are a POST each. */
    PostFloor: class extends Class {
      override async fetch(request: Request): Promise<Response> {
        const isJson = request.headers.get('Content-Type') === 'application/json';
        return new Response(
          await answer(this, isJson ? await request.text() : await request.arrayBuffer()),
        );
      }
    },
  };
}
