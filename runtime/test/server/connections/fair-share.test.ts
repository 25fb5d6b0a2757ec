/** Tests which holder loses its place when an object is full. */
import { expect, test } from 'vitest';
import { itemToEvict, holderKeyOf } from '../../../src/server/connections/fair-share.ts';

/** `a` belongs to a connected client, and `a3` was left at time 3. */
function held(text: string): { name: string; holder: string; leftAt: number | undefined }[] {
  return text.split(' ').map((name) => {
    const leftAt = name.length > 1 ? Number(name.slice(1)) : undefined;
    return { name, holder: name.charAt(0), leftAt };
  });
}

test.each<[string, string, newcomer: string, gives: string | undefined]>([
  ['a newcomer takes the newest place of the client with the most places', 'a a b a', 'c', 'a'],
  [
    'a newcomer takes the oldest place that the client with the most places has left',
    'a9 b1 a5 a',
    'c',
    'a5',
  ],
  [
    'a client takes a place that it has left before a place of another client',
    'a a a b7 b3',
    'b',
    'b3',
  ],
  ['a client takes no place of a client with as many places', 'a a b b', 'a', undefined],
  [
    'a client takes no place if it would then have as many places as the other client',
    'a a b',
    'b',
    undefined,
  ],
  ['a client takes a place of a client with two more places', 'a a a b', 'b', 'a'],
  ['the client with the most places takes none', 'a a a b', 'a', undefined],
  ['a newcomer takes no place of clients with one place each', 'a b c', 'd', undefined],
  [
    'a newcomer takes the oldest place that was left by clients with one place each',
    'a b4 c2',
    'd',
    'c2',
  ],
])('%s', (_, all, newcomer, gives) => {
  expect(itemToEvict(held(all), newcomer)?.name).toBe(gives);
});

test('a client is identified by its owner, or else by its id', () => {
  expect(holderKeyOf({ owner: 'ann', client: '1' })).toBe(
    holderKeyOf({ owner: 'ann', client: '2' }),
  );
  expect(holderKeyOf({ owner: 'ann' })).not.toBe(holderKeyOf({ client: 'ann' }));
  expect(holderKeyOf({ client: '1' })).not.toBe(holderKeyOf({ client: '2' }));
  expect(holderKeyOf({})).toBeUndefined();
});
