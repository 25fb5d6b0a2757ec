/** What all streams of an object hold together, when nobody takes what they have. */
import { expect, test } from 'vitest';
import { subscribe } from '../../template/src/rpc/client/subscribe.ts';
import { all, numbers, Place } from './place.ts';

const place = await Place.forTests();

const CLIENTS = 10;
/** The limit of one connection. */
const EACH = 32;
/** Characters of an item. */
const LENGTH = 60_000;
/** What they may hold together. */
const ALL = 33_554_432;

test('hundreds of streams that are not read hold no more than they may, and others go on', async () => {
  using client = place.connect('held');
  const begin = numbers(1, EACH).map((n) => `["subscribe",${n},null,"texts",["a",9999,${LENGTH}]]`);
  const raws = await Promise.all(numbers(1, CLIENTS).map(() => place.raw('held')));
  for (const raw of raws) {
    raw.send(`[${begin.join()}]`);
    raw.send('[[9,"lives"]]');
    await raw.upTo(9);
  }
  const { taken } = await client.trace('a');
  // One item each they may always.
  expect(taken).toBeLessThanOrEqual(ALL / LENGTH + CLIENTS * EACH);
  expect(await all(subscribe(client).count('b', 1, 1_000))).toEqual(numbers(1, 1_000));
  expect(await all(subscribe(client).texts('b', 100, LENGTH))).toHaveLength(100);
  for (const raw of raws) raw.close();
});
