/** The bookings: of many callers, and of many rows. */
import { expect, test } from 'vitest';
import type { Bookings } from '../../template/src/bookings.ts';
import { connect } from '../../template/test/support/clients.ts';

const open = (event: string) => connect<Bookings>('websocket', 'BOOKINGS', event);

test('of many that want a place at once, one gets it', async () => {
  using bookings = open('crowd');
  const wishes = Array.from({ length: 50 }, (_, one) => bookings.hold('A1', `guest ${one}`));
  const outcomes = await Promise.allSettled(wishes);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a list is read in pages', async () => {
  using bookings = open('pages');
  await Promise.all(['C', 'A', 'B'].map((place) => bookings.hold(place, 'Ada')));
  const places = (page: { place: string }[]) => page.map(({ place }) => place);
  expect(places(await bookings.list('', 2))).toEqual(['A', 'B']);
  expect(places(await bookings.list('B', 2))).toEqual(['C']);
});
