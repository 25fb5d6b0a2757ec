/**
 * A counter for more calls than one object can take: many counters count, and this Durable Object
 * adds them up. Imports shards and the RPC runtime; the type of counter.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Counter } from './counter.ts';
import { lumenizeRpcDO } from './rpc/server.ts';
import { shardName, SHARDS } from './shards.ts';

/** Not `Env`, which is another one where another Worker imports this file for its types. */
interface Bindings {
  COUNTER: DurableObjectNamespace<Counter>;
}

class TotalImpl extends DurableObject<Bindings> {
  #running: Promise<unknown> | undefined;
  #next: Promise<number> | undefined;

  /**
   * The sum of the counters whose names begin with this object's. However many ask, it adds up once
   * at a time: who asks meanwhile shares the next sum, since the one under way may have passed a
   * counter before what they have counted there.
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
      shards.map((shard) => this.env.COUNTER.getByName(shard).getValue()),
    );
    return values.reduce((sum, value) => sum + value, 0);
  }
}

export const Total = lumenizeRpcDO(TotalImpl, { getValue: { input: [], readonly: true } });
export type Total = InstanceType<typeof Total>;
