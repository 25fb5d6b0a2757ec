/**
 * The streams in an object's memory. A client finds its streams again when it reconnects. If it does not, they expire.
 */
import {
  holderKeyOf,
  type CompiledContract,
  type Connection,
  itemToEvict,
  perObject,
} from '../../../server/feature.ts';
import { limitExceeded, MAX_DELAY } from '../../../wire/limits.ts';
import { type NewStream, OpenStream, type StreamPool } from './open-stream.ts';

/** Maximum size of the unacknowledged items of one stream, in characters and bytes. */
const MAX_HELD = 1_048_576;

/**
 * The part of `limits.memoryPerObject` that the items of all streams may take. Items that are on their way are counted
 * once more. Each stream may always hold one item.
 */
const PART = 0.25;

/**
 * The size that each stream may hold when all streams together have reached the maximum. It allows many small items.
 */
const LEAST_HELD = 16_384;

/** The streams of one object. */
class Streams implements StreamPool {
  readonly #open = new Map<string, OpenStream>();
  readonly #keys = new WeakMap<OpenStream, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  held = 0;
  /** The maximum of `held`. */
  #most = Infinity;

  /**
   * Returns an equal part of the maximum of all streams. A stream that began when there were fewer streams may hold
   * more, until its client has consumed the items.
   */
  get share(): number {
    if (this.held >= this.#most) return LEAST_HELD;
    return Math.min(MAX_HELD, this.#most / this.#open.size);
  }

  /** Returns a client's stream by its number, even if the stream began on another connection. */
  find(connection: Connection, subscriptionId: number): OpenStream | undefined {
    return this.#open.get(keyOf(connection, subscriptionId));
  }

  get all(): OpenStream[] {
    return [...this.#open.values()];
  }

  /**
   * Makes room for another stream of a client.
   *
   * @throws RpcError `LIMIT_EXCEEDED` if the object has as many streams as `limits.streams` allows, and none of them can
   *   be ended
   */
  admit({ limits }: CompiledContract, connection: Connection): void {
    if (this.#open.size < limits.streams) return;
    const gives = itemToEvict(this.all, holderKeyOf(connection) ?? connection);
    if (!gives) limitExceeded('streams', limits.streams);
    gives.giveWay();
  }

  open(opened: NewStream): OpenStream {
    const { connection, subscriptionId, target } = opened;
    // A client without an id cannot come back.
    const key =
      connection.client === undefined ? `${++this.#last}` : keyOf(connection, subscriptionId);
    this.#most = PART * target.contract.limits.memoryPerObject;
    const stream = new OpenStream(opened, this);
    this.#open.set(key, stream);
    this.#keys.set(stream, key);
    this.#timer ??= this.#wait(target.contract.streamTimeout);
    return stream;
  }

  forget(stream: OpenStream): void {
    this.#open.delete(this.#keys.get(stream) ?? '');
    if (this.#open.size > 0) return;
    clearTimeout(this.#timer as never);
    this.#timer = undefined;
  }

  /**
   * Ends streams that have waited for their clients for too long. The timer keeps the object awake while
   * there are streams.
   */
  #expire(): void {
    const now = Date.now();
    let next = Infinity;
    for (const stream of this.all) {
      const left = stream.deadline - now;
      if (left <= 0) stream.expire();
      else next = Math.min(next, left);
    }
    if (this.#open.size > 0) this.#timer = this.#wait(next);
  }

  #wait(delay: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#expire(), Math.min(delay, MAX_DELAY));
  }
}

export const streamsOf = /* @__PURE__ */ perObject(() => new Streams());

function keyOf({ owner, client }: Connection, subscriptionId: number): string {
  return JSON.stringify([owner, client, subscriptionId]);
}
