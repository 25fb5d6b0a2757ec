/**
 * WebSockets without a network. The upgrade is a call of a Worker's `fetch`, like the upgrade from another Worker
 * through a service binding.
 */
import type { WebSocketClass } from '../client/options.ts';

/** The network that carries the sockets. */
export interface Carrier {
  /** Answers an upgrade. */
  answer(request: Request): Promise<Response>;
  /** @param lose - ends the socket, as a failing network does */
  opened(lose: () => void): void;
  ended(lose: () => void): void;
  /** A message has arrived. If the socket is lost now, the message is also lost. */
  arrived(message: unknown): void;
}

export function workerSocket(carrier: Carrier): WebSocketClass {
  return class WorkerSocket extends EventTarget {
    readonly #connected: Promise<WebSocket>;
    #hasEnded = false;

    constructor(url: string, protocols: string[]) {
      super();
      carrier.opened(this.#lose);
      this.#connected = this.#connect(url.replace(/^ws/, 'http'), protocols.join(', '));
      this.#connected.catch(() => this.#end(1006, ''));
    }

    send(frame: string | ArrayBuffer): void {
      this.#connected.then((socket) => this.#hasEnded || socket.send(frame)).catch(ignore);
    }

    close(code?: number, reason?: string): void {
      this.#connected.then((socket) => socket.close(code, reason), ignore);
    }

    async #connect(url: string, protocols: string): Promise<WebSocket> {
      const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols };
      const { status, webSocket } = await carrier.answer(new Request(url, { headers }));
      if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
      webSocket.addEventListener('message', ({ data }) => {
        if (!this.#hasEnded) carrier.arrived(data);
        this.#emit('message', { data });
      });
      webSocket.addEventListener('close', ({ code, reason }) => this.#end(code, reason));
      // Binary frames then arrive as ArrayBuffers, which are read synchronously.
      webSocket.binaryType = 'arraybuffer';
      webSocket.accept();
      queueMicrotask(() => this.#emit('open', {}));
      return webSocket;
    }

    readonly #lose = (): void => {
      this.#end(1006, '');
      // The object learns of the loss, as it would sooner or later.
      this.close(3000, 'The connection was cut');
    };

    #end(code: number, reason: string): void {
      this.#emit('close', { code, reason });
      this.#hasEnded = true;
      carrier.ended(this.#lose);
    }

    #emit(type: string, properties: object): void {
      if (!this.#hasEnded) this.dispatchEvent(Object.assign(new Event(type), properties));
    }
  };
}

/**
 * A socket that could not connect has reported so with its `close` event. As in a browser, messages to a
 * closed socket are ignored.
 */
function ignore(): void {}
