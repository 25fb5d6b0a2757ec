/** Counts for a meter in a page or another program, and sends the sums in one call. */
import { type RpcClient, RpcError } from 'lumenize-rpc/client';
import type { MeterShard } from './meter-shard.ts';

/** The maximum number of keys that a shard takes in a call. */
const KEYS = 100;

/**
 * @example
 * const shard = createRpcClient<MeterShard>('METER_SHARD', shardName('visits'));
 * const visits = new MeterProducer(shard);
 * visits.count('home');
 */
export class MeterProducer {
  readonly #shard: Pick<RpcClient<MeterShard>, 'record'>;
  readonly #every: number;
  readonly #onError: (error: unknown) => void;
  #counts = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param every - the time for which it counts before it sends the sums, in milliseconds
   * @param onError - called if sums could not be sent. Sums that the shard has certainly not counted are sent again.
   */
  constructor(
    shard: Pick<RpcClient<MeterShard>, 'record'>,
    every = 1000,
    onError: (error: unknown) => void = console.error,
  ) {
    this.#shard = shard;
    this.#every = every;
    this.#onError = onError;
  }

  count(key: string, by = 1): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
    if (this.#counts.size === KEYS) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), this.#every);
  }

  /** Sends the sums at once, such as before the program ends. It never rejects: errors go to `onError`. */
  async flush(): Promise<void> {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    try {
      await this.#shard.record(Object.fromEntries(counts));
    } catch (error) {
      if (canBeRepeated(error)) for (const [key, sum] of counts) this.count(key, sum);
      this.#onError(error);
    }
  }
}

/** Returns whether the shard has certainly not counted the sums, and can count them later. */
function canBeRepeated(error: unknown): boolean {
  return (
    error instanceof RpcError &&
    !error.maybeExecuted &&
    ['TIMEOUT', 'DISCONNECTED', 'UNAVAILABLE'].includes(error.code)
  );
}
