/**
 * A Durable Object with tables: the places of one event, each held for a while and then booked or
 * free again. Shows SQL with an index, migrations, and an alarm. Imports migrate and the RPC runtime.
 */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { migrate } from './migrate.ts';
import { lumenizeRpcDO } from './rpc/server.ts';

export type Booking = {
  id: string;
  /** What is booked, such as a seat; nobody else can have it. */
  place: string;
  holder: string;
  /** When the hold ends, on the clock of `Date.now()`; `null` once it is booked. */
  expires: number | null;
};

export const MIGRATIONS = [
  `CREATE TABLE bookings (
    id TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, holder TEXT NOT NULL
  ) STRICT`,
  // Holds came later. The index has no row for what is booked, which never expires.
  `ALTER TABLE bookings ADD COLUMN expires INTEGER;
   CREATE INDEX bookings_by_expiry ON bookings (expires) WHERE expires IS NOT NULL`,
];

export class BookingsImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, MIGRATIONS);
  }

  /** Keeps a place free for somebody, for so many seconds. */
  hold(place: string, holder: string, seconds = 600): Booking {
    this.#expire();
    const expires = Date.now() + seconds * 1000;
    const [booking] = this.#query(
      `INSERT INTO bookings (id, place, holder, expires) VALUES (?, ?, ?, ?)
       ON CONFLICT (place) DO NOTHING RETURNING *`,
      crypto.randomUUID(),
      place,
      holder,
      expires,
    );
    if (!booking) throw new Error(`${place} is taken`);
    this.#wakeForNextExpiry();
    return booking;
  }

  /** Makes a hold last. */
  book(id: string): Booking {
    this.#expire();
    const [booking] = this.#query(
      'UPDATE bookings SET expires = NULL WHERE id = ? RETURNING *',
      id,
    );
    if (!booking) throw new Error('There is no such hold: it may have expired');
    return booking;
  }

  /** Gives a place free, whether held or booked; does nothing if it is. */
  release(id: string): void {
    this.#query('DELETE FROM bookings WHERE id = ?', id);
  }

  /** In the order of their places, from after one on: a list that grows is read in pages. */
  list(after = '', limit = 100): Booking[] {
    return this.#query(
      `SELECT * FROM bookings WHERE place > ? AND (expires IS NULL OR expires > ?)
       ORDER BY place LIMIT ?`,
      after,
      Date.now(),
      limit,
    );
  }

  /** Called by the runtime, again if it fails. */
  override alarm(): void {
    this.#expire();
    this.#wakeForNextExpiry();
  }

  /** An alarm may come late, so whoever depends on it does this first. */
  #expire(): void {
    this.#query('DELETE FROM bookings WHERE expires <= ?', Date.now());
  }

  #wakeForNextExpiry(): void {
    const [next] = this.#query(
      'SELECT * FROM bookings WHERE expires IS NOT NULL ORDER BY expires LIMIT 1',
    );
    // Not awaited: an alarm set in the same turn as the rows is stored with them or not at all.
    if (next?.expires) void this.ctx.storage.setAlarm(next.expires);
  }

  #query(statement: string, ...bindings: SqlStorageValue[]): Booking[] {
    return this.ctx.storage.sql.exec<Booking>(statement, ...bindings).toArray();
  }
}

const id = Type.String({ maxLength: 36 });
const name = Type.String({ minLength: 1, maxLength: 100 });

export const Bookings = lumenizeRpcDO(BookingsImpl, {
  hold: [name, name, Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 }))],
  book: [id],
  release: [id],
  list: {
    input: [
      Type.Optional(Type.String({ maxLength: 100 })),
      Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    ],
    readonly: true,
  },
});
export type Bookings = InstanceType<typeof Bookings>;
