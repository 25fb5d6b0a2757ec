/** The worker under test in a bare workerd, and clients of it. */
import type { RpcClient } from '../../../../src/client.ts';
import type { RawClient } from '../../../served/raw-client.ts';
import { ServedPlace, serveForTests } from '../../../served/place.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { DEFAULT: 'Default', RESIDENT: 'Resident', STRICT: 'Strict' } as const;
export type Binding = keyof typeof BINDINGS;

/** The ids that a test may use for calls of its own before each exchange. */
const FENCE = 100;

/** A client that sends frames as they are told. */
export class RawSubscriber {
  readonly #client: RawClient;
  #exchanges = 0;

  constructor(client: RawClient) {
    this.#client = client;
  }

  /**
   * Sends frames, and then a call: all messages that arrive before its answer. Calls of the first
   * exchange have ids below 100, of the second those from 101 on, and so forth.
   */
  async exchange(...frames: string[]): Promise<unknown[][]> {
    for (const frame of frames) this.#client.send(frame);
    const fence = ++this.#exchanges * FENCE;
    this.#client.send(`[[${fence},"lives"]]`);
    return this.#client.upTo(fence);
  }

  /** The next frame that arrives. */
  next(): Promise<string> {
    return this.#client.next();
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

export class Place extends ServedPlace<Default, Binding> {
  /**
   * For the tests of a file; it ends with the last of them.
   *
   * @param inspected - whether its runtime can be asked for its `heap`
   */
  static async forTests(inspected = false): Promise<Place> {
    return new Place(await serveForTests(import.meta.dirname, BINDINGS, { inspected }), 'DEFAULT');
  }

  /** @param user - whom the router names */
  async subscriber(instance: string, binding?: Binding, user?: string): Promise<RawSubscriber> {
    return new RawSubscriber(await this.raw(instance, binding, user));
  }

  /** Calls by native Workers RPC, as another Worker does. */
  async native(instance: string, call: { text: string } | { topic: string }): Promise<void> {
    const query = new URLSearchParams({ instance, ...call });
    await fetch(`${this.runtime.url}/native?${query}`);
  }
}
