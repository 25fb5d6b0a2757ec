/**
 * Methods return streams over every kind of connection. Over HTTP requests they are refused with
 * clear errors; `telling` has the error of `subscribe`.
 */
import { bytes } from '../../../src/features/bytes/client/bytes.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { hasRun } from '../runs.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Reads all items into a list. It holds the items before an error, too. */
async function readInto<Item>(items: Item[], stream: AsyncIterable<Item>): Promise<Item[]> {
  for await (const item of stream) items.push(item);
  return items;
}

export const readingStreams: Case[] = [
  {
    name: 'the items of a generator come once and in order, and it ends',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      equal(await readInto([], subscribe(client).series('all', 1_000)), upTo(1_000));
      equal(await client.runs(), ['all ended']);
      equal(await readInto([], subscribe(client).series('none', 0)), []);
    },
  },
  {
    name: 'a loop that is left ends its generator, which is at most a window ahead',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const taken: number[] = [];
      for await (const number of subscribe(client).series('left', 1_000_000)) {
        if (taken.push(number) === 3) break;
      }
      equal(taken, [1, 2, 3]);
      await hasRun(client, 'left ended');
    },
  },
  {
    name: 'a client that is closed ends its generators',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const watcher = caller.connect().client;
      const numbers = subscribe(client).series('closed', 1_000_000)[Symbol.asyncIterator]();
      equal(await numbers.next(), { done: false, value: 1 });
      client.close();
      await rejects(numbers.next(), { code: 'CLOSED' });
      await hasRun(watcher, 'closed ended');
    },
  },
  {
    name: 'the loop throws the error of its generator after the items before it',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const items: number[] = [];
      const reading = readInto(items, subscribe(client).failAfter(100));
      await rejects(reading, { name: 'RangeError', message: 'after 100' });
      equal(items, upTo(100));
    },
  },
  {
    name: 'bytes of a ReadableStream arrive, both in a text frame and in a binary frame',
    only: 'connection',
    async run(caller) {
      for (const options of [{ bytes }, {}]) {
        const { client } = caller.connect(options);
        const pieces = await readInto([], subscribe(client).content(200_000));
        const whole = new Uint8Array(await new Blob(pieces as never).arrayBuffer());
        check(
          whole.length === 200_000 && whole.every((byte, index) => byte === (index * 7) % 256),
          `${whole.length} bytes arrived, or different bytes`,
        );
      }
    },
  },
  {
    name: 'rows arrive page by page, and from a given row on',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const rows = upTo(5_000).map((number) => ({ number, text: `row ${number}` }));
      equal(await readInto([], subscribe(client).shelf(5_000)), rows);
      const after = JSON.stringify(4_990);
      equal(await readInto([], subscribe(client, { after }).shelf(5_000)), rows.slice(4_990));
    },
  },
  {
    name: 'a stream that is called instead of subscribed to is refused and ended',
    async run(caller) {
      const { client } = caller.connect();
      // The types do not offer this call.
      const { series } = client as unknown as Record<
        string,
        (...args: unknown[]) => Promise<never>
      >;
      await rejects((series as NonNullable<typeof series>)('called', 5), {
        code: 'UNSERIALIZABLE',
      });
      // The generator has not started, so its `finally` has not run.
      equal(await client.runs(), []);
    },
  },
];
