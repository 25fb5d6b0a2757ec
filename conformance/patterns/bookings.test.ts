/** The bookings: of many callers, and of many rows. */
import { expect, test } from 'vitest';
import type { Bookings } from '../../examples/bookings/src/bookings.ts';
import { connect } from '../../runtime/src/testing/connect.ts';

const open = (event: string, user: string) =>
  connect<Bookings>('BOOKINGS', event, { as: { user } });

test('of many that want a place at once, one gets it', async () => {
  using ada = open('crowd', 'Ada');
  using bob = open('crowd', 'Bob');
  const wishes = Array.from({ length: 50 }, (_, one) => (one % 2 ? ada : bob).hold('A1'));
  const outcomes = await Promise.allSettled(wishes);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a list is read in pages', async () => {
  using bookings = open('pages', 'Ada');
  await Promise.all(['C', 'A', 'B'].map((place) => bookings.hold(place)));
  const places = (page: { place: string }[]) => page.map(({ place }) => place);
  expect(places(await bookings.list('', 2))).toEqual(['A', 'B']);
  expect(places(await bookings.list('B', 2))).toEqual(['C']);
});
