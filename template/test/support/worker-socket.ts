/**
 * WebSocket classes whose connections need no network: the upgrade is a call of a Worker's `fetch`,
 * as it is from another Worker by a service binding.
 */
import { exports } from 'cloudflare:workers';
import type { WebSocketClass } from '../../src/rpc/client/options.ts';

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
      // Frames with bytes, where they come, come at once.
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
 * A socket that could not be connected has said so by its `close` event, and as in a browser nothing
 * comes of what is sent on one that has been closed.
 */
function ignore(): void {}

/** Connects to the Worker under test. */
export const WorkerSocket = workerSocket((request) => exports.default.fetch(request));
