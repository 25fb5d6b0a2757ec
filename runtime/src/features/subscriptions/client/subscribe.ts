/**
 * Subscriptions: live values, events, streams and rows as async iterables. A bundle contains this file only if you
 * import it.
 */
import type {
  ClientOf,
  HasEvents,
  IsFeed,
  KindIn,
  MethodKindsOf,
  MethodName,
  Mismatch,
  PassedArgs,
  StreamItem,
} from '../../../wire/brands.ts';
import { RpcError } from '../../../wire/errors.ts';
import { encodeArgs } from '../../../wire/messages.ts';
import type { NotForClients, NotListed, Received } from '../../../client/client-types.ts';
import { internalsOf } from '../../../client/proxy.ts';
import { Reader, type Invocation } from './reader.ts';
import { readersOf } from './readers.ts';
import type { Session } from '../../../client/session.ts';

/** The options of `subscribe`. */
export interface SubscribeOptions {
  /** The cursor of a feed or of rows after which to begin. Default: the next event, or the first row. */
  after?: string | undefined;
  /** Ends the subscriptions when it is aborted, so that their loops reject with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /**
   * Called when events of a volatile feed may be missing, because the client was away or read too slowly. It is called
   * once for each gap, before the loop receives an event after it. Default: nothing is called.
   */
  onGap?: (() => void) | undefined;
}

/**
 * The values of a live method. Each loop over them is a separate subscription. After a lost connection, the loop
 * continues by itself with the newest value.
 */
export interface Subscription<Value> extends AsyncIterable<Value, undefined>, AsyncDisposable {}

/**
 * The events of a feed, or rows. After a lost connection, a loop continues by itself where it was. With the cursor you
 * can continue later, in another program.
 */
export interface ResumableSubscription<Value> extends Subscription<Value> {
  /**
   * The position of the loop that started last, which is after the last item that the loop received. Pass it as the
   * option `after` to continue later. Before the first item, it is the position where the loop started, as soon as that
   * is known.
   */
  readonly cursor: string | undefined;
}

/**
 * The items of a stream. After a lost connection, a loop continues if the object still has the stream in its memory. If
 * the object was stopped, the loop rejects with `DISCONNECTED`, because the method cannot continue in the middle of a
 * stream. So there is no cursor.
 */
export interface StreamSubscription<Item> extends Subscription<Item> {}

/** A client that takes part in a presence, and the value that it shows to the others. */
export interface Present<Shown> {
  /** Identifies the client, also among several tabs of one user. It stays the same when the client reconnects. */
  readonly key: string;
  /** The value that the client shows. It stays the same object until the client shows another value. */
  readonly value: Shown;
}

/**
 * The list of present clients, whenever it has changed. A loop over it only watches. Pass it to `presence` or
 * `usePresence` to take part.
 *
 * @template Said - the arguments with the data of a client
 */
export interface PresenceSubscription<Said extends unknown[], Shown> extends Subscription<
  readonly Present<Shown>[]
> {
  /** Carries a type for the compiler. It has no value at run time. */
  readonly '~said'?: Said;
}

/** The subscription to a method, by its kind. If the class has no contract, the result of a method determines its kind. */
type SubscriptionOf<Target, Name, Args extends unknown[], Result> =
  MethodKindsOf<Target> extends infer Kinds
    ? Kinds extends undefined
      ? (
          ...args: Args
        ) => IsFeed<Result> extends true
          ? ResumableSubscription<ItemOf<Result>>
          : [StreamItem<Result>] extends [never]
            ? Subscription<Received<Result>>
            : StreamSubscription<ItemOf<Result>>
      : Name extends keyof Kinds
        ? ByKind<PassedArgs<Target, Name, Args>, Result>[KindIn<Kinds[Name]>]
        : Mismatch<NotListed>
    : never;

/** For each kind, the method that returns a subscription, or the reason why there is none. */
interface ByKind<Args extends unknown[], Result> {
  call: Mismatch<'the method is not live: list it by live([…]) to subscribe to it'>;
  live: (...args: Args) => Subscription<Received<Result>>;
  events: (...args: Args) => ResumableSubscription<ItemOf<Result>>;
  stream: (...args: Args) => StreamSubscription<ItemOf<Result>>;
  /** The runtime adds the last argument, the place of a row. */
  rows: (...args: WithoutLast<Args>) => ResumableSubscription<ItemOf<Result>>;
  internal: Mismatch<NotForClients>;
  presence: () => PresenceSubscription<Args, Exclude<Received<Result>, undefined>>;
}

/** The type of the items that a loop over a feed, a stream or rows receives. */
type ItemOf<Result> = Received<
  Result extends HasEvents<infer Event>
    ? Event
    : [StreamItem<Result>] extends [never]
      ? Result
      : StreamItem<Result>
>;

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
 * The methods of a client that can be subscribed to. Any other method has a type that says why clients cannot subscribe
 * to it, so that the compiler's error for a call shows the reason.
 */
