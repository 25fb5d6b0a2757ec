/** Clients whose connections a test can follow. The module runs in Node. */
import {
  type ConnectionDetails,
  type ConnectionState,
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
} from '../../src/client.ts';

/** Delays that do not slow down a test. */
export const BRIEFLY = { minDelay: 10, maxDelay: 100 };

/**
 * The options of all clients: BRIEFLY, and timeouts in milliseconds that a slow machine does not
 * reach.
 */
export const PATIENT = { reconnect: BRIEFLY, timeout: 150_000, connectTimeout: 60_000 };

/** A socket of Node that records its messages, and the bytes that wait to be sent. */
class WatchedSocket extends WebSocket {
  readonly sent: string[] = [];
  readonly received: string[] = [];
  /** The greatest number of bytes that waited to be sent. */
  mostBuffered = 0;

  constructor(url: string, protocols: string[]) {
    super(url, protocols);
    this.addEventListener('message', ({ data }) => this.received.push(String(data)));
  }

  override send(frame: string): void {
    super.send(frame);
    this.sent.push(frame);
    const { bufferedAmount } = this as { bufferedAmount?: number };
    this.mostBuffered = Math.max(this.mostBuffered, bufferedAmount ?? 0);
  }
}

/** A client, its sockets, and the changes of its state in order. */
export class Watched<Target> implements Disposable {
  readonly states: [ConnectionState, ConnectionDetails][] = [];
  readonly sockets: WatchedSocket[] = [];
  readonly client: RpcClient<Target>;
  /** The number of state changes that a test has waited for. */
  #seen = 0;
  #wake = (): void => {};

  constructor(binding: string, instance: string, options: RpcClientOptions) {
    const { sockets } = this;
    this.client = createRpcClient<Target>(binding, instance, {
      ...PATIENT,
      ...options,
      WebSocket: class extends WatchedSocket {
        constructor(url: string, protocols: string[]) {
          super(url, protocols);
          sockets.push(this);
        }
      },
      onStateChange: (state, detail) => {
        this.states.push([state, detail]);
        this.#wake();
      },
    });
  }

  get stateNames(): ConnectionState[] {
    return this.states.map(([state]) => state);
  }

  /** Waits for the next change to a state, after the changes that a test has waited for. */
  async next(wanted: ConnectionState): Promise<ConnectionDetails> {
    for (;;) {
      const [state, detail] = this.states[this.#seen] ?? [];
      if (state) this.#seen++;
      if (state === wanted) return detail as ConnectionDetails;
      if (!state) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  [Symbol.dispose](): void {
    this.client.close();
  }
}
