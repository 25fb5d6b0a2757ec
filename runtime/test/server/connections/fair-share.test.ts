/** Who gives way when an object is full. */
import { expect, test } from 'vitest';
import { itemToEvict, holderKeyOf } from '../../../src/server/connections/fair-share.ts';

/** `a` is held by a connected client; `a3` was left at 3. */
function held(text: string): { name: string; holder: string; leftAt: number | undefined }[] {
  return text.split(' ').map((name) => {
    const leftAt = name.length > 1 ? Number(name.slice(1)) : undefined;
    return { name, holder: name.charAt(0), leftAt };
  });
}

test.each<[string, string, newcomer: string, gives: string | undefined]>([
  ['to a newcomer, the newest of the client with the most', 'a a b a', 'c', 'a'],
  ['to a newcomer, the oldest that the client with the most has left', 'a9 b1 a5 a', 'c', 'a5'],
  ['its own that it left, before others', 'a a a b7 b3', 'b', 'b3'],
  ['to a client that holds as many, none', 'a a b b', 'a', undefined],
  ['to a client that would hold as many as it leaves the other, none', 'a a b', 'b', undefined],
  ['to a client that holds two fewer, one', 'a a a b', 'b', 'a'],
  ['to the client with the most, none', 'a a a b', 'a', undefined],
  ['to a newcomer among clients with one each, none', 'a b c', 'd', undefined],
  ['to a newcomer among clients with one each, the oldest that was left', 'a b4 c2', 'd', 'c2'],
])('%s', (_, all, newcomer, gives) => {
  expect(itemToEvict(held(all), newcomer)?.name).toBe(gives);
});

test('a client is known by its owner, else by its id', () => {
  expect(holderKeyOf({ owner: 'ann', client: '1' })).toBe(
    holderKeyOf({ owner: 'ann', client: '2' }),
  );
  expect(holderKeyOf({ owner: 'ann' })).not.toBe(holderKeyOf({ client: 'ann' }));
  expect(holderKeyOf({ client: '1' })).not.toBe(holderKeyOf({ client: '2' }));
  expect(holderKeyOf({})).toBeUndefined();
});