export type Subscriptions<Target> = {
  readonly [Name in keyof Target as MethodName<Target, Name>]: Target[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? SubscriptionOf<Target, Name, Args, Result>
    : never;
};

/**
 * Returns the methods that the contract lists by `live`, `events`, `stream` or `rows`, as subscriptions. Each method
 * returns an async iterable.
 *
 * - A live value arrives at once, then whenever it has changed. A slow loop misses values, but not the newest value.
 * - Each event of a feed, and each row of `rows`, arrives once and in order while the loop runs, even after lost
 *   connections, hibernation and restarts of the object.
 * - Each item of a stream arrives once and in order, even after lost connections, as long as the object keeps the stream
 *   in its memory.
 *
 * When you leave the loop, the subscription ends, and so does the source of the items: the `finally` of a generator runs.
 *
 * A loop rejects with the error that the method threw, with the error that has ended its connection for good, or with one
 * of these `RpcError`s:
 *
 * - `CURSOR_EXPIRED` if the feed no longer has the next event
 * - `DISCONNECTED` if the object was stopped with a stream in its memory
 * - `CLOSED` if the client was closed
 * - `ABORTED` if the signal was aborted
 *
 * @param client - from `createRpcClient`, or a capability
 * @param options - `after`, a cursor; `signal`, an `AbortSignal` that ends the loops; `onGap`, which is called once if
 *   events of a volatile feed are missing
 * @returns the methods
 * @throws TypeError for a client whose `transport` is `'http'`
 * @example
 * for await (const message of subscribe(room).messages()) print(message);
 */
export function subscribe<Target>(
  client: ClientOf<Target>,
  options: SubscribeOptions = {},
): Subscriptions<Target> {
  const [session, , , calleeOf] = internalsOf(client);
  if (!session.transport.isDuplex) throw new TypeError('Subscriptions need a WebSocket');
  const methods = new Proxy({} as Subscriptions<Target>, {
    // The proxy is not a promise, and has no symbols.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : (...args: unknown[]) => {
            const rest = encodeArgs(args, session.referenceOf);
            const invocation = (retry?: () => void, end = rest): string | undefined => {
              const callee = calleeOf ? calleeOf(name, retry) : name;
              return callee && JSON.stringify(callee) + end;
            };
            return readable(session, invocation, options, {
              methods,
              key: name + rest,
              invocation,
            });
          },
  });
  return methods;
}

/** The data of a subscription that other modules read. */
export interface Inspected {
  readonly session: Session;
  /** The reader of the loop that started last; `undefined` before the first loop. */
  readonly reader: Reader | undefined;
}

/** The method and the arguments of a subscription. */
export interface Origin {
  /** The methods that `subscribe` has returned. */
  methods: object;
  key: string;
  /** @param end - the text of the arguments to send in place of the arguments that were passed */
  invocation(retry?: () => void, end?: string): string | undefined;
}

/**
 * Returns text that identifies the method and the arguments of a subscription.
 *
 * @param methods - the result of `subscribe`
 * @returns `undefined` for a value that none of the methods has returned
 */
export function subscriptionKeyOf(subscription: unknown, methods: object): string | undefined {
  const { methods: origin, key } = Object(subscription) as Partial<Origin>;
  return origin === methods ? key : undefined;
}

/** Returns whether the item that a loop received last is a snapshot, which replaces all earlier items. */
export function isSnapshot(subscription: ResumableSubscription<unknown>): boolean {
  const { cursor, reader } = subscription as ResumableSubscription<unknown> & Inspected;
  // After a snapshot, the object sends the events after the cursor of the snapshot.
  return cursor === reader?.after;
}

function readable(
  session: Session,
  invocation: Invocation,
  { after, signal, onGap }: SubscribeOptions,
  origin: Origin,
): ResumableSubscription<unknown> & Origin & Inspected {
  const readers = new Set<Reader>();
  let newest: Reader | undefined;
  // In engines without `Symbol.asyncDispose`, bundlers use the other symbol.
  const dispose: typeof Symbol.asyncDispose =
    Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
  return {
    ...origin,
    session,
    get reader() {
      return newest;
    },
    get cursor() {
      return newest?.cursor || after;
    },
    async [dispose]() {
      for (const reader of readers) reader.stop({});
    },
    // A generator would take twice as long for each item, and could not end while it waits for an item.
    [Symbol.asyncIterator]() {
      let reader: Reader | undefined;
      const abort = (): void => {
        const cause: unknown = signal?.reason;
        const thrown = new RpcError('ABORTED', 'Subscription aborted', { cause });
        reader?.stop({ thrown });
      };
      const left = (): void => {
        signal?.removeEventListener('abort', abort);
        readers.delete(reader as Reader);
      };
      const begin = async (): Promise<IteratorResult<unknown, undefined>> => {
        session.admit();
        const made = new Reader(readersOf(session), invocation, after, left, onGap);
        readers.add((newest = reader = made));
        if (signal?.aborted) abort();
        signal?.addEventListener('abort', abort);
        // `take` is called before the `await`, so that the items of later calls of `next` come after this item.
        const item = made.take();
        // The calls of this tick are sent first, because the target may be the result of one of these calls.
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
    },
  };
}
