/**
 * A worker under test in a bare workerd, and clients of it. Each folder of tests extends it with its own class and its
 * bindings.
 */
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import { until } from '../../../harness/waiting.mjs';
import type { WorkerOptions } from '../../../harness/runtime/worker-bundle.ts';
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../../src/client.ts';
import { RawClient } from './raw-client.ts';
import { BRIEFLY, LONG_TIMEOUT, SpySocket } from './watched.ts';

/** Delays that do not keep a test waiting, and limits that a slow machine does not reach. */
const OPTIONS = {
  reconnect: BRIEFLY,
  timeout: LONG_TIMEOUT,
  connectTimeout: 60_000,
};

/**
 * Serves a worker for the tests of a file; it ends with the last of them.
 *
 * @param folder - of its source, `worker.ts`
 * @param bindings - the classes that it exports, by the names of their bindings
 * @param options - of its runtime
 */
export async function serveForTests(
  folder: string,
  bindings: Readonly<Record<string, string>>,
  options: Omit<WorkerOptions, 'config'> = {},
): Promise<Runtime> {
  const config = { main: join(folder, 'worker.ts'), bindings };
  const runtime = await Runtime.serve({ config, ...options });
  afterAll(() => runtime.stop());
  return runtime;
}

export class ServedPlace<Target, Binding extends string> {
  readonly runtime: Runtime;
  readonly #binding: Binding;
  readonly #options: RpcClientOptions;
  #clients = 0;

  /**
   * @param binding - of the objects, unless a test says otherwise
   * @param options - of every client
   */
  constructor(runtime: Runtime, binding: Binding, options: RpcClientOptions = {}) {
    this.runtime = runtime;
    this.#binding = binding;
    this.#options = options;
  }

  connect(
    instance: string,
    options: RpcClientOptions = {},
    binding: Binding = this.#binding,
  ): RpcClient<Target> {
    const all = { baseUrl: this.runtime.url, ...OPTIONS, ...this.#options, ...options };
    return createRpcClient<Target>(binding, instance, all);
  }

  /** A client, and the sockets that it makes. */
  spy(
    instance: string,
    options: RpcClientOptions = {},
    binding: Binding = this.#binding,
  ): { client: RpcClient<Target>; sockets: SpySocket[] } {
    const sockets: SpySocket[] = [];
    class Spy extends SpySocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    }
    return { client: this.connect(instance, { ...options, WebSocket: Spy }, binding), sockets };
  }

  /**
   * A client that sends frames as they are told, and says what it is told.
   *
   * @param user - whom the router names
   */
  raw(
    instance: string,
    binding: Binding = this.#binding,
    user?: string,
    id = `raw${++this.#clients}`,
  ): Promise<RawClient> {
    return RawClient.open(this.urlOf(instance, binding), id, ...(user ? [`as.${user}`] : []));
  }

  /** Where an object is called. */
  urlOf(instance: string, binding: Binding = this.#binding): string {
    return `${this.runtime.url}/__rpc/${binding}/${encodeURIComponent(instance)}/call`;
  }
}

/** Waits until a method of the object waits to be released: see `Gates`. */
export async function holding(
  client: { isHolding(name: string): Promise<boolean> },
  name: string,
): Promise<void> {
  await until(() => client.isHolding(name));
}
