/**
 * A Durable Object with tables: the places of one event, each held for a while and then booked or
 * free again. Shows SQL with an index, migrations, an alarm, and methods that go by who is calling.
 * Imports migrate and the RPC runtime.
 */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { migrate } from './migrate.ts';
import { currentCaller, lumenizeRpcDO } from './rpc/server.ts';

/** A row, and so a `type`: `sql.exec` does not take an `interface`. */
export type Booking = {
  id: string;
  /** What is booked, such as a seat; nobody else can have it. */
  place: string;
  /** The user who alone may book or release it, as the Worker named the caller. */
  holder: string;
  /** When the hold ends, on the clock of `Date.now()`; `null` once it is booked. */
  expires: number | null;
};

/** What everybody sees of a booking. */
export type Taken = Pick<Booking, 'place' | 'expires'> & {
  /** Of the caller's own; `null` in those of others. */
  id: string | null;
};

export const MIGRATIONS = [
  `CREATE TABLE bookings (
    id TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, holder TEXT NOT NULL
  ) STRICT`,
  // Holds came later. The index has no row for what is booked, which never expires.
  `ALTER TABLE bookings ADD COLUMN expires INTEGER;
   CREATE INDEX bookings_by_expiry ON bookings (expires) WHERE expires IS NOT NULL`,
];

class BookingsImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, MIGRATIONS);
  }

  /** Keeps a place free for the caller, for so many seconds. */
  hold(place: string, seconds = 600): Booking {
    const holder = caller();
    this.#expire();
    const expires = Date.now() + seconds * 1000;
    const [booking] = this.#query<Booking>(
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

  /** Makes a hold of the caller's last. */
  book(id: string): Booking {
    const holder = caller();
    this.#expire();
    const booking = this.#held(id, holder);
    if (!booking) throw new Error('There is no such hold: it may have expired');
    this.#query('UPDATE bookings SET expires = NULL WHERE id = ?', id);
    return { ...booking, expires: null };
  }

  /** Gives a place of the caller's free, whether held or booked; does nothing if it is. */
  release(id: string): void {
    if (this.#held(id, caller())) this.#query('DELETE FROM bookings WHERE id = ?', id);
  }

  /**
   * In the order of their places, from after one on: a list that grows is read in pages. Whoever the
   * Worker lets through may ask, and learns nothing of who the others are.
   */
  list(after = '', limit = 100): Taken[] {
    return this.#query<Taken>(
      `SELECT place, expires, CASE holder WHEN ? THEN id END AS id
       FROM bookings WHERE place > ? AND (expires IS NULL OR expires > ?) ORDER BY place LIMIT ?`,
      currentCaller<Caller>()?.user ?? null,
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

  /** The booking, if there is one; never somebody else's. */
  #held(id: string, holder: string): Booking | undefined {
    const [booking] = this.#query<Booking>('SELECT * FROM bookings WHERE id = ?', id);
    if (booking && booking.holder !== holder) throw new Error('Only its holder may do this');
    return booking;
  }

  /** An alarm may come late, so whoever depends on it does this first. */
  #expire(): void {
    this.#query('DELETE FROM bookings WHERE expires <= ?', Date.now());
  }

  #wakeForNextExpiry(): void {
    const [next] = this.#query<Booking>(
      'SELECT * FROM bookings WHERE expires IS NOT NULL ORDER BY expires LIMIT 1',
    );
    // Not awaited: an alarm set in the same turn as the rows is stored with them or not at all.
    if (next?.expires) void this.ctx.storage.setAlarm(next.expires);
  }

  #query<Row extends Record<string, SqlStorageValue>>(
    statement: string,
    ...bindings: SqlStorageValue[]
  ): Row[] {
    return this.ctx.storage.sql.exec<Row>(statement, ...bindings).toArray();
  }
}

/** What the Worker says of a caller, by `withCaller` in a hook: see "Authenticate callers" in README.md. */
type Caller = { user: string };

/** No argument says who calls, since a client can send anything. */
function caller(): string {
  const user = currentCaller<Caller>()?.user;
  if (!user) throw new Error('Nobody is named as the caller: the Worker does it, with withCaller');
  return user;
}

const id = Type.String({ maxLength: 36 });
const place = Type.String({ minLength: 1, maxLength: 100 });

export const Bookings = lumenizeRpcDO(BookingsImpl, {
  hold: [place, Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 }))],
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
