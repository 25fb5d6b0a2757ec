/** A network between the page and the object that can be cut. Its WebSockets send frames over a `MessagePort`. */
import type { OverPort, ToWorker } from './messages.ts';

/** The state of the network, which a page shows. */
export type Passage = 'sent' | 'received' | 'lost' | 'cut' | 'restored';

/** The time that the connection stays cut after a lost answer, in milliseconds. A reader has to be able to see it. */
const OUTAGE = 1_500;

type Data = string | ArrayBuffer;

export class Network {
  readonly #worker: Worker;
  readonly #show: (passage: Passage, frame?: string) => void;
  readonly #sockets = new Set<CuttableSocket>();
  #isCut = false;
  #losesNextAnswer = false;

  /** @param worker - the web worker with the object */
  constructor(worker: Worker, show: (passage: Passage, frame?: string) => void) {
    this.#worker = worker;
    this.#show = show;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  cut(): void {
    this.#isCut = true;
    this.#show('cut');
    for (const socket of this.#sockets) socket.lose();
    this.#sockets.clear();
  }

  restore(): void {
    this.#isCut = false;
    this.#show('restored');
  }

  /** Cuts the connection after the object has answered the next call, and before the answer arrives. */
  loseNextAnswer(): void {
    this.#losesNextAnswer = true;
  }

  /** Opens a connection for a socket; `undefined` while the network is cut. */
  connect(socket: CuttableSocket, url: string, protocols: string[]): MessagePort | undefined {
    if (this.#isCut) return undefined;
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ kind: 'connect', url, protocols } satisfies ToWorker, [port2]);
    this.#sockets.add(socket);
    return port1;
  }

  sent(data: Data): void {
    this.#showFrame('sent', data);
  }

  /** @returns true if a frame arrives */
  arrives(data: Data): boolean {
    const isAnswer = /^\[\[?\d/.test(String(data));
    if (isAnswer && this.#losesNextAnswer) {
      this.#losesNextAnswer = false;
      this.#showFrame('lost', data);
      this.cut();
      setTimeout(() => this.restore(), OUTAGE);
      return false;
    }
    this.#showFrame('received', data);
    return true;
  }

  /** Pings are not shown. */
  #showFrame(passage: Passage, data: Data): void {
    const frame = String(data);
    if (frame !== '[]') this.#show(passage, frame);
  }
}

/** The page's end of a WebSocket. The client gets it by the option `WebSocket`. */
class CuttableSocket extends EventTarget {
  readonly #network: Network;
  #port: MessagePort | undefined;

  constructor(network: Network, url: string, protocols: string[]) {
    super();
    this.#network = network;
    this.#port = network.connect(this, url, protocols);
    if (!this.#port) setTimeout(() => this.#end(1006, 'The network is cut'));
    this.#port?.addEventListener('message', ({ data }: MessageEvent<OverPort>) => {
      // A message may still be on its way after the connection was cut and the port is gone.
      if (!this.#port) return;
      if (data.kind === 'open') this.dispatchEvent(new Event('open'));
      else if (data.kind === 'close') this.#end(data.code, data.reason);
      else if (network.arrives(data.data))
        this.dispatchEvent(new MessageEvent('message', { data: data.data }));
    });
    this.#port?.start();
  }

  send(data: Data): void {
    this.#network.sent(data);
    this.#tell({ kind: 'frame', data });
  }

  close(code = 1000, reason = ''): void {
    this.#tell({ kind: 'close', code, reason });
    this.#end(code, reason);
  }

  /** Ends the connection at both ends, as a cut network does. */
  lose(): void {
    this.#tell({ kind: 'close', code: 1006, reason: '' });
    this.#end(1006, '');
  }

  #tell(message: OverPort): void {
    this.#port?.postMessage(message);
  }

  #end(code: number, reason: string): void {
    this.#port = undefined;
    this.dispatchEvent(new CloseEvent('close', { code, reason }));
  }
}

/** The class of the WebSockets of a network. */
export function socketsOf(
  network: Network,
): new (url: string, protocols: string[]) => CuttableSocket {
  return class extends CuttableSocket {
    constructor(url: string, protocols: string[]) {
      super(network, url, protocols);
    }
  };
}
