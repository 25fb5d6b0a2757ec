/**
 * Shares one client among all components that name the same object. A bundle contains this file only if you import it.
 */
import type { RpcClient } from './client-types.ts';
import { createRpcClient, internalsOf, type RpcClientOptions } from './proxy.ts';
import type { Store } from './store.ts';
import { Timer } from './timer.ts';

/** The time that a client stays open without watchers, in milliseconds. Meanwhile a page may replace its components. */
const GRACE = 1_000;

/** The options whose functions the client calls later. It calls the functions that were passed last. */
const CALLED_LATER = ['headers', 'protocols', 'fetch', 'onStateChange'] as const;

/**
 * Returns a store of a client, which all stores with the same arguments share. The client is created when the store is
 * first used. It is closed 1 s after its last watcher has left, or 1 s after `get()` if nothing watches it by then, but
 * not before its calls are answered. In React, use `useRpcClient`.
 *
 * Options are compared by their values. Stores with different options have different clients, each with a connection of
 * its own. Functions of `headers`, `protocols`, `fetch` and `onStateChange` can differ: the client calls the functions
 * that were passed last. All other functions, and instances of classes, are compared by identity: create them once,
 * outside of the component.
 *
 * @param binding - the Durable Object binding, such as `ROOM`
 * @param instance - the object's name, or its id as 64 hex characters
 * @param options - the options of `createRpcClient`. Default: none.
 * @returns a store. Do not close its client: other components may use it.
 * @throws TypeError, when the store is used, for a `baseUrl` that does not begin with `http://` or `https://`
 * @example
 * const stop = clientStore<Room>('ROOM', 'lobby').subscribe((room) => show(room));
 */
export function clientStore<Target>(
  binding: string,
  instance: string,
  options: RpcClientOptions = {},
): Store<RpcClient<Target>> {
  const key = clientKeyOf(binding, instance, options);
  const create = (): SharedClient => new SharedClient(key, binding, instance, options);
  /** The client of a page that a server renders. Nothing tells the server when it has rendered the page. */
  let own: SharedClient | undefined;
  return {
    get: () => {
      const shared = all.get(key) ?? (hasWindow() ? create() : (own ??= create()));
      if (shared !== own) shared.touch();
      return shared.client as RpcClient<Target>;
    },
    subscribe: (run) => {
      const shared = all.get(key) ?? create();
      shared.options = options;
      const leave = shared.watch();
      run(shared.client as RpcClient<Target>);
      return leave;
    },
  };
}

/** Returns text that is the same for the same object and options. */
export function clientKeyOf(binding: string, instance: string, options: RpcClientOptions): string {
  return JSON.stringify([binding, instance, options], (name, value: unknown) => {
    if (typeof value === 'function') return CALLED_LATER.includes(name as 'fetch') || idOf(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const prototype: unknown = Object.getPrototypeOf(value);
    // The prototype of a plain object, also of one from another realm, has no prototype.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return idOf(value);
    // The order of properties does not matter. Old browsers do not have `toSorted`.
    const entries = Object.entries(value) as [string, unknown][];
    // oxlint-disable-next-line unicorn/no-array-sort
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Gives a client the functions that it calls from now on. */
export function renewOptions(key: string, options: RpcClientOptions): void {
  const shared = all.get(key);
  if (shared) shared.options = options;
}

/** All open shared clients, by the key of their object and options. */
const all = new Map<string, SharedClient>();

const ids = new WeakMap<object, number>();
let lastId = 0;

/** Returns a number for the identity of a function or an object. */
function idOf(value: object): number {
  const id = ids.get(value) ?? ++lastId;
  ids.set(value, id);
  return id;
}

/** Returns whether the code runs in a page or in React Native, and not on a server that renders a page. */
export const hasWindow = (): boolean => 'window' in globalThis;

class SharedClient {
  readonly client: RpcClient<unknown>;
  /** The options of the newest watcher. */
  options: RpcClientOptions;
  readonly #key: string;
  readonly #isAwaiting: () => boolean;
  readonly #timer = new Timer(() => this.#leave());
  readonly #watchers = new Set<object>();

  constructor(key: string, binding: string, instance: string, options: RpcClientOptions) {
    this.#key = key;
    this.options = options;
    const late: Record<string, unknown> = {};
    for (const name of CALLED_LATER) {
      if (typeof options[name] !== 'function') continue;
      late[name] = (...args: unknown[]) => {
        // The function is not called as a method of the options, because the `fetch` of a browser refuses any other
        // `this`.
        const newest = this.options[name] as (...args: unknown[]) => unknown;
        return newest(...args);
      };
    }
    this.client = createRpcClient(binding, instance, { ...options, ...late });
    const [session] = internalsOf(this.client);
    // The function is read before subscriptions replace it. Otherwise a subscription that nobody ends would keep the
    // client open for ever.
    this.#isAwaiting = session.isAwaiting;
  }

  /** Keeps the client open for a while, for a component that is rendered and will watch it once it is mounted. */
  touch(): void {
    if (this.#watchers.size > 0) return;
    all.set(this.#key, this);
    this.#closeLater();
  }

  /** @returns a function that stops watching */
  watch(): () => void {
    all.set(this.#key, this);
    this.#timer.stop();
    const watcher = {};
    this.#watchers.add(watcher);
    return () => {
      if (!this.#watchers.delete(watcher) || this.#watchers.size > 0) return;
      if (hasWindow()) this.#closeLater();
      // On a server, the request may end before a timer fires.
      else this.#timer.watch(this.#leave() ?? Infinity);
    };
  }

  #closeLater(): void {
    this.#timer.stop();
    this.#timer.watch(performance.now() + GRACE);
  }

  /** Closes the client, unless an answer is awaited. @returns the time of `performance.now()` when to try again */
  #leave(): number | undefined {
    if (this.#isAwaiting()) return performance.now() + GRACE;
    all.delete(this.#key);
    this.client.close();
  }
}
