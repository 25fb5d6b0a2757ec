/** Creates a client of an object. Its requests go to a Worker in the same isolate. */
import { env, exports } from 'cloudflare:workers';
import type { RpcClient } from '../client/client-types.ts';
import { createRpcClient, internalsOf, type RpcClientOptions } from '../client/proxy.ts';
import { withCaller } from '../server/base/caller.ts';
import { type Hook, routeDORequest } from '../server/routing/router.ts';
import { serveVersions, type Versions } from './versions.ts';
import { Network, networks, type WorkerUnderTest } from './network.ts';

/** The options of a client, without options for other destinations than a Worker. */
export interface ConnectOptions extends Omit<
  RpcClientOptions,
  'fetch' | 'transport' | 'WebSocket'
> {
  /** The transport of the client. Default `'websocket'`. */
  transport?: 'websocket' | 'http' | undefined;
  /**
   * The caller that `currentCaller` returns, as a hook would name it with `withCaller`: JSON data. The requests go
   * straight to the object. The Worker and its hooks do not run, so no login is needed. `null` means that no hook has
   * named a caller. Default: the Worker decides.
   */
  as?: unknown;
  /**
   * The Worker that receives the requests, such as another Worker by its service binding. Default: the Worker under
   * test, `exports.default`.
   */
  worker?: WorkerUnderTest | undefined;
  /**
   * Contracts of another version, from the file of `npx lumenize-rpc contract`, to test an old page with the new
   * object, or a new page with the old object. With `page`, a call fails if a page of that contract could not send it,
   * or does not expect its result. With `object`, the object lists the methods of that contract, and runs its present
   * code. Both hold for all clients of the object, until it is evicted, as by a deployment. Default: none.
   */
  versions?: Versions | undefined;
}

/**
 * Creates a client for one Durable Object of the Worker under test. It works as the client of a page does, without a
 * network.
 *
 * @param binding - the Durable Object binding, such as `COUNTER`
 * @param instance - the object's name, or its id as 64 hex characters. Use another name in each test.
 * @param options - the options of `createRpcClient`, and `as`, `worker` and `versions`. Default of `baseUrl`:
 *   `https://example.com`.
 * @returns the client. Declare it with `using`, which closes it when the test ends.
 * @throws TypeError for both `as` and `worker`, since with `as` no Worker receives the requests
 * @throws TypeError for `versions` of an object that does not exist
 * @throws RangeError for a caller that is too large for `withCaller`
 * @example
 * test('only its author can delete a note', async () => {
 *   using ada = connect<Notes>('NOTES', 'delete', { as: { user: 'Ada' } });
 *   using bob = connect<Notes>('NOTES', 'delete', { as: { user: 'Bob' }, transport: 'http' });
 *   const id = await ada.add('Hello');
 *   await expect(bob.delete(id)).rejects.toThrow('Only its author may do this');
 * });
 */
export function connect<Target>(
  binding: string,
  instance: string,
  options: ConnectOptions = {},
): RpcClient<Target> {
  const { as: caller, worker, versions, ...rest } = options;
  const isNamed = caller !== undefined;
  if (isNamed && worker) {
    throw new TypeError('With `as`, no Worker receives the requests: leave out `worker`');
  }
  const direct = isNamed ? routedAs(caller, options.prefix) : undefined;
  const reached = worker ?? direct ?? workerUnderTest();
  const network = new Network(versions ? meeting(reached, binding, instance, versions) : reached);
  const client = createRpcClient<Target>(binding, instance, {
    baseUrl: 'https://example.com',
    ...rest,
    fetch: network.fetch,
    WebSocket: network.WebSocket,
  });
  networks.set(internalsOf(client)[0], network);
  return client;
}

/** Lets the versions meet before the first request. */
function meeting(
  worker: WorkerUnderTest,
  binding: string,
  instance: string,
  versions: Versions,
): WorkerUnderTest {
  const serve = serveVersions(binding, instance, versions);
  let served: Promise<void> | undefined;
  return {
    async fetch(request) {
      await (served ??= serve());
      return worker.fetch(request);
    },
  };
}

function workerUnderTest(): WorkerUnderTest {
  return (exports as unknown as { default: Fetcher }).default;
}

/** Routes requests of a caller directly to the objects, without the Worker. */
function routedAs(caller: unknown, prefix?: string): WorkerUnderTest {
  const name: Hook = (request) => (caller === null ? undefined : withCaller(request, caller));
  // The caller is checked here and not in the hook, where the error would become an answer with status 500.
  name(new Request('https://example.com'), { binding: '', instance: '' });
  const options = { onBeforeConnect: name, onBeforeRequest: name, ...(prefix && { prefix }) };
  return { fetch: (request) => routeDORequest(request, env, options) };
}
