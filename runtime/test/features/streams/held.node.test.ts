/** The number of items that are sent ahead, and the memory of all streams of an object that nobody reads. */
import { expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { all, numbers } from './items.ts';
import { serve } from './serve.ts';

const worker = await serve();

const CLIENTS = 10;
/** The maximum number of streams of a connection. */
const EACH = 32;
/** The number of characters of an item. */
const LENGTH = 60_000;
/** The memory that all streams may hold together, a quarter of `memoryPerObject`. */
const ALL = 8_388_608;

test.each([
  ['items that were sent', '["ack",1,64]', numbers(65, 128)],
  ['items that were sent, backwards', '["ack",1,3],["ack",1,2]', numbers(65, 67)],
  ['an item that was not sent', '["ack",1,65]', []],
  ['an item that will never exist', '["ack",1,9007199254740991]', []],
])(
  'an acknowledgement of %s brings only the items that it allows',
  async (name, acknowledgement, more) => {
    using raw = await worker.raw(name);
    const sent = async (messages: string, id: number): Promise<unknown[]> => {
      raw.send(`[${messages}]`);
      raw.send(`[[${id},"lives"]]`);
      return (await raw.upTo(id)).flatMap(([kind, , item]) => (kind === 'next' ? item : []));
    };
    const begin = '["subscribe",1,null,"count",["a",1,1000]]';
    expect(await sent(begin, 1)).toEqual(numbers(1, 64));
    expect(await sent(acknowledgement, 2)).toEqual(more);
  },
);

test('hundreds of streams that nobody reads hold only the allowed memory, and other streams go on', async () => {
  using client = worker.connect('held');
  const begin = numbers(1, EACH).map((n) => `["subscribe",${n},null,"texts",["a",9999,${LENGTH}]]`);
  const raws = await Promise.all(numbers(1, CLIENTS).map(() => worker.raw('held')));
  // These clients acknowledge nothing, so the object may close those that hold most.
  for (const raw of raws) raw.send(`[${begin.join()}]`);
  const taken = async (): Promise<number> => (await client.trace('a')).taken;
  await expect.poll(taken, { timeout: 50_000 }).toBeGreaterThan(EACH);
  expect(await all(subscribe(client).count('b', 1, 1_000))).toEqual(numbers(1, 1_000));
  expect(await all(subscribe(client).texts('b', 100, LENGTH))).toHaveLength(100);
  // Each stream may always hold one item.
  expect(await taken()).toBeLessThanOrEqual(ALL / LENGTH + CLIENTS * EACH);
  for (const raw of raws) raw.close();
});
