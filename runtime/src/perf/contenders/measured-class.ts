/** Adds to a Durable Object class the methods of workloads that send values, use SQL or send events. */
import type { DurableObject } from 'cloudflare:workers';
import * as Type from '../../typebox/builders.ts';
import type { Contract } from '../../server/contract/entries.ts';
import { events } from '../../features/feeds/feature.ts';
import { feed, type Feed } from '../../features/feeds/server/feed.ts';

/** The methods that are added. Their names are unlikely to be names of methods of the class. */
export interface AddedMethods {
  perfEcho(value: unknown): unknown;
  /** Does what `perfEcho` does. The contract declares its results as plain. */
  perfEchoPlain(value: unknown): unknown;
  perfBook(): string;
  perfEvents(): Feed<unknown>;
  perfAnnounce(event: unknown): void;
}

export const addedContract = {
  perfEcho: { input: [Type.Unknown()], readonly: true },
  perfEchoPlain: { input: [Type.Unknown()], readonly: true, plain: true },
  perfBook: [],
  perfEvents: events(),
  perfAnnounce: [Type.Unknown()],
} as const satisfies Contract & Record<keyof AddedMethods, unknown>;

export type ObjectClass<Instance extends DurableObject<unknown> = DurableObject<unknown>> = new (
  ctx: DurableObjectState,
  env: never,
) => Instance;

/** An object of the project, with the added methods. */
export type Measured = DurableObject<unknown> & AddedMethods;
export type MeasuredClass = ObjectClass<Measured>;

type Place = { id: string; place: string; expires: number };

export function measuredClass(Class: ObjectClass): MeasuredClass {
  return class extends Class implements AddedMethods {
    #hasTable = false;

    perfEcho(value: unknown): unknown {
      return value;
    }

    perfEchoPlain(value: unknown): unknown {
      return value;
    }

    /**
     * Books a place for ten minutes and frees it again, with an index and an alarm. The first booking creates the
     * table, so that objects without bookings have none.
     */
    perfBook(): string {
      const query = (statement: string, ...bindings: SqlStorageValue[]): Place[] =>
        this.ctx.storage.sql.exec<Place>(statement, ...bindings).toArray();
      if (!this.#hasTable) {
        query(`CREATE TABLE IF NOT EXISTS perf_places (
            id TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, expires INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX IF NOT EXISTS perf_places_by_expiry ON perf_places (expires)`);
        this.#hasTable = true;
      }
      query('DELETE FROM perf_places WHERE expires <= ?', Date.now());
      const [taken] = query(
        'INSERT INTO perf_places VALUES (?, ?, ?) ON CONFLICT (place) DO NOTHING RETURNING *',
        crypto.randomUUID(),
        'A1',
        Date.now() + 600_000,
      );
      if (!taken) throw new Error('A1 is taken');
      const [next] = query('SELECT * FROM perf_places ORDER BY expires LIMIT 1');
      if (next) void this.ctx.storage.setAlarm(next.expires);
      const [own] = query('SELECT * FROM perf_places WHERE id = ?', taken.id);
      if (own) query('DELETE FROM perf_places WHERE id = ?', own.id);
      return taken.place;
    }

    perfEvents(): Feed<unknown> {
      return feed(this, 'perf-events');
    }

    perfAnnounce(event: unknown): void {
      this.perfEvents().append(event);
    }

    /** No booking is left when the alarm runs, so only the alarm of the class has something to do. */
    override async alarm(info?: AlarmInvocationInfo): Promise<void> {
      await super.alarm?.(info);
    }
  };
}

/** Calls a method of the project's object by its name. */
export function callByName(object: Measured, method: string, args: readonly unknown[]): unknown {
  const methods = object as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  return (methods[method] as (typeof methods)[string]).call(object, ...args);
}
