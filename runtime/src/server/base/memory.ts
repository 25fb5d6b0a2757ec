/**
 * Accounts of the memory that an object holds for its clients. Each client has an account, which belongs to the account
 * of the object. All code that keeps bytes of a client or for a client adds them to the account and releases them.
 * runtime/test/server/buffers.node.test.ts lists every field that can grow.
 */
import { limitExceeded } from '../../wire/limits.ts';
import { clientKeyOf } from './client-key.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { perObject } from './per-object.ts';

/** A client that holds less than this, in bytes, is never refused or closed for the sake of another client. */
export const SMALL = 65_536;

/** The reason that a client receives when it is closed because the object has no memory left. */
export const OUT_OF_MEMORY = 'The object is out of memory: see limits.memoryPerObject';

/** Returns the largest size of a message that is sent at once. */
export function maxSentSize({ memoryPerObject }: Pick<Limits, 'memoryPerObject'>): number {
  return memoryPerObject / 2;
}

/**
 * Checks the size of a message before it is sent. A message that takes most of the object's memory would cause its
 * client to be closed, and the client would connect and request the message again.
 *
 * @param what - the words for the message in the error
 * @throws RpcError `LIMIT_EXCEEDED`
 */
export function checkSentSize(
  size: number,
  what: string,
  limits: Pick<Limits, 'memoryPerObject'>,
): void {
  const most = maxSentSize(limits);
  if (size > most) limitExceeded(`the size of ${what} (half of limits.memoryPerObject)`, most);
}

type MemoryLimits = Pick<Limits, 'memoryPerClient' | 'memoryPerObject'>;

/** A connection of a client, or a POST. */
export interface MemoryHolder {
  readonly owner: string | undefined;
  readonly client: string | undefined;
  /** Closes the connection, which releases the bytes that are kept for it. */
  giveWay(): void;
}

/** The account of an object, with the bytes that it holds for all of its clients. */
class ObjectMemory {
  limits: MemoryLimits = DEFAULT_LIMITS;
  /** The bytes that are held. */
  held = 0;
  readonly clients = new Map<unknown, ClientMemory>();

  /** Returns the account of the client that has the connection. */
  of(holder: MemoryHolder): ClientMemory {
    const key = clientKeyOf(holder) ?? holder;
    let memory = this.clients.get(key);
    if (!memory) this.clients.set(key, (memory = new ClientMemory(this, key)));
    memory.holders.add(holder);
    return memory;
  }

  forget(memory: ClientMemory): void {
    if (this.clients.get(memory.key) === memory) this.clients.delete(memory.key);
  }

  /**
   * Closes the clients that hold most until there is room.
   *
   * @param asking - the client that needs the room
   * @returns `false` if the asking client is the one that holds most
   */
  makeRoom(bytes: number, asking: ClientMemory): boolean {
    while (this.held + bytes > this.limits.memoryPerObject) {
      let largest = asking;
      for (const memory of this.clients.values()) {
        if (memory.releasable > largest.releasable) largest = memory;
      }
      const before = largest.releasable;
      if (largest === asking || before <= asking.releasable + bytes) return false;
      largest.giveWay();
      if (largest.releasable >= before) return false;
    }
    return true;
  }
}

/** The account of a client: the bytes that the object holds for it, over all of its connections. */
export class ClientMemory {
  /** The bytes that are held. */
  held = 0;
  readonly key: unknown;
  readonly holders = new Set<MemoryHolder>();
  /** The part of `held` that outlasts the connection. */
  #pinned = 0;
  readonly #object: ObjectMemory;

  constructor(object: ObjectMemory, key: unknown) {
    this.#object = object;
    this.key = key;
  }

  /** True if further calls of the client have to be rejected. */
  get isFull(): boolean {
    return this.held > this.#object.limits.memoryPerClient;
  }

  /** The bytes that are released if the client is closed; 0 for a client without a connection. */
  get releasable(): number {
    return this.holders.size > 0 ? this.held - this.#pinned : 0;
  }

