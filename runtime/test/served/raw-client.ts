/** A client that sends frames as they are told, over a WebSocket of its own. */
import { hear } from '../support/hear.ts';

export class RawClient {
  readonly #socket: WebSocket;
  readonly #received: string[] = [];
  #wake = (): void => {};

  private constructor(url: string, client: string, protocols: string[]) {
    const all = ['lumenize-rpc.1', `lumenize-rpc-client.${client}`, ...protocols];
    this.#socket = new WebSocket(url.replace(/^http/, 'ws'), all);
    hear(this.#socket, (frame) => {
      this.#received.push(frame as string);
      this.#wake();
    });
    this.#socket.addEventListener('close', ({ code, reason }) => {
      this.#received.push(`closed ${code} ${reason}`);
      this.#wake();
    });
  }

  /**
   * @param url - of the object's `call` path
   * @param protocols - offered beside those of the runtime
   */
  static async open(url: string, client: string, ...protocols: string[]): Promise<RawClient> {
    const made = new RawClient(url, client, protocols);
    await new Promise<void>((resolve, reject) => {
      made.#socket.addEventListener('open', () => resolve());
      made.#socket.addEventListener('error', () => reject(new Error('No connection')));
    });
    return made;
  }

  send(frame: string | ArrayBuffer): void {
    this.#socket.send(frame);
  }

  /** The next frame that arrives; at the end `closed`, the code and the reason. */
  async next(): Promise<string> {
    for (;;) {
      const frame = this.#received.shift();
      if (frame !== undefined) return frame;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Sends a frame and waits for so many answers. */
  async ask(frame: string, answers = 1): Promise<string> {
    this.send(frame);
    let received = await this.next();
    let count = (JSON.parse(received) as unknown[]).length;
    while (count < answers) {
      received = await this.next();
      count += (JSON.parse(received) as unknown[]).length;
    }
    return received;
  }

  /** The messages of all frames until one has an answer to a call, without that. */
  async upTo(id: number): Promise<unknown[][]> {
    const messages: unknown[][] = [];
    for (;;) {
      const frame = JSON.parse(await this.next()) as unknown[][];
      messages.push(...frame.filter(([first]) => first !== id));
      if (frame.some(([first]) => first === id)) return messages;
    }
  }

  close(): void {
    this.#socket.close(1000);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
