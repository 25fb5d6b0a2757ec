/**
 * Subscriptions: live values, events and streams as async iterables. A bundle contains this file only if you
 * import it. Imports proxy, reader, readers, session and wire/.
 */
import type {
  ClientOf,
  HasEvents,
  LiveMethodsOf,
  PagedMethodsOf,
  StreamItem,
} from '../wire/contract-brand.ts';
import { RpcError } from '../wire/errors.ts';
import { encodeArgs } from '../wire/messages.ts';
import type { MethodsOf, Received, SubscribedMethodsOf } from './client-types.ts';
import { insideOf } from './proxy.ts';
import { Reader, type Invocation } from './reader.ts';
import { readersOf } from './readers.ts';
import type { Session } from './session.ts';

export interface SubscribeOptions {
  /** The cursor of a feed or of rows after which to begin. Default: the next event, or the first row. */
  after?: string | undefined;
  /** Ends the subscriptions when it is aborted: their loops reject with `ABORTED`. */
  signal?: AbortSignal;
}

/** The values or items of a method. Each loop over it is a separate subscription. */
export interface Subscription<Value> extends AsyncIterable<Value, undefined>, AsyncDisposable {
  /**
   * For a feed or for rows: the position of the loop that started last. Pass it as the option `after` to
   * continue later. It is after the last item that the loop received. Before the first item, it is where the
   * loop started, as soon as that is known. The cursor of another stream is valid only for this client.
   */
  readonly cursor: string | undefined;
}

/** The methods that can be subscribed to: `live` methods, and methods that return a feed or a stream. */
type SubscribableOf<Target> =
  | Extract<LiveMethodsOf<Target>, MethodsOf<Target>>
  | SubscribedMethodsOf<Target>;

type ItemOf<Result> =
  Result extends HasEvents<infer Event>
    ? Event
    : [StreamItem<Result>] extends [never]
      ? Result
      : StreamItem<Result>;

/** The arguments of a method. The runtime adds the last argument of a method with `cursor`. */
type ArgsOf<Target, Name, Args extends unknown[]> =
  Name extends PagedMethodsOf<Target> ? WithoutLast<Args> : Args;

type WithoutLast<Args extends unknown[]> = number extends Args['length']
  ? Args
  : Args extends [unknown?]
    ? []
    : Args extends [infer First, ...infer Rest]
      ? [First, ...WithoutLast<Rest>]
      : Args extends [(infer First)?, ...infer Rest]
        ? [First?, ...WithoutLast<Rest>]
        : Args;

/**
 * The methods of a client that can be subscribed to. The second parameter is only read by people: the compiler prints
 * it when a method is missing.
 */
export type Subscriptions<
  Target,
  _Listed = 'methods with live: true in the contract, feeds and streams',
> = {
  readonly [Name in SubscribableOf<Target>]: Target[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: ArgsOf<Target, Name, Args>) => Subscription<Received<ItemOf<Result>>>
    : never;
};

/**
 * Returns the methods of a client as subscriptions: a method returns an async iterable.
 *
 * A live value arrives at once, then whenever it has changed. A slow loop misses values, but not the newest.
 * The events of a feed each arrive once and in order while the loop runs, even after lost connections,
 * hibernation and restarts of the object. So do the rows of a method with `cursor`. The items of another stream
 * each arrive once and in order, even after lost connections. When you leave the loop, the subscription ends,
 * and so does the source of the items: the `finally` of a generator runs.
 *
 * A loop rejects with what the method threw, or with an `RpcError`: `CURSOR_EXPIRED` if the feed no longer has
 * the next event, `DISCONNECTED` if the object was stopped with a stream in its memory, `CLOSED` if the client
 * was closed, `ABORTED` if the signal was aborted, or the error that has ended its connection for good.
 *
 * @param client - from `createRpcClient`, or a capability
 * @param options - `after`, a cursor, and `signal`, an `AbortSignal` that ends the loops
 * @throws TypeError for a client whose `transport` is `'http'`
 * @example
 * for await (const message of subscribe(room).messages()) print(message);
 */
export function subscribe<Target>(
  client: ClientOf<Target>,
  options: SubscribeOptions = {},
): Subscriptions<Target> {
  const [session, , , calleeOf] = insideOf(client);
  if (!session.transport.isDuplex) throw new TypeError('Subscriptions need a WebSocket');
  const methods = new Proxy({} as Subscriptions<Target>, {
    // The proxy is not a promise, and has no symbols.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : (...args: unknown[]) => {
            const rest = encodeArgs(args, session.take);
            const invocation: Invocation = (retry) => {
              const callee = calleeOf ? calleeOf(name, retry) : name;
              return callee && JSON.stringify(callee) + rest;
            };
            return new Readable(session, invocation, options, methods, name + rest);
          },
  });
  return methods;
}

/**
 * Returns text that is the same for subscriptions to the same method with the same arguments.
 *
 * @param methods - from `subscribe`
 * @returns `undefined` for a value that none of the methods has returned
 */
export function keyOf(subscription: unknown, methods: object): string | undefined {
  const { methods: origin, key } = Object(subscription) as Partial<Readable>;
  return origin === methods ? key : undefined;
}

class Readable implements Subscription<unknown> {
  readonly #session: Session;
  readonly #invocation: Invocation;
  readonly #options: SubscribeOptions;
  /** What `subscribe` has returned. */
  readonly methods: object;
  readonly key: string;
  readonly #readers = new Set<Reader>();
  /** The reader of the loop that started last. */
  #reader: Reader | undefined;

  constructor(
    session: Session,
    invocation: Invocation,
    options: SubscribeOptions,
    methods: object,
    key: string,
  ) {
    this.#session = session;
    this.#invocation = invocation;
    this.#options = options;
    this.methods = methods;
    this.key = key;
  }

  get cursor(): string | undefined {
    return this.#reader?.cursor || this.#options.after;
  }

  // Not a generator: it would take twice as long for each item, and could not end while it waits for one.
  [Symbol.asyncIterator](): AsyncIterator<unknown, undefined> {
    const { after, signal } = this.#options;
    let reader: Reader | undefined;
    const abort = (): void => {
      const cause: unknown = signal?.reason;
      reader?.stop({ thrown: new RpcError('ABORTED', 'The subscription was aborted', { cause }) });
    };
    const left = (): void => {
      signal?.removeEventListener('abort', abort);
      this.#readers.delete(reader as Reader);
    };
    const begin = async (): Promise<IteratorResult<unknown, undefined>> => {
      this.#session.admit();
      const made = (reader = new Reader(readersOf(this.#session), this.#invocation, after, left));
      this.#readers.add((this.#reader = made));
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort);
      // Before the `await`, so that further items that are asked for at once come after this one.
      const item = made.take();
      // Lets the calls of this tick leave first: the target may be the result of one of them.
      await undefined;
      made.start();
      return item;
    };
    return {
      next: () => (reader ? reader.take() : begin()),
      return: async () => {
        reader?.stop({});
        return { done: true, value: undefined };
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reader of this.#readers) reader.stop({});
  }
}
