/** Sends any frame to an object by a port, past the client, and reads what comes back. */
import { onTestFinished } from 'vitest';
import {
  type CompiledContract,
  type ServedPort,
  servePort,
  type ServePortOptions,
} from '../../src/server.ts';

/**
 * Serves an object over a port until the test has finished.
 *
 * @param hear - called with each message to the client's end
 */
export function openPort(
  instance: object,
  contract: CompiledContract,
  options: ServePortOptions | undefined,
  hear: (data: unknown) => void,
): { port: MessagePort; served: ServedPort } {
  const { port1: port, port2 } = new MessageChannel();
  const served = servePort(port2, instance, contract, options);
  onTestFinished(() => served.close());
  port.addEventListener('message', (event) => hear((event as MessageEvent).data));
  port.start();
  return { port, served };
}

export class RawPort {
  readonly served: ServedPort;
  /** Sends messages as one frame. */
  readonly send: (...messages: string[]) => void;
  /** What nobody has asked for yet. */
  readonly #received: string[] = [];
  #wake = (): void => {};

  constructor(instance: object, contract: CompiledContract, options?: ServePortOptions) {
    const { port, served } = openPort(instance, contract, options, (data) => {
      this.#received.push(Array.isArray(data) ? `closed ${data.join(' ')}` : String(data));
      this.#wake();
    });
    this.send = (...messages) => port.postMessage(`[${messages.join()}]`);
    this.served = served;
  }

  /** The next frame, or `closed`, the close code and the reason. */
  async next(): Promise<string> {
    while (this.#received.length === 0) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#received.shift() as string;
  }

  /** Sends messages as one frame, and returns the next frame that comes. */
  ask(...messages: string[]): Promise<string> {
    this.send(...messages);
    return this.next();
  }
}
