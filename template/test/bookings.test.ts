/** The bookings: over the wire, after a migration, and when holds expire. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { type Bookings, MIGRATIONS } from '../src/bookings.ts';
import { connect } from './support/clients.ts';

const MINUTE = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

function open(event: string) {
  return connect<Bookings>('websocket', 'BOOKINGS', event);
}

/** The object's clock: it runs in the tests' own isolate. */
function wait(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
}

test('a place is held, then booked, by one at a time', async () => {
  using bookings = open('hold');
  const held = await bookings.hold('A1', 'Ada');
  expect(held).toMatchObject({ place: 'A1', holder: 'Ada', expires: expect.any(Number) });
  await expect(bookings.hold('A1', 'Bob')).rejects.toThrow('A1 is taken');
  expect(await bookings.book(held.id)).toEqual({ ...held, expires: null });
  await bookings.release(held.id);
  expect(await bookings.hold('A1', 'Bob')).toMatchObject({ holder: 'Bob' });
});

test('an expired hold is gone, whether the alarm has come or not', async () => {
  const object = env.BOOKINGS.getByName('expiry');
  using bookings = open('expiry');
  const [first, second] = await Promise.all([
    bookings.hold('A1', 'Ada', 60),
    bookings.hold('A2', 'Ada', 120),
  ]);
  const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
  const rows = () =>
    runInDurableObject(object, (_, { storage }) => [
      ...storage.sql.exec('SELECT place FROM bookings').raw(),
    ]);
  expect(await alarm()).toBe(first.expires);
  wait(MINUTE);
  expect(await bookings.list()).toEqual([second]);
  await expect(bookings.book(first.id)).rejects.toThrow('it may have expired');
  expect(await runDurableObjectAlarm(object)).toBe(true);
  expect(await rows()).toEqual([['A2']]);
  expect(await alarm()).toBe(second.expires);
  await bookings.book(second.id);
  wait(MINUTE);
  await runDurableObjectAlarm(object);
  expect(await rows()).toEqual([['A2']]);
  expect(await alarm()).toBeNull();
});

test.each([
  ['no place', ['', 'Ada'], '[0]'],
  ['no holder', ['A1'], '[1]'],
  ['no time', ['A1', 'Ada', 0], '[2]'],
  ['more than an hour', ['A1', 'Ada', 3601], '[2]'],
])('a hold with %s is refused', async (_, args, path) => {
  using bookings = open('refused');
  const hold = bookings.hold as (...args: unknown[]) => Promise<unknown>;
  await expect(hold(...args)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS', path });
  expect(await bookings.list()).toEqual([]);
});

test('an object of the first version is migrated when it wakes, with what it has', async () => {
  const object = env.BOOKINGS.getByName('old');
  await runInDurableObject(object, async (_, { storage }) => {
    await storage.deleteAll();
    storage.sql.exec(MIGRATIONS[0] as string);
    storage.sql.exec("INSERT INTO bookings VALUES ('an-id', 'A1', 'Ada')");
    storage.kv.put('schema_version', 1);
  });
  await evictDurableObject(object);
  using bookings = open('old');
  expect(await bookings.list()).toEqual([
    { id: 'an-id', place: 'A1', holder: 'Ada', expires: null },
  ]);
  await expect(bookings.hold('A1', 'Bob')).rejects.toThrow('A1 is taken');
});

test('no statement reads all rows', async () => {
  const object = env.BOOKINGS.getByName('plans');
  await runInDurableObject(object, async (bookings: Bookings, { storage: { sql } }) => {
    const exec = vi.spyOn(sql, 'exec');
    const { id } = bookings.hold('A1', 'Ada');
    bookings.book(id);
    bookings.list();
    bookings.release(id);
    await bookings.alarm();
    const statements = exec.mock.calls;
    exec.mockRestore();
    expect(statements.length).toBeGreaterThanOrEqual(8);
    for (const [statement, ...bindings] of statements) {
      const plan = sql.exec(`EXPLAIN QUERY PLAN ${statement}`, ...bindings).toArray();
      const details = plan.map(({ detail }) => String(detail));
      // None for what is only inserted.
      for (const detail of details) expect(detail).toMatch(/USING (COVERING )?INDEX/);
    }
  });
});
