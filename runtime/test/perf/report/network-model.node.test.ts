/** Compares the projection with figures computed by hand. */
import { expect, test } from 'vitest';
import {
  type Exchange,
  formatProjections,
  projectionsOf,
} from '../../../src/perf/report/network-model.ts';

/**
 * On the first link only round trips count. On the second link only bytes count, at 125 per
 * millisecond.
 */
const endless = { name: 'endless', roundTrip: 10, up: 1e12, down: 1e12 };
const narrow = { name: 'narrow', roundTrip: 0, up: 1, down: 1 };

function exchange(bytes: number, frames = 1): Exchange {
  return { up: { frames, bytes }, down: { frames: 0, bytes: 0 }, processing: 0.1 };
}

test('a call takes a round trip, and on a new connection also the round trips of TCP, TLS and the upgrade', () => {
  const [projection] = projectionsOf(exchange(17), [endless]);
  expect(projection?.warm).toBeCloseTo(10.1, 6);
  expect(projection?.fresh).toBeCloseTo(40.1, 6);
  expect(projection?.saved).toBeCloseTo(30, 6);
});

test.each([
  ['a short frame: header with mask, TLS record and packet', exchange(17), 17 + 6 + 22 + 52],
  ['a frame of many packets', exchange(65_536), 65_536 + 6 + 22 + 46 * 52],
  ['a tenth of a frame', exchange(10, 0.1), 10 + (6 + 22 + 52) / 10],
])('the bytes on the wire of %s', (_, call, expected) => {
  const [projection] = projectionsOf(call, [narrow]);
  expect(((projection?.warm ?? 0) - 0.1) * 125).toBeCloseTo(expected, 6);
});

test('on a slow link, connecting also takes the time of its bytes', () => {
  const [projection] = projectionsOf(exchange(17), [{ ...narrow, down: 0.5 }]);
  // TLS and the upgrade: 600 and 500 bytes up, 3 000 and 250 down at half the speed.
  expect(projection?.saved).toBeCloseTo((1100 + 2 * 3250) / 125, 6);
  const down = { up: { frames: 0, bytes: 0 }, down: { frames: 1, bytes: 17 }, processing: 0 };
  const [answer] = projectionsOf(down, [{ ...narrow, down: 0.5 }]);
  expect((answer?.warm ?? 0) * 125).toBeCloseTo(2 * (17 + 2 + 22 + 52), 6);
});

test('the table has a row for each link', () => {
  const rows = formatProjections(projectionsOf(exchange(17))).split('\n');
  expect(rows.slice(1).map((line) => line.trim().split(/\s/)[0])).toEqual([
    'datacenter',
    'broadband',
    'mobile',
    'slow',
  ]);
});
