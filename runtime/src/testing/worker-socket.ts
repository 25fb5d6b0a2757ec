/**
 * WebSocket classes that connect without a network. The upgrade is a call of a Worker's `fetch`, like the
 * upgrade from another Worker through a service binding.
 */
import { exports } from 'cloudflare:workers';
import type { WebSocketClass } from '../client/options.ts';

/** @param fetchWorker - answers the upgrade */
export function workerSocket(
  fetchWorker: (request: Request) => Response | Promise<Response>,
): WebSocketClass {
  return class WorkerSocket extends EventTarget {
    readonly #connected: Promise<WebSocket>;

    constructor(url: string, protocols: string[]) {
      super();
      this.#connected = this.#connect(url.replace(/^ws/, 'http'), protocols.join(', '));
      this.#connected.catch(() => this.#emit('close', { code: 1006, reason: '' }));
    }

    send(frame: string | ArrayBuffer): void {
      this.#connected.then((socket) => socket.send(frame)).catch(ignore);
    }

    close(code?: number, reason?: string): void {
      this.#connected.then((socket) => socket.close(code, reason), ignore);
    }

    async #connect(url: string, protocols: string): Promise<WebSocket> {
      const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols };
      const { status, webSocket } = await fetchWorker(new Request(url, { headers }));
      if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
      webSocket.addEventListener('message', ({ data }) => this.#emit('message', { data }));
      webSocket.addEventListener('close', ({ code, reason }) =>
        this.#emit('close', { code, reason }),
      );
      // Binary frames then arrive as ArrayBuffers, which are read synchronously.
      webSocket.binaryType = 'arraybuffer';
      webSocket.accept();
      queueMicrotask(() => this.#emit('open', {}));
      return webSocket;
    }

    #emit(type: string, properties: object): void {
      this.dispatchEvent(Object.assign(new Event(type), properties));
    }
  };
}

/**
 * A socket that could not connect has reported so with its `close` event. As in a browser, messages to a
 * closed socket are ignored.
 */
function ignore(): void {}

/** Connects to the Worker under test. */
export const WorkerSocket = workerSocket((request) =>
  (exports as unknown as { default: Fetcher }).default.fetch(request),
);
