import { CallOptions, ConnectionDetails, ConnectionOptions, ReconnectOptions, RpcClient, RpcClientOptions, Session, SessionOptions, SocketEvent, Subscription, Transport, TransportEvents, WebSocketClass, WebSocketLike } from "./client-core.js";
import { ClientOf, RpcError } from "./wire.js";
/**
 * Subscribes until the client is closed, and collects what arrives. If the subscription ends with an error, the
 * console shows it. To expect an error, loop over the subscription.
 *
 * @param subscription - a method of `subscribe(client)`
 * @returns the values so far, oldest first; more are added as they arrive
 * @example
 * const values = collect(subscribe(counter).getValue());
 * await counter.increment();
 * await expect.poll(() => values).toEqual([0, 1]);
 */
export declare function collect<Value>(subscription: Subscription<Value>): Value[];
/** A Worker, or what stands for one. */
interface WorkerUnderTest {
  /** @returns the response; `undefined`, as from `routeDORequest`, becomes status 404 */
  fetch(request: Request): Response | undefined | Promise<Response | undefined>;
}
/**
 * Cuts the connections of a client, as a network does that fails: what was sent may have arrived or not, and no
 * answer to it arrives. The client connects again by itself. It sends its unanswered calls again, and each runs
 * once.
 *
 * @param client - from `connect`
 * @throws TypeError for another client
 * @example
 * using counter = connect<Counter>('COUNTER', 'cut');
 * await counter.increment();
 * cut(counter);
 * expect(await counter.increment()).toBe(2);
 */
export declare function cut(client: object): void;
/**
 * Cuts the connections of a client, and lets it connect again when a promise has settled.
 *
 * @param until - for example a call of another client
 * @returns the promise
 * @example
 * const said = collect(subscribe(ada).messages());
 * await cut(ada, bob.say('while Ada was away'));
 * await expect.poll(() => said).toContain('while Ada was away');
 */
export declare function cut<Result>(client: object, until: PromiseLike<Result>): Promise<Result>;
/**
 * Loses the next frame that the object sends to a client, and the connection with it: a call has run, and its
 * client does not know. Then the client connects again, as after `cut`.
 *
 * @param client - from `connect`
 * @throws TypeError for another client
 * @example
 * loseAnswer(counter);
 * expect(await counter.increment()).toBe(1); // Sent twice, and run once.
 * expect(await counter.getValue()).toBe(1);
 */
export declare function loseAnswer(client: object): void;
/** The options of a client, without those that lead elsewhere than to a Worker. */
interface ConnectOptions extends Omit<RpcClientOptions, 'fetch' | 'transport' | 'WebSocket'> {
  /** Default `'websocket'`. */
  transport?: 'websocket' | 'http' | undefined;
  /**
   * The caller that `currentCaller` returns, as a hook would name it with `withCaller`: JSON data. The requests go
   * straight to the object. The Worker and its hooks do not run, so no login is needed. `null` is a caller whom no
   * hook has named. Default: the Worker decides.
   */
  as?: unknown;
  /**
   * The Worker that receives the requests, such as another one by its service binding. Default: the Worker under
   * test, `exports.default`.
   */
  worker?: WorkerUnderTest | undefined;
}
/**
 * Creates a client for one Durable Object of the Worker under test. It has all that the client of a page has:
 * only the network is missing.
 *
 * @param binding - the Durable Object binding, such as `COUNTER`
 * @param instance - the object's name, or its id as 64 hex characters. Use another name in each test.
 * @param options - those of `createRpcClient`, and `as` and `worker`. Default of `baseUrl`: `https://example.com`.
 * @returns the client. Declare it with `using`, which closes it when the test ends.
 * @throws TypeError for both `as` and `worker`, since with `as` no Worker receives the requests
 * @throws RangeError for a caller that is too large for `withCaller`
 * @example
 * test('only its author can delete a note', async () => {
 *   using ada = connect<Notes>('NOTES', 'delete', { as: { user: 'Ada' } });
 *   using bob = connect<Notes>('NOTES', 'delete', { as: { user: 'Bob' }, transport: 'http' });
 *   const id = await ada.add('Hello');
 *   await expect(bob.delete(id)).rejects.toThrow('Only its author may do this');
 * });
 */
export declare function connect<Target>(binding: string, instance: string, options?: ConnectOptions): RpcClient<Target>;
export type { CallOptions, ClientOf, ConnectOptions, ConnectionDetails, ConnectionOptions, ReconnectOptions, RpcClient, RpcClientOptions, RpcError, Session, SessionOptions, SocketEvent, Subscription, Transport, TransportEvents, WebSocketClass, WebSocketLike, WorkerUnderTest };