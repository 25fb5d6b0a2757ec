/** The allowed names of feeds, their options, and the size of events. */
import { describe, expect, test } from 'vitest';
import { feed } from '../../../src/server.ts';

describe('the name of a feed', () => {
  test.each(['x', 'x'.repeat(500), 'é'.repeat(83), ' ', ':'])('can be %j', (name) => {
    expect(() => feed({}, name).append(1)).not.toThrow();
  });

  test.each<unknown>(['', 'x'.repeat(501), 'é'.repeat(84), '\ud800', undefined, 5])(
    'cannot be %j',
    (name) => {
      expect(() => feed({}, name as string)).toThrow(
        new TypeError('The name of a feed must have 1 to 500 characters, URI-encoded'),
      );
    },
  );
});

test.each(['keep', 'window'])('%s is a positive integer', (option) => {
  expect(() => feed({}, 'events', { [option]: 1 })).not.toThrow();
  for (const value of [0, -1, 1.5, Number.NaN, Infinity, '5', null]) {
    expect(() => feed({}, 'events', { [option]: value })).toThrow(
      new RangeError(`${option} of feed events is ${value}: write a positive integer`),
    );
  }
});

describe('an event', () => {
  const MOST = 65_536;

  test('has at most 65 536 characters of JSON', () => {
    const events = feed({}, 'events');
    events.append('x'.repeat(MOST - 2));
    expect(() => events.append('x'.repeat(MOST - 1))).toThrow(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        message: 'the size of an event is at most 65536',
      }),
    );
    expect(events.cursor).toMatch(/^1\./);
  });
});
