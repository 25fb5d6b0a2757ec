/**
 * Subscriptions: what an object says by itself, as async iterables. Only who imports this file has it
 * in a bundle. Imports proxy, reader, readers, session and wire/.
 */
import type {
  ClientOf,
  HasEvents,
  LiveMethodsOf,
  PagedMethodsOf,
  StreamItem,
} from '../wire/contract-brand.ts';
import { RpcError } from '../wire/errors.ts';
import { encodeArgs, encodeInvocation } from '../wire/messages.ts';
import type { MethodsOf, SubscribedMethodsOf } from './client-types.ts';
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

/** What comes of a method from now on. Each loop over it is a subscription of its own. */
export interface Subscription<Value> extends AsyncIterable<Value, undefined>, AsyncDisposable {
  /**
   * Of a feed, or of rows: where the loop is, for the option `after`. That is after the item that it was
   * given last; before the first, where it began, as soon as that is known. The cursor of another stream is
   * good for this client only.
   */
  readonly cursor: string | undefined;
}

/** The methods that can be subscribed to: those that are `live`, and those that return a feed or a stream. */
type SubscribableOf<Target> =
  | Extract<LiveMethodsOf<Target>, MethodsOf<Target>>
  | SubscribedMethodsOf<Target>;

type ItemOf<Result> =
  Result extends HasEvents<infer Event>
    ? Event
    : [StreamItem<Result>] extends [never]
      ? Result
      : StreamItem<Result>;

/** The last parameter of a method with `cursor` is given by the runtime. */
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

/** A client's methods, as they are subscribed to. */
export type Subscriptions<Target> = {
  readonly [Name in SubscribableOf<Target>]: Target[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: ArgsOf<Target, Name, Args>) => Subscription<ItemOf<Result>>
    : never;
};

/**
 * The same client, whose methods are subscribed to instead of called.
 *
 * A live value comes at once, and then whenever it has changed; a loop that is slow misses values, but
 * not the newest. The events of a feed come each once and in order, as long as the loop lives: through
 * lost connections, hibernation and restarts of the object; so do the rows of a method with `cursor`. The
 * items of another stream come each once and in order through lost connections. To leave the loop ends the
 * subscription, and what makes the items: the `finally` of a generator runs.
 *
 * A loop rejects with what the method threw, or with an `RpcError`: `CURSOR_EXPIRED` when the feed
 * does not hold any more what comes next, `DISCONNECTED` when the object was stopped with a stream in its
 * memory, `CLOSED` when the client is closed, or what has ended its connection for good.
 *
 * @param client - from `createRpcClient`
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
  return new Proxy({} as Subscriptions<Target>, {
    // It is no promise, and has no symbols.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : (...args: unknown[]) => {
            const rest = encodeArgs(args, session.take);
            const invocation: Invocation = (retry) => {
              const callee = calleeOf ? calleeOf(name, retry) : name;
              return callee && encodeInvocation(callee, rest);
            };
            return new Readable(session, invocation, options);
          },
  });
}

class Readable implements Subscription<unknown> {
  readonly #session: Session;
  readonly #invocation: Invocation;
  readonly #options: SubscribeOptions;
  readonly #readers = new Set<Reader>();
  /** Of the loop that began last. */
  #reader: Reader | undefined;

  constructor(session: Session, invocation: Invocation, options: SubscribeOptions) {
    this.#session = session;
    this.#invocation = invocation;
    this.#options = options;
  }

  get cursor(): string | undefined {
    return this.#reader?.cursor || this.#options.after;
  }

  // No generator: that would take as long again for each item, and not end while it waits for one.
  [Symbol.asyncIterator](): AsyncIterator<unknown, undefined> {
    const { after, signal } = this.#options;
    let reader: Reader | undefined;
    const abort = (): void => {
      const { reason: cause } = signal as AbortSignal;
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
      // Until the calls of this tick have left: what is subscribed to may be the result of one.
      await undefined;
      made.begin();
      return made.take();
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
