import { CallOptions, ConnectionDetails, ConnectionOptions, ReconnectOptions, RpcClient, RpcClientOptions, Session, SessionOptions, SocketEvent, Subscription, Transport, TransportEvents, WebSocketClass, WebSocketLike } from "./client-core.js";
import { ClientOf, RpcError } from "./wire.js";
/**
 * Subscribes until the client is closed, and collects the values that arrive. If the subscription ends with an error,
 * the console shows it. To expect an error, loop over the subscription.
 *
 * @param subscription - a method of `subscribe(client)`
 * @returns the values so far, oldest first; more are added as they arrive
 * @example
 * const values = collect(subscribe(counter).getValue());
 * await counter.increment();
 * await expect.poll(() => values).toEqual([0, 1]);
 */
export declare function collect<Value>(subscription: Subscription<Value>): Value[];
/**
 * The file of a project's contracts: what its classes promised to their callers when it was written. An imported JSON
 * file has these types.
 */
/** A JSON Schema as it is in the file: without titles and descriptions, which are no promise. */
type WrittenSchema = boolean | {
  readonly [keyword: string]: unknown;
};
/** One argument of a method, or of the constructor of a capability. */
interface WrittenArgument {
  /** True if callers may leave the argument out. */
  readonly optional?: boolean | undefined;
  /** The schema of the values, or of the items if the argument is a stream. */
  readonly schema?: WrittenSchema | undefined;
  /** True if the argument is a stream. */
  readonly stream?: boolean | undefined;
  /** The class of the capability, if the argument is a capability. */
  readonly capability?: string | undefined;
}
/** One method. */
interface WrittenMethod {
  /** `call`, `live`, `events`, `stream`, `rows` or `presence`; `read` or `volatile` for a call with such an entry. */
  readonly kind: string;
  /** The arguments that clients send, without the place of rows, which the runtime sets. */
  readonly input: readonly WrittenArgument[];
  /** The schema of a result, a live value, an event, an item or a row. It is left out if the entry has no `output`. */
  readonly output?: WrittenSchema | undefined;
  /** The classes of the capabilities that the method sends. */
  readonly returns?: readonly string[] | undefined;
  /** The property that contains the place of a row, for `rows`, or that identifies a row, for `live`. */
  readonly key?: string | undefined;
}
/** Methods by their names. */
type WrittenMethods = Readonly<Record<string, WrittenMethod>>;
/** One class of capabilities. */
interface WrittenCapability {
  /** The arguments of the constructor after the object, which identify a capability that somebody keeps. */
  readonly address: readonly WrittenArgument[];
  readonly methods: WrittenMethods;
}
/** The contract of one class. */
interface ClassContract {
  /** The bindings by which clients name the class. */
  readonly bindings?: readonly string[] | undefined;
  readonly methods: WrittenMethods;
  /** All classes of capabilities that the methods take or return, and the classes that these capabilities lead to. */
  readonly capabilities?: Readonly<Record<string, WrittenCapability>> | undefined;
}
/** The contracts of a page and of an object, from the file that `npx lumenize-rpc contract` has written. */
interface Versions {
  /**
   * The contract of the page: the client can send only arguments that it allows, and receive only results that it
   * describes. Default: none.
   */
  page?: ClassContract | undefined;
  /** The contract of the object: its methods have the entries of this contract. Default: the contract of the class. */
  object?: ClassContract | undefined;
}
/** A Worker, or an object with the same `fetch`. */
interface WorkerUnderTest {
  /** @returns the response; `undefined`, as from `routeDORequest`, becomes status 404 */
  fetch(request: Request): Response | undefined | Promise<Response | undefined>;
}
/**
 * Cuts the connections of a client, as a failing network does. Calls that were sent may have arrived or not, and their
 * answers do not arrive. The client connects again by itself. It sends its unanswered calls again, and each runs once.
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
 * Loses the next frame that the object sends to a client, and the connection. So a call has run, and the client has no
 * answer. Then the client connects again, as after `cut`.
 *
 * @param client - from `connect`
 * @throws TypeError for another client
 * @example
 * loseAnswer(counter);
 * expect(await counter.increment()).toBe(1); // Sent twice, and run once.
 * expect(await counter.getValue()).toBe(1);
 */
export declare function loseAnswer(client: object): void;
/** The options of a client, without options for other destinations than a Worker. */
interface ConnectOptions extends Omit<RpcClientOptions, 'fetch' | 'transport' | 'WebSocket'> {
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
export declare function connect<Target>(binding: string, instance: string, options?: ConnectOptions): RpcClient<Target>;
export type { CallOptions, ClassContract, ClientOf, ConnectOptions, ConnectionDetails, ConnectionOptions, ReconnectOptions, RpcClient, RpcClientOptions, RpcError, Session, SessionOptions, SocketEvent, Subscription, Transport, TransportEvents, Versions, WebSocketClass, WebSocketLike, WorkerUnderTest, WrittenArgument, WrittenCapability, WrittenMethod };