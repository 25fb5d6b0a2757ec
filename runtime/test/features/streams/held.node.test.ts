/** How much of a stream is sent ahead, and what all of an object hold when nobody takes it. */
import { expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { all, numbers } from './items.ts';
import { serve } from './serve.ts';

const worker = await serve();

const CLIENTS = 10;
/** The limit of one connection. */
const EACH = 32;
/** Characters of an item. */
const LENGTH = 60_000;
/** What they may hold together: a quarter of `memoryPerObject`. */
const ALL = 8_388_608;

test.each([
  ['what was sent', '["ack",1,64]', numbers(65, 128)],
  ['what was sent, backwards', '["ack",1,3],["ack",1,2]', numbers(65, 67)],
  ['what was never sent', '["ack",1,65]', []],
  ['what never will be', '["ack",1,9007199254740991]', []],
])('an acknowledgement of %s', async (name, acknowledgement, more) => {
  using raw = await worker.raw(name);
  const sent = async (messages: string, id: number): Promise<unknown[]> => {
    raw.send(`[${messages}]`);
    raw.send(`[[${id},"lives"]]`);
    return (await raw.upTo(id)).flatMap(([kind, , item]) => (kind === 'next' ? item : []));
  };
  const begin = '["subscribe",1,null,"count",["a",1,1000]]';
  expect(await sent(begin, 1)).toEqual(numbers(1, 64));
  expect(await sent(acknowledgement, 2)).toEqual(more);
});

test('hundreds of streams that are not read hold no more than they may, and others go on', async () => {
  using client = worker.connect('held');
  const begin = numbers(1, EACH).map((n) => `["subscribe",${n},null,"texts",["a",9999,${LENGTH}]]`);
  const raws = await Promise.all(numbers(1, CLIENTS).map(() => worker.raw('held')));
  // They acknowledge nothing, so the ones that hold most may be closed.
  for (const raw of raws) raw.send(`[${begin.join()}]`);
  const taken = async (): Promise<number> => (await client.trace('a')).taken;
  await expect.poll(taken, { timeout: 50_000 }).toBeGreaterThan(EACH);
  expect(await all(subscribe(client).count('b', 1, 1_000))).toEqual(numbers(1, 1_000));
  expect(await all(subscribe(client).texts('b', 100, LENGTH))).toHaveLength(100);
  // One item each they may always.
  expect(await taken()).toBeLessThanOrEqual(ALL / LENGTH + CLIENTS * EACH);
  for (const raw of raws) raw.close();
});
