/** The worker under test in a bare workerd, and clients of it. Imports harness/ and the client. */
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
} from '../../template/src/rpc/client.ts';
import { RawClient } from '../connection/raw-client.ts';
import { SpySocket } from '../connection/watched.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The names of the Durable Object bindings. */
export type Binding = 'DEFAULT' | 'RESIDENT' | 'STRICT';

/** Delays that do not keep a test waiting. */
const BRIEFLY = { minDelay: 10, maxDelay: 100 };

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

export class Place {
  readonly runtime: Runtime;
  #clients = 0;

  private constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /**
   * For the tests of a file; it ends with the last of them.
   *
   * @param inspected - whether `heapOf` can be asked of its runtime
   */
  static async forTests(inspected = false): Promise<Place> {
    const config = join(import.meta.dirname, 'wrangler.jsonc');
    const place = new Place(await Runtime.serve({ config, inspected }));
    afterAll(() => place.runtime.stop());
    return place;
  }

  connect(instance: string, options: RpcClientOptions = {}, binding: Binding = 'DEFAULT'): Client {
    const all = { baseUrl: this.runtime.url, reconnect: BRIEFLY, ...options };
    return createRpcClient<Default>(binding, instance, all);
  }

  /** A client, and the sockets that it makes. */
  spy(instance: string, options: RpcClientOptions = {}): { client: Client; sockets: SpySocket[] } {
    const sockets: SpySocket[] = [];
    class Spy extends SpySocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    }
    return { client: this.connect(instance, { ...options, WebSocket: Spy }), sockets };
  }

  /** @param user - whom the router names */
  async raw(instance: string, binding: Binding = 'DEFAULT', user?: string): Promise<RawSubscriber> {
    const protocols = user ? [`as.${user}`] : [];
    const id = `raw${++this.#clients}`;
    return new RawSubscriber(await RawClient.open(this.urlOf(instance, binding), id, ...protocols));
  }

  /** Where an object is called. */
  urlOf(instance: string, binding: Binding = 'DEFAULT'): string {
    return `${this.runtime.url}/__rpc/${binding}/${encodeURIComponent(instance)}/call`;
  }

  /** Calls by native Workers RPC, as another Worker does. */
  async native(instance: string, call: { text: string } | { topic: string }): Promise<void> {
    const query = new URLSearchParams({ instance, ...call });
    await fetch(`${this.runtime.url}/native?${query}`);
  }
}
