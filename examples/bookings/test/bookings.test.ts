/**
 * Tests the bookings: over the wire, with several users, after a migration, and when holds expire.
 */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { connect } from 'lumenize-rpc/testing';
import { type Bookings, MIGRATIONS } from '../src/bookings.ts';

const MINUTE = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Returns a client of a user. */
const open = (event: string, user = 'Ada') =>
  connect<Bookings>('BOOKINGS', event, { as: { user } });

/** Advances the object's clock. The object runs in the same isolate as the tests. */
function wait(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
}

test('one user holds a place and then books it', async () => {
  using ada = open('hold');
  using bob = open('hold', 'Bob');
  const held = await ada.hold('A1');
  expect(held).toMatchObject({ place: 'A1', holder: 'Ada', expires: expect.any(Number) });
  await expect(bob.hold('A1')).rejects.toThrow('A1 is taken');
  expect(await ada.book(held.id)).toEqual({ ...held, expires: null });
  await ada.release(held.id);
  expect(await bob.hold('A1')).toMatchObject({ holder: 'Bob' });
});

test('one of several concurrent callers gets a place', async () => {
  using ada = open('crowd');
  using bob = open('crowd', 'Bob');
  const wishes = Array.from({ length: 50 }, (_, one) => (one % 2 ? ada : bob).hold('A1'));
  const outcomes = await Promise.allSettled(wishes);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('other callers can neither book nor release a place, even if they know its id', async () => {
  using ada = open('others');
  using bob = open('others', 'Bob');
  const { id, place, expires } = await ada.hold('A1');
  await expect(bob.book(id)).rejects.toThrow('Only its holder may do this');
  await expect(bob.release(id)).rejects.toThrow('Only its holder may do this');
  expect(await ada.list()).toEqual([{ id, place, expires }]);
  await ada.book(id);
  await expect(bob.release(id)).rejects.toThrow('Only its holder may do this');
  expect(await ada.list()).toEqual([{ id, place, expires: null }]);
});

test('a list has neither names nor ids of the bookings of others', async () => {
  using ada = open('list');
  using bob = open('list', 'Bob');
  const [first, second] = [await ada.hold('A1'), await bob.hold('A2')];
  expect(await bob.list()).toEqual([
    { id: null, place: 'A1', expires: first.expires },
    { id: second.id, place: 'A2', expires: second.expires },
  ]);
});

test('a list is read in pages', async () => {
  using bookings = open('pages');
  await Promise.all(['C', 'A', 'B'].map((place) => bookings.hold(place)));
  const places = (page: { place: string }[]) => page.map(({ place }) => place);
  expect(places(await bookings.list('', 2))).toEqual(['A', 'B']);
  expect(places(await bookings.list('B', 2))).toEqual(['C']);
});

test.each(['websocket', 'http'] as const)('a caller without a name: %s', async (transport) => {
  const event = `nobody by ${transport}`;
  using ada = open(event);
  const { id, place, expires } = await ada.hold('A1');
  using nobody = connect<Bookings>('BOOKINGS', event, { as: null, transport });
  for (const call of [nobody.hold('A2'), nobody.book(id), nobody.release(id)]) {
    await expect(call).rejects.toThrow('The Worker has not named the caller');
  }
  expect(await nobody.list()).toEqual([{ id: null, place, expires }]);
});

test('an expired hold is gone, whether or not the alarm has run', async () => {
  const object = env.BOOKINGS.getByName('expiry');
  using bookings = open('expiry');
  const [first, second] = await Promise.all([bookings.hold('A1', 60), bookings.hold('A2', 120)]);
  const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
  const rows = () =>
    runInDurableObject(object, (_, { storage }) => [
      ...storage.sql.exec('SELECT place FROM bookings').raw(),
    ]);
  expect(await alarm()).toBe(first.expires);
  wait(MINUTE);
  expect(await bookings.list()).toMatchObject([{ place: 'A2' }]);
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
  ['no place', [''], '[0]'],
  ['a holder', ['A1', 'Ada'], '[1]'],
  ['no time', ['A1', 0], '[1]'],
  ['more than an hour', ['A1', 3601], '[1]'],
])('a hold with %s is refused', async (_, args, path) => {
  using bookings = open('refused');
  const hold = bookings.hold as (...args: unknown[]) => Promise<unknown>;
  await expect(hold(...args)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS', path });
  expect(await bookings.list()).toEqual([]);
});

test('an object of the first version is migrated when it wakes, and keeps its rows', async () => {
  const object = env.BOOKINGS.getByName('old');
  await runInDurableObject(object, async (_, { storage }) => {
    await storage.deleteAll();
    storage.sql.exec(MIGRATIONS[0] as string);
    storage.sql.exec("INSERT INTO bookings VALUES ('an-id', 'A1', 'Ada')");
    storage.kv.put('schema_version', 1);
  });
  await evictDurableObject(object);
  using ada = open('old');
  using bob = open('old', 'Bob');
  expect(await ada.list()).toEqual([{ id: 'an-id', place: 'A1', expires: null }]);
  await expect(bob.hold('A1')).rejects.toThrow('A1 is taken');
  await ada.release('an-id');
  expect(await bob.hold('A1')).toMatchObject({ holder: 'Bob' });
});

test('no statement reads all rows', async () => {
  const object = env.BOOKINGS.getByName('plans');
  const exec = await runInDurableObject(object, (_, { storage }) => vi.spyOn(storage.sql, 'exec'));
  using bookings = open('plans');
  const { id } = await bookings.hold('A1');
  await bookings.book(id);
  await bookings.list();
  await bookings.release(id);
  await runInDurableObject(object, async (instance: Bookings, { storage: { sql } }) => {
    await instance.alarm();
    const statements = exec.mock.calls;
    exec.mockRestore();
    expect(statements.length).toBeGreaterThanOrEqual(10);
    for (const [statement, ...bindings] of statements) {
      const plan = sql.exec(`EXPLAIN QUERY PLAN ${statement}`, ...bindings).toArray();
      const details = plan.map(({ detail }) => String(detail));
      // A statement that only inserts has no plan.
      for (const detail of details) expect(detail).toMatch(/USING (COVERING )?INDEX/);
    }
  });
});
