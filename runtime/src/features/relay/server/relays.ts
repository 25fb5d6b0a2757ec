/** The origins that an object copies. Each has a connection and copies, and all copies share an account of memory. */
import {
  type CacheItem,
  CacheMemory,
  relaying,
  contractOf,
  DEFAULT_LIMITS,
  isRelayName,
  openConnectionsOf,
  prepareAlarm,
  type SharedAlarm,
  sharedAlarmOf,
  perObject,
} from '../../../server/feature.ts';
import { RpcError } from '../../../wire/errors.ts';
import { MAX_DELAY } from '../../../wire/limits.ts';
import type { RpcClient } from '../../../client/client-types.ts';
import { messageWithoutAddress } from '../../../client/failures.ts';
import { createRpcClient, internalsOf } from '../../../client/proxy.ts';
import { bindingTransport, type Stub } from '../../../client/transports/binding.ts';
import { feedEvents } from '../../feeds/server/feed-kind.ts';
import { changed } from '../../live/feature.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import { untilArrived } from './until-arrived.ts';

/** The number of unused copies that are held until the next check, so that a call finds them again. */
const MAX_UNUSED = 8;

/** The figures of a copy, which `observe` returns. */
export interface CopyFigures {
  /** The number of the relay's subscribers that receive the copy. */
  readonly readers: number;
  /** The number of events in memory; 1 for a live value. */
  readonly events: number;
  /** The bytes that the copy takes of `limits.memoryPerClient`. */
  readonly bytes: number;
  /** Milliseconds behind the origin: half of the time of its last answer, or the time since the connection was lost. */
  readonly delay: number;
}

/** One feed or live value of an origin. */
export interface Copy extends CacheItem {
  /** True if a subscriber follows the copy, or waits for it. */
  readonly isUsed: boolean;
  /** True if the origin has answered. */
  readonly hasBegun: boolean;
  readonly figures: CopyFigures;
  start(): void;
  /** Ends the subscription to the origin, because nobody uses the copy. */
  drop(): void;
  /** Ends the copy because of an error, which all of its subscribers receive. */
  stop(thrown: unknown): void;
}

/** The method whose feed or value is copied, and its arguments. */
export type CopiedCall = Readonly<{ method: string; args: readonly unknown[] }>;
type SourceOptions = Readonly<{ linger?: number | undefined; caller?: unknown }>;

