/** The worker under test in a bare workerd, and clients of it. Imports harness/ and the client. */
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
} from '../../template/src/rpc/client.ts';
import { capabilities } from '../../template/src/rpc/client/capabilities.ts';
import { RawClient } from '../connection/raw-client.ts';
import { SpySocket } from '../connection/watched.ts';
import type { Bank } from './bank.ts';

export type Client = RpcClient<Bank>;

/** The names of the Durable Object bindings. */
export type Binding = 'BANK' | 'RESIDENT' | 'UNJOURNALED' | 'SCRUBBING';

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

  /** Gives the objects other code. */
  async deployNext(): Promise<void> {
    await this.runtime.deploy({ config: join(import.meta.dirname, 'next.jsonc') });
  }

  connect(instance: string, options: RpcClientOptions = {}, binding: Binding = 'BANK'): Client {
    const all = { baseUrl: this.runtime.url, reconnect: BRIEFLY, capabilities, ...options };
    return createRpcClient<Bank>(binding, instance, all);
  }

  /** A client, and the sockets that it makes. */
  spy(instance: string, binding?: Binding): { client: Client; sockets: SpySocket[] } {
    const sockets: SpySocket[] = [];
    class Spy extends SpySocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    }
    return { client: this.connect(instance, { WebSocket: Spy }, binding), sockets };
  }

  /** A client that sends frames as they are told. */
  raw(instance: string, binding: Binding = 'BANK'): Promise<RawClient> {
    const url = `${this.runtime.url}/__rpc/${binding}/${encodeURIComponent(instance)}/call`;
    return RawClient.open(url, `raw${++this.#clients}`);
  }

  /** What another Worker gets by native Workers RPC. */
  async native(instance: string): Promise<unknown> {
    const query = new URLSearchParams({ instance });
    return (await fetch(`${this.runtime.url}/native?${query}`)).json();
  }
}
