/**
 * A Durable Object with tables: the places of one event. Each is held for a while, and then booked or free
 * again. It shows SQL with an index, migrations, an alarm, and methods that depend on the caller.
 */
import { DurableObject } from 'cloudflare:workers';
import { currentCaller, lumenizeRpcDO, migrate, read, type RpcObject } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

/** A row. It is a `type`, because `sql.exec` does not accept an `interface`. */
export type Booking = {
  id: string;
  /** The place that is booked, such as a seat. A place has at most one booking. */
  place: string;
  /** The caller's user, as the Worker named it. Nobody else may book or release the place. */
  holder: string;
  /** The time at which the hold ends, as `Date.now()` counts it; `null` if the place is booked. */
  expires: number | null;
};

/** The part of a booking that everybody can see. */
export type Taken = Pick<Booking, 'place' | 'expires'> & {
  /** The id of the caller's own booking; `null` for bookings of others. */
  id: string | null;
};

export const MIGRATIONS = [
  `CREATE TABLE bookings (
    id TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, holder TEXT NOT NULL
  ) STRICT`,
  // Holds were added later. The index has no rows for booked places, which never expire.
  `ALTER TABLE bookings ADD COLUMN expires INTEGER;
   CREATE INDEX bookings_by_expiry ON bookings (expires) WHERE expires IS NOT NULL`,
];

class BookingsImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, MIGRATIONS);
  }

  /** Holds a place for the caller, for a number of seconds. */
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

  /** Turns a hold of the caller into a booking. */
  book(id: string): Booking {
    const holder = caller();
    this.#expire();
    const booking = this.#held(id, holder);
    if (!booking) throw new Error('There is no such hold: it may have expired');
    this.#query('UPDATE bookings SET expires = NULL WHERE id = ?', id);
    return { ...booking, expires: null };
  }

  /** Frees a place that the caller has held or booked. Does nothing if the place is free. */
  release(id: string): void {
    if (this.#held(id, caller())) this.#query('DELETE FROM bookings WHERE id = ?', id);
  }

  /**
   * Lists bookings in the order of their places. To read the next page of a long list, pass the last place as
   * `after`. Every caller can list all bookings. A caller gets the ids of its own bookings, and no names of other holders.
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

  /** The runtime calls this method, and calls it again if it fails. */
  override alarm(): void {
    this.#expire();
    this.#wakeForNextExpiry();
  }

  /** Returns a booking, if it exists. Throws if it belongs to another caller. */
  #held(id: string, holder: string): Booking | undefined {
    const [booking] = this.#query<Booking>('SELECT * FROM bookings WHERE id = ?', id);
    if (booking && booking.holder !== holder) throw new Error('Only its holder may do this');
    return booking;
  }

  /** Deletes expired holds. The alarm may be late, so methods that depend on it call this first. */
  #expire(): void {
    this.#query('DELETE FROM bookings WHERE expires <= ?', Date.now());
  }

  #wakeForNextExpiry(): void {
    const [next] = this.#query<Booking>(
      'SELECT * FROM bookings WHERE expires IS NOT NULL ORDER BY expires LIMIT 1',
    );
    // The alarm is not awaited, so it is set in the same turn as the rows, and stored together with them.
    if (next?.expires) void this.ctx.storage.setAlarm(next.expires);
  }

  #query<Row extends Record<string, SqlStorageValue>>(
    statement: string,
    ...bindings: SqlStorageValue[]
  ): Row[] {
    return this.ctx.storage.sql.exec<Row>(statement, ...bindings).toArray();
  }
}

/** The caller, as a hook of the Worker names it: `withCaller(request, { user })`. */
type Caller = { user: string };

/** The user is not an argument, because a client can send any argument. */
function caller(): string {
  const user = currentCaller<Caller>()?.user;
  if (!user)
    throw new Error('The Worker has not named the caller: name it with withCaller in a hook');
  return user;
}

const id = Type.String({ maxLength: 36 });
const place = Type.String({ minLength: 1, maxLength: 100 });
const seconds = Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 }));
const after = Type.Optional(Type.String({ maxLength: 100 }));
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));

export const Bookings = lumenizeRpcDO(BookingsImpl, {
  hold: [place, seconds],
  book: [id],
  release: [id],
  list: read([after, limit]),
});
export type Bookings = RpcObject<typeof Bookings>;
