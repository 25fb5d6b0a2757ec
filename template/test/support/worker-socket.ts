/**
 * A WebSocket class whose connections go to the Worker under test without a network: the upgrade is
 * a `fetch` to the Worker, as it is from another Worker by a service binding.
 */
import { exports } from 'cloudflare:workers';

export class WorkerSocket extends EventTarget {
  readonly #connected: Promise<WebSocket>;

  constructor(url: string, protocols: string[]) {
    super();
    this.#connected = this.#connect(url.replace(/^ws/, 'http'), protocols.join(', '));
    this.#connected.catch(() => this.#emit('close', { code: 1006, reason: '' }));
  }

  send(frame: string): void {
    void this.#connected.then((socket) => socket.send(frame));
  }

  close(code?: number, reason?: string): void {
    void this.#connected.then((socket) => socket.close(code, reason));
  }

  async #connect(url: string, protocols: string): Promise<WebSocket> {
    const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols };
    const { status, webSocket } = await exports.default.fetch(new Request(url, { headers }));
    if (!webSocket) throw new Error(`The upgrade was answered with ${status}`);
    webSocket.addEventListener('message', ({ data }) => this.#emit('message', { data }));
    webSocket.addEventListener('close', ({ code, reason }) =>
      this.#emit('close', { code, reason }),
    );
    webSocket.accept();
    queueMicrotask(() => this.#emit('open', {}));
    return webSocket;
  }

  #emit(type: string, properties: object): void {
    this.dispatchEvent(Object.assign(new Event(type), properties));
  }
}
