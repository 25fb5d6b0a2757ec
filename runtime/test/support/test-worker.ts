/**
 * A Worker under test in a bare workerd, and clients of its objects. A folder of tests with a
 * Worker of its own has a `serve.ts`, which names the bindings.
 */
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import type { WorkerOptions } from '../../../harness/runtime/worker-bundle.ts';
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../../src/client.ts';
import { RawConnection } from './raw-connection.ts';
import { PATIENT, Watched } from './watched.ts';

interface TestWorkerOptions extends Omit<WorkerOptions, 'config'> {
  /** The options of all clients. */
  clients?: RpcClientOptions | undefined;
  /** A method without arguments and effects that all objects have: see `RawConnection.exchange`. */
  fence?: string | undefined;
}

interface RawOptions<Binding> {
  /** Default: the first binding of the Worker. */
  binding?: Binding;
  /** The id of the client. Default: a new id. */
  client?: string;
  /** The user that the router names: see `served/routed.ts`. */
  user?: string | undefined;
  /** Default: the URL of the Worker. */
  baseUrl?: string;
}

export class TestWorker<Target, Binding extends string> {
  readonly runtime: Runtime;
  readonly #binding: Binding;
  readonly #clients: RpcClientOptions | undefined;
  readonly #fence: string | undefined;
  #raws = 0;

  private constructor(
    runtime: Runtime,
    binding: Binding,
    { clients, fence }: Pick<TestWorkerOptions, 'clients' | 'fence'>,
  ) {
    this.runtime = runtime;
    this.#binding = binding;
    this.#clients = clients;
    this.#fence = fence;
  }

  /**
   * Serves a Worker until the last test of the file has ended.
   *
   * @param folder - the folder of its source, `worker.ts`
   * @param bindings - the classes that it exports, by the names of their bindings; clients call the
   *   first, unless a test names another
   */
  static async forTests<Target, Binding extends string>(
    folder: string,
    bindings: Readonly<Record<Binding, string>>,
    { clients, fence, ...options }: TestWorkerOptions = {},
  ): Promise<TestWorker<Target, Binding>> {
    const config = { main: join(folder, 'worker.ts'), bindings };
    const runtime = await Runtime.serve({ config, ...options });
    afterAll(() => runtime.stop());
    const [binding] = Object.keys(bindings) as Binding[];
    return new TestWorker<Target, Binding>(runtime, binding as Binding, { clients, fence });
  }

  connect(
    instance: string,
    options: RpcClientOptions = {},
    binding: Binding = this.#binding,
  ): RpcClient<Target> {
    return createRpcClient<Target>(binding, instance, { ...PATIENT, ...this.#of(options) });
  }

  /** @returns a client, its sockets and its states */
  watch(
    instance: string,
    options: RpcClientOptions = {},
    binding: Binding = this.#binding,
  ): Watched<Target> {
    return new Watched<Target>(binding, instance, this.#of(options));
  }

  /** @returns a connection without a client */
  raw(instance: string, options: RawOptions<Binding> = {}): Promise<RawConnection> {
    const { binding, client = `raw${++this.#raws}`, user, baseUrl } = options;
    const protocols = ['lumenize-rpc.1', `lumenize-rpc-client.${client}`];
    if (user) protocols.push(`as.${user}`);
    const url = this.urlOf(instance, binding, baseUrl).replace(/^http/, 'ws');
    return RawConnection.socket(new WebSocket(url, protocols), this.#fence);
  }

  /** @returns the URL of an object's `call` path */
  urlOf(instance: string, binding: Binding = this.#binding, baseUrl = this.runtime.url): string {
    return `${baseUrl}/__rpc/${binding}/${encodeURIComponent(instance)}/call`;
  }

  /** Starts workerd, unless it is running. Resolves when it listens. */
  start(): Promise<void> {
    return this.runtime.start();
  }

  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void> {
    return this.runtime.kill();
  }

  /** Restarts workerd, as a deployment or a crash does: all sockets are lost, and the storage is kept. */
  restart(): Promise<void> {
    return this.runtime.restart();
  }

  #of(options: RpcClientOptions): RpcClientOptions {
    return { baseUrl: this.runtime.url, ...this.#clients, ...options };
  }
}