/** An origin, called as one caller. */
export class Source {
  readonly instance: object;
  /** The name of the origin, if it has one. */
  readonly name: string | undefined;
  /** The copies by their kind, method and arguments. The copies that were requested last are at the end. */
  readonly copies = new Map<string, { readonly call: CopiedCall; readonly copy: Copy }>();
  lostAt: number | undefined;
  readonly #relays: Relays;
  readonly #key: unknown;
  readonly #origin: () => Stub;
  readonly #options: SourceOptions;
  #client: RpcClient<unknown> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(relays: Relays, key: unknown, origin: () => Stub, options: SourceOptions) {
    this.instance = relays.instance;
    this.name = origin().name;
    this.#relays = relays;
    this.#key = key;
    this.#origin = origin;
    this.#options = options;
  }

  /** Returns the connection to the origin, and makes a new connection after the last has ended for good. */
  get client(): RpcClient<unknown> {
    try {
      if (this.#client) internalsOf(this.#client)[0].admit();
    } catch {
      this.#client = undefined;
    }
    return (this.#client ??= this.#connect());
  }

  /** @param make - makes the copy, if there is none yet */
  use<Kind extends Copy>(key: string, call: CopiedCall, make: () => Kind): Kind {
    const known = this.copies.get(key);
    this.copies.delete(key);
    if (!known) this.#dropUnused(MAX_UNUSED);
    const copy = (known?.copy as Kind | undefined) ?? make();
    this.copies.set(key, { call, copy });
    if (this.#timer === undefined) this.#watch();
    if (!known) copy.start();
    return copy;
  }

  forget(copy: Copy): void {
    for (const [key, one] of this.copies) if (one.copy === copy) this.copies.delete(key);
    queueMicrotask(() => this.tidy());
  }

  /** Counts the bytes that a copy holds now. */
  weigh(copy: Copy): void {
    this.#relays.memory.set(copy, copy.figures.bytes);
  }

  /** Drops the unused copies, if the origin has refused another subscription. @returns whether there were any */
  makesRoom(thrown: unknown): boolean {
    return thrown instanceof RpcError && thrown.code === 'LIMIT_EXCEEDED' && this.#dropUnused(0);
  }

  /** Drops the copies that nobody uses, and then the connection. */
  tidy(): void {
    this.#dropUnused(0);
    if (this.copies.size > 0) return;
    clearTimeout(this.#timer);
    this.#client?.[Symbol.dispose]();
    this.#timer = this.#client = undefined;
    this.#relays.forget(this.#key);
  }

  /** Returns the error of the origin, or of the connection to it, for the subscribers of the relay. */
  errorOf(thrown: unknown): unknown {
    if (!(thrown instanceof RpcError)) return thrown;
    const isLimit = /^(LIMIT_EXCEEDED|UNAVAILABLE)$/.test(thrown.code);
    if (!isLimit && !thrown.status) return thrown;
    const about = isLimit ? 'The relay gets no data from its origin: ' : '';
    return new RpcError(thrown.code, about + messageWithoutAddress(thrown), { ...thrown });
  }

  #connect(): RpcClient<unknown> {
    const { caller } = this.#options;
    const stub: Stub = {
      fetch: (url, init) => {
        const origin = this.#origin();
        if (keyOf(origin, this.#origin, caller) === this.#key) return origin.fetch(url, init);
        const problem = new TypeError(
          'The origin of a relay has changed: call relay() once for each origin',
        );
        this.#stop(problem, false);
        throw problem;
      },
    };
    return createRpcClient('the origin', 'of a relay', {
      transport: bindingTransport(stub, { socket: true, caller }),
      onStateChange: (state, { error }) => {
        if (state === 'open') this.lostAt = undefined;
        else if (state === 'reconnecting') this.lostAt ??= Date.now();
        // The origin has refused the connection. Present subscribers wait, and new subscribers are rejected.
        if (error?.status) this.#stop(error, true);
      },
    });
  }

  #stop(thrown: unknown, onlyNew: boolean): void {
    for (const { copy } of this.copies.values()) if (!onlyNew || !copy.hasBegun) copy.stop(thrown);
  }

  #dropUnused(spared: number): boolean {
    const unused = [...this.copies].filter(([, { copy }]) => !copy.isUsed);
    for (const [key, { copy }] of unused.slice(0, -spared || undefined)) {
      this.copies.delete(key);
      copy.drop();
    }
    return unused.length > spared;
  }

  /** Checks from time to time which copies are used. The timer costs nothing, because the socket keeps the relay awake. */
  #watch(): void {
    // The alarm wakes the relay if the runtime evicts it while its subscribers stay connected.
    this.#relays.alarm?.putOff().catch(console.error);
    this.#timer = setTimeout(
      () => {
        this.tidy();
        if (this.copies.size > 0) this.#watch();
      },
      Math.min(this.#options.linger ?? 10_000, MAX_DELAY),
    );
  }
}

/** All origins of an object. */
class Relays {
  readonly instance: object;
  readonly sources = new Map<unknown, Source>();
  readonly alarm: SharedAlarm | undefined;
  #memory: CacheMemory | undefined;

  constructor(instance: object) {
    this.instance = instance;
    this.alarm = sharedAlarmOf(instance);
    // There may be subscribers from before hibernation, whose methods request the copies.
    queueMicrotask(() => {
      const connections = openConnectionsOf(instance);
      if (connections.every(({ subscriptions }) => subscriptions.stored.length === 0)) return;
      subscribersOf(instance).restore(feedEvents);
      changed(instance);
    });
  }

  get memory(): CacheMemory {
    const { limits } = contractOf(this.instance) ?? { limits: DEFAULT_LIMITS };
    return (this.#memory ??= new CacheMemory(this.instance, limits));
  }

  sourceOf(origin: () => Stub, options: SourceOptions): Source {
    const stub = origin();
    const key = keyOf(stub, origin, options.caller);
    const known = this.sources.get(key);
    if (known) return known;
    if (isRelayName(stub.name))
      throw new TypeError('The origin is itself a relay: pass the object that it copies');
    for (const other of this.sources.values()) other.tidy();
    return this.sources.set(key, new Source(this, key, origin, options)).get(key) as Source;
  }

  forget(key: unknown): void {
    if (this.sources.delete(key) && !this.sources.size) this.alarm?.end().catch(console.error);
  }
}

/** Returns a key that identifies an origin and a caller. */
function keyOf({ id, name }: Stub, origin: () => Stub, caller: unknown): unknown {
  const object = typeof id === 'object' ? String(id) : name;
  return typeof object === 'string' ? JSON.stringify({ object, caller }) : origin;
}

export const relaysOf = /* @__PURE__ */ perObject((instance) => new Relays(instance));

// A relay that was evicted while it had subscribers may call `relay` only in methods, so its alarm is restored here.
relaying.afterConstruction = (instance) => {
  if (prepareAlarm(instance)) relaysOf(instance);
};
relaying.untilArrived = untilArrived;
