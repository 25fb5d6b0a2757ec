/** Frames over one WebSocket. Imports transport and wire/. */
import { RpcError } from '../wire/errors.ts';
import { SUBPROTOCOL } from '../wire/messages.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** What the transport needs of a WebSocket class; every runtime's own one has it. */
export interface WebSocketClass {
  new (url: string, protocols: string[]): WebSocketLike;
}

interface WebSocketLike {
  send(frame: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

/**
 * @param url - of the object's `call` path; `http:` and `https:` become `ws:` and `wss:`
 * @param protocols - offered beside the runtime's own
 * @param Socket - the WebSocket class to use
 */
export function webSocketTransport(
  url: string,
  protocols: readonly string[],
  Socket: WebSocketClass,
): Transport {
  let socket: WebSocketLike | undefined;
  return {
    connect(events) {
      socket = new Socket(url.replace(/^http/, 'ws'), [SUBPROTOCOL, ...protocols]);
      listen(socket, events, () => {
        const current = socket !== undefined;
        socket = undefined;
        return current;
      });
    },
    send(frame) {
      socket?.send(frame);
    },
    close() {
      const closing = socket;
      socket = undefined;
      closing?.close(1000);
    },
  };
}

/** @param forget - called once the socket is gone; says whether anyone still wanted it */
function listen(socket: WebSocketLike, events: TransportEvents, forget: () => boolean): void {
  socket.addEventListener('open', () => events.opened());
  socket.addEventListener('message', (event) => {
    const { data } = event as Event & { data: unknown };
    events.received(String(data));
  });
  // A `close` event always follows an `error` event, and says more.
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', (event) => {
    const { code, reason } = event as Event & { code: number; reason: string };
    if (!forget()) return;
    const why = reason ? `${code}: ${reason}` : `code ${code}`;
    events.lost(new RpcError('DISCONNECTED', `The connection was closed (${why})`));
  });
}
