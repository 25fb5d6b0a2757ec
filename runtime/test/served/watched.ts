/** Clients whose connection the tests can follow. */
import {
  type ConnectionState,
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
  RpcError,
  type ConnectionDetails,
} from '../../src/client.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes of the worker under test, by the names of their bindings. */
export const BINDINGS = {
  DEFAULT: 'Default',
  UNJOURNALED: 'Unjournaled',
  RESIDENT: 'Resident',
  OWN_AUTO_RESPONSE: 'OwnAutoResponse',
  SMALL: 'Small',
  RATED: 'Rated',
  PLAIN: 'Plain',
  PAIR: 'Pair',
  RESIDENT_PAIR: 'ResidentPair',
} as const;
export type Binding = keyof typeof BINDINGS;

/** Delays that do not keep a test waiting. */
export const BRIEFLY = { minDelay: 10, maxDelay: 100 };

/** Of a call, in milliseconds: a slow machine does not reach it. */
export const LONG_TIMEOUT = 150_000;

/** A Node socket that remembers what passes and how much was waiting. */
export class SpySocket extends WebSocket {
  static readonly made: SpySocket[] = [];
  readonly sent: string[] = [];
  readonly received: string[] = [];
  /** The most that was waiting to be sent, in bytes. */
  mostBuffered = 0;

  constructor(url: string, protocols: string[]) {
    super(url, protocols);
    SpySocket.made.push(this);
    this.addEventListener('message', ({ data }) => this.received.push(String(data)));
  }

  override send(frame: string): void {
    super.send(frame);
    this.sent.push(frame);
    const { bufferedAmount } = this as { bufferedAmount?: number };
    this.mostBuffered = Math.max(this.mostBuffered, bufferedAmount ?? 0);
  }
}

/** A client, and the changes of its state in their order. */
export class Watched {
  readonly states: [ConnectionState, ConnectionDetails][] = [];
  /** Its sockets. */
  readonly sockets: SpySocket[] = [];
  readonly client: Client;
  /** How many states have been waited for. */
  #seen = 0;
  #wake = (): void => {};

  constructor(binding: Binding, instance: string, options: RpcClientOptions) {
    const { sockets } = this;
    this.client = createRpcClient<Default>(binding, instance, {
      reconnect: BRIEFLY,
      timeout: LONG_TIMEOUT,
      ...options,
      WebSocket: class extends SpySocket {
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

  /** Waits for the next change to a state, after those waited for before. */
  async next(wanted: ConnectionState): Promise<ConnectionDetails> {
    for (;;) {
      const [state, detail] = this.states[this.#seen] ?? [];
      if (state) this.#seen++;
      if (state === wanted) return detail as ConnectionDetails;
      if (!state) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  [Symbol.dispose](): void {
    this.client.close();
  }
}

/** What a call rejected with. */
export async function failureOf(call: PromiseLike<unknown>): Promise<RpcError> {
  const result = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in result)) throw new Error(`It was answered: ${JSON.stringify(result.value)}`);
  if (!(result.error instanceof RpcError)) throw result.error;
  return result.error;
}
