/** The worker under test in a bare workerd, and clients of it. Imports harness/ and the client. */
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import { until } from '../../harness/waiting.mjs';
import {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
} from '../../template/src/rpc/client.ts';
import { callbacks } from '../../template/src/rpc/client/callbacks.ts';
import { RawClient } from '../connection/raw-client.ts';
import { SpySocket } from '../connection/watched.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The names of the Durable Object bindings. */
export type Binding = 'DEFAULT' | 'RESIDENT' | 'STRICT' | 'CHANGED';

/** Delays that do not keep a test waiting. */
const BRIEFLY = { minDelay: 10, maxDelay: 100 };

export class Place {
  readonly runtime: Runtime;
  #clients = 0;

  private constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** For the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Place> {
    const config = join(import.meta.dirname, 'wrangler.jsonc');
    const place = new Place(await Runtime.serve({ config }));
    afterAll(() => place.runtime.stop());
    return place;
  }

  connect(instance: string, options: RpcClientOptions = {}, binding: Binding = 'DEFAULT'): Client {
    const all = { baseUrl: this.runtime.url, reconnect: BRIEFLY, callbacks, ...options };
    return createRpcClient<Default>(binding, instance, all);
  }

  /** A client, and the sockets that it makes. */
  spy(instance: string, binding: Binding = 'DEFAULT'): { client: Client; sockets: SpySocket[] } {
    const sockets: SpySocket[] = [];
    class Spy extends SpySocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    }
    return { client: this.connect(instance, { WebSocket: Spy }, binding), sockets };
  }

  /**
   * A connection that says what it is told.
   *
   * @param user - whom the router names
   */
  raw(
    instance: string,
    binding: Binding = 'DEFAULT',
    user?: string,
    id = `raw${++this.#clients}`,
  ): Promise<RawClient> {
    return RawClient.open(this.urlOf(instance, binding), id, ...(user ? [`as.${user}`] : []));
  }

  /** Where an object is called. */
  urlOf(instance: string, binding: Binding = 'DEFAULT'): string {
    return `${this.runtime.url}/__rpc/${binding}/${encodeURIComponent(instance)}/call`;
  }
}

/** Waits until a method of the object waits to be released. */
export async function holding(client: Client, name: string): Promise<void> {
  await until(() => client.isHolding(name));
}
