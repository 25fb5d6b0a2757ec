/** A Durable Object that counts for some of a meter's producers. It adds up for a second, and then reports to the meter. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';
import type { Meter } from './meter.ts';
import { meterOf } from './meter-shards.ts';

/** This type is used in place of `Env`, so that a Worker whose `Env` has no meter can import the types of this file. */
interface Bindings {
  METER: DurableObjectNamespace<Meter>;
}

interface Sums {
  /** The sums of all counts of this shard, by key. */
  totals: Map<string, number>;
  /** The time of the next report to the meter, in milliseconds since 1970. */
  pushAt: number;
}

/** The time for which a shard adds up before it reports, in milliseconds. */
const PUSH_AFTER = 1000;
/** The time after which it tries again if a report fails, in milliseconds. */
const RETRY_AFTER = 10_000;
/** The maximum number of keys of a meter. */
const KEYS = 1000;

class MeterShardImpl extends DurableObject<Bindings> {
  /**
   * Adds counts, by their keys. A call writes one row for any number of counts, and a second row for the next alarm.
   */
  record(counts: Record<string, number>): void {
    this.#meter();
    const { totals, pushAt } = this.#sums();
    for (const [key, count] of Object.entries(counts)) {
      totals.set(key, (totals.get(key) ?? 0) + count);
    }
    if (totals.size > KEYS) throw new RangeError(`A meter has ${KEYS} keys at most`);
    const now = Date.now();
    const isDue = pushAt > now;
    this.ctx.storage.kv.put('sums', { totals, pushAt: isDue ? pushAt : now + PUSH_AFTER });
    if (!isDue) void this.ctx.storage.setAlarm(now + PUSH_AFTER);
  }

  /** Sends the sums of all counts, and not only new counts, so that a report that is lost or comes twice does no harm. */
  override async alarm(): Promise<void> {
    try {
      await this.#meter().report(this.ctx.id.name ?? '', Object.fromEntries(this.#sums().totals));
    } catch (error) {
      console.error(error);
      // A call of `record` may have set an earlier alarm.
      if ((await this.ctx.storage.getAlarm()) === null) {
        await this.ctx.storage.setAlarm(Date.now() + RETRY_AFTER);
      }
    }
  }

  #sums(): Sums {
    return this.ctx.storage.kv.get<Sums>('sums') ?? { totals: new Map(), pushAt: 0 };
  }

  #meter(): DurableObjectStub<Meter> {
    const { name = '' } = this.ctx.id;
    const meter = meterOf(name);
    if (meter === undefined)
      throw new RangeError(`${name} is not the name of a shard: see meter-shards.ts`);
    return this.env.METER.getByName(meter);
  }
}

const key = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9/._-]{0,63}$' });
const count = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const counts = Type.Record(key, count, { additionalProperties: false, maxProperties: 100 });

export const MeterShard = lumenizeRpcDO(MeterShardImpl, { record: [counts] });
export type MeterShard = InstanceType<typeof MeterShard>;