  /**
   * Adds bytes that can still be refused.
   *
   * @throws RpcError `LIMIT_EXCEEDED` beyond `memoryPerClient`; also beyond `memoryPerObject` if no client holds more
   *   than this client, which is then closed
   */
  admit(bytes: number): void {
    const { memoryPerClient, memoryPerObject } = this.#object.limits;
    if (this.held + bytes > memoryPerClient) limitExceeded('memoryPerClient', memoryPerClient);
    const isOver = this.#object.held + bytes > memoryPerObject;
    if (isOver && !this.#object.makeRoom(bytes, this) && this.held + bytes > SMALL) {
      this.giveWay();
      limitExceeded('memoryPerObject', memoryPerObject);
    }
    this.#change(bytes);
  }

  /** Adds bytes that exist already, such as an answer. */
  add(bytes: number): void {
    this.#change(bytes);
    const object = this.#object;
    if (object.held <= object.limits.memoryPerObject) return;
    if (!object.makeRoom(0, this) && this.releasable > SMALL) this.giveWay();
  }

  /** Marks bytes that stay when the connection is closed: arguments of a call that runs or waits. */
  pin(bytes: number): void {
    this.#pinned += bytes;
  }

  release(bytes: number): void {
    this.#change(-bytes);
    this.#forgetUnused();
  }

  /** Releases what the account holds for a connection that has ended. */
  leave(holder: MemoryHolder): void {
    this.holders.delete(holder);
    this.#forgetUnused();
  }

  giveWay(): void {
    for (const holder of this.holders) holder.giveWay();
  }

  #change(bytes: number): void {
    this.held += bytes;
    this.#object.held += bytes;
  }

  #forgetUnused(): void {
    if (this.held === 0 && this.holders.size === 0) this.#object.forget(this);
  }
}

const objectMemoryOf = /* @__PURE__ */ perObject(() => new ObjectMemory());

/** Returns the account of a client of an object. */
export function memoryOf(
  instance: object,
  limits: MemoryLimits,
  holder: MemoryHolder,
): ClientMemory {
  const object = objectMemoryOf(instance);
  object.limits = limits;
  return object.of(holder);
}

/**
 * Returns how many bytes an object holds for all of its clients, and for each client, which is named by a connection
 * that it has or had.
 */
export function heldMemoryOf(instance: object): {
  held: number;
  clients: { holder: MemoryHolder | undefined; held: number }[];
} {
  const { held, clients } = objectMemoryOf(instance);
  return {
    held,
    clients: Array.from(clients.values(), (memory) => ({
      holder: [...memory.holders].at(-1),
      held: memory.held,
    })),
  };
}

/** Data that an object has in memory for all of its clients. */
export interface CacheItem {
  /** Drops about half of the data, or all of it. Absent for data that cannot be fetched again. */
  giveWay?(isAll?: boolean): void;
}

/** Data that an object holds for all clients together and can fetch again. It has an account, as a client has. */
export class CacheMemory implements MemoryHolder {
  readonly owner = undefined;
  readonly client = undefined;
  readonly #account: ClientMemory;
  readonly #sizes = new Map<CacheItem, number>();

  constructor(instance: object, limits: MemoryLimits) {
    this.#account = memoryOf(instance, limits, this);
  }

  /** Sets how many bytes an item takes. Beyond `memoryPerClient`, the largest items give way. */
  set(item: CacheItem, bytes: number): void {
    const more = bytes - (this.#sizes.get(item) ?? 0);
    if (more === 0) return;
    if (bytes > 0) this.#sizes.set(item, bytes);
    else this.#sizes.delete(item);
    if (!item.giveWay) this.#account.pin(more);
    if (more > 0) this.#account.add(more);
    else this.#account.release(-more);
    for (let held = Infinity; this.#account.isFull && this.#account.held < held;) {
      held = this.#account.held;
      const [largest] = this.#droppable.toSorted(([, one], [, other]) => other - one);
      largest?.[0].giveWay?.();
    }
  }

  giveWay(): void {
    for (const [item] of this.#droppable) item.giveWay?.(true);
  }

  get #droppable(): [CacheItem, number][] {
    return [...this.#sizes].filter(([item]) => item.giveWay);
  }
}
