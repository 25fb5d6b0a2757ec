/** The projection, against figures worked out by hand. */
import { expect, test } from 'vitest';
import { type Exchange, formatProjections, project } from '../../perf/network-model.ts';

/** On the first only round trips count, on the second only bytes: 125 a millisecond. */
const endless = { name: 'endless', roundTrip: 10, up: 1e12, down: 1e12 };
const narrow = { name: 'narrow', roundTrip: 0, up: 1, down: 1 };

function exchange(bytes: number, frames = 1, transport: Exchange['transport'] = 'websocket') {
  const none = { bytes: { up: bytes, down: 0 }, frames: { up: frames, down: 0 } };
  return { transport, ...none, processing: 0.1 };
}

test.each([
  ['websocket', 10.1, 40.1],
  ['http', 10.1, 30.1],
] as const)('%s: a round trip; when new, TCP, TLS and any upgrade too', (transport, ...times) => {
  const [{ warm, fresh, saved }] = project(exchange(17, 1, transport), [endless]) as [never];
  expect([warm, fresh, saved].map((time: number) => Number(time.toFixed(6)))).toEqual([
    ...times,
    times[1] - times[0],
  ]);
});

test.each([
  ['a short frame: header with mask, TLS record, packet', exchange(17), 17 + 6 + 22 + 52],
  ['one of many packets', exchange(65_536), 65_536 + 6 + 22 + 46 * 52],
  ['a tenth of a frame', exchange(10, 0.1), 10 + (6 + 22 + 52) / 10],
  ['a POST', exchange(17, 1, 'http'), 17 + 500 + 22 + 52],
])('bytes on the wire of %s', (_, call, expected) => {
  const [{ warm }] = project(call, [narrow]) as [{ warm: number }];
  expect((warm - 0.1) * 125).toBeCloseTo(expected, 6);
});

test('the table has a row for each link', () => {
  const rows = formatProjections(project(exchange(17))).split('\n');
  expect(rows.slice(1).map((line) => line.split(/\s/)[0])).toEqual([
    'datacenter',
    'broadband',
    'mobile',
    'slow',
  ]);
});
