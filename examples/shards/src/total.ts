/**
 * A counter for more calls than one object can handle: many shards count, and this Durable Object adds up
 * their values.
 */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read, type RpcObject } from 'lumenize-rpc/server';
import type { Shard } from './shard.ts';
import { shardName, SHARDS } from './shards.ts';

/** Not `Env`, so that another Worker, whose `Env` has no shards, can import the types of this file. */
interface Bindings {
  SHARD: DurableObjectNamespace<Shard>;
}

class TotalImpl extends DurableObject<Bindings> {
  #running: Promise<unknown> | undefined;
  #next: Promise<number> | undefined;

  /**
   * The sum of the shards whose names begin with this object's name. One sum is computed at a time. Callers
   * that arrive meanwhile share the next sum, because the current one may have read a shard before they
   * incremented it.
   */
  getValue(): Promise<number> {
    this.#next ??= this.#addAfter(this.#running);
    return this.#next;
  }

  async #addAfter(running: Promise<unknown> | undefined): Promise<number> {
    await running?.catch(() => {});
    const sum = this.#add();
    this.#running = sum;
    this.#next = undefined;
    return sum;
  }

  async #add(): Promise<number> {
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error('A total has a name: that of its counters');
    const shards = Array.from({ length: SHARDS }, (_, shard) => shardName(name, shard));
    const values = await Promise.all(
      shards.map((shard) => this.env.SHARD.getByName(shard).getValue()),
    );
    return values.reduce((sum, value) => sum + value, 0);
  }
}

export const Total = lumenizeRpcDO(TotalImpl, { getValue: read() });
export type Total = RpcObject<typeof Total>;
