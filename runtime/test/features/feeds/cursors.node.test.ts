/** A subscription begins now, after a cursor, with a snapshot, or not at all. */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { until } from '../../../../harness/waiting.mjs';
import type { SeatEvent } from '../subscriptions/broadcaster/broadcaster.ts';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { type Client, serve } from '../subscriptions/broadcaster/serve.ts';

const worker = await serve();

const expired = expect.objectContaining({ name: 'RpcError', code: 'CURSOR_EXPIRED' });

/** Returns the position of the feed `small`. */
async function headOf(client: Client): Promise<{ event: number; epoch: string }> {
  const small = subscribe(client).small();
  void new Loop(small);
  await until(() => small.cursor !== undefined);
  const [event, epoch = ''] = (small.cursor as string).split('.');
  return { event: Number(event), epoch };
}

describe.each([
  // The feed keeps the newest 10: in one page of the log, and in several pages of which most have been dropped.
  { count: 25 },
  { count: 3_000 },
])('of $count events, the newest ten stay', ({ count }) => {
  test.each([
    { name: 'the end', after: 0, last: 'nothing' },
    { name: 'the last but one', after: -1, last: 1 },
    { name: 'before the oldest', after: -10, last: 10 },
    { name: 'before the one before the oldest', after: -11, last: 'expired' },
    { name: 'the beginning', after: -count, last: 'expired' },
    { name: 'the future', after: 1, last: 'expired' },
    { name: 'the far future', after: 1e12, last: 'expired' },
  ])('after $name: $last', async ({ after, last }) => {
    const instance = `${count} ${after}`;
    using client = worker.connect(instance);
    await client.saySmall(count);
    const { event, epoch } = await headOf(client);
    expect(event).toBe(count);
    const loop = new Loop(subscribe(client, { after: `${event + after}.${epoch}` }).small());
    if (last === 'expired') {
      await expect(loop.ended).rejects.toEqual(expired);
      expect(loop.heard).toEqual([]);
      return;
    }
    await client.lives();
    await client.saySmall(1);
    // An event is its index in its append.
    const old = Array.from(
      { length: Number(last) || 0 },
      (_, index) => count - Number(last) + index,
    );
    expect(await loop.has(old.length + 1)).toEqual([...old, 0]);
  });
});

describe('before the first event ever', () => {
  test('a loop begins, and gets the event', async () => {
    using client = worker.connect('first');
    using other = worker.connect('first');
    const events = subscribe(other).events();
    const loop = new Loop(events);
    await until(() => events.cursor !== undefined);
    expect(events.cursor).toBe('0.');
    await client.sayOne('a');
    expect(await loop.has(1)).toEqual(['a']);
    expect(events.cursor).toMatch(/^1\.\w+$/);
  });

  test('a cursor goes on to the event, even if there are more events by then', async () => {
    using client = worker.connect('first cursor');
    await client.sayAll(['a', 'b']);
    const loop = new Loop(subscribe(client, { after: '0.' }).events());
    expect(await loop.has(2)).toEqual(['a', 'b']);
  });

  test('a cursor expires with the event', async () => {
    using client = worker.connect('first expired');
    await client.saySmall(11);
    await expect(new Loop(subscribe(client, { after: '0.' }).small()).ended).rejects.toEqual(
      expired,
    );
  });
});

describe('a text that is not a cursor', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'latest'],
    ['a number', '1'],
    ['a dot', '.'],
    ['no number', '.epoch'],
    ['a negative number', '-1.{}'],
    ['a fraction', '1.5.{}'],
    ['an exponent', '1e0.{}'],
    ['a space', ' 1.{}'],
    ['a line break at the end', '1.{}\n'],
    ['more text at the end', '1.{}.'],
    ['digits of another script', '\u0661.{}'],
    ['hexadecimal digits', '0x1.{}'],
    ['infinity', 'Infinity.{}'],
    ['a number beyond the safe integers', '9007199254740993.{}'],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['a megabyte of digits', `${'1'.repeat(1_000_000)}.{}`],
    ['a megabyte of an epoch', `1.${'x'.repeat(1_000_000)}`],
    ['half of a surrogate pair', '1.\ud800'],
    ['the name of a property of every object', '__proto__'],
    ['another epoch', '1.x'],
    ['no epoch, after an event', '1.'],
    ['an epoch in capitals', '1.{}X'],
  ])('is rejected: %s', async (name, text) => {
    using client = worker.connect(name);
    await client.saySmall(3);
    await client.take('1A');
    const { epoch } = await headOf(client);
    const after = text.replaceAll('{}', epoch);
    await expect(new Loop(subscribe(client, { after }).small()).ended).rejects.toEqual(expired);
    // A feed with a snapshot begins with the snapshot instead.
    const seats = new Loop(subscribe(client, { after }).seats());
    expect(await seats.has(1)).toEqual([{ type: 'all', seats: ['1A'] }]);
    expect(await client.lives()).toBe(1);
  });

  test('is rejected: the cursor of another feed', async () => {
    using client = worker.connect('another feed');
    await client.saySmall(3);
    const events = subscribe(client).events();
    const loop = new Loop(events);
    await client.sayAll([1, 2]);
    await loop.has(2);
    const after = events.cursor as string;
    await expect(new Loop(subscribe(client, { after }).small()).ended).rejects.toEqual(expired);
  });
});

describe('a log that has been deleted', () => {
  test.each([{ more: 1 }, { more: 3 }, { more: 50 }])(
    'ends its subscriptions, even if it has $more events again in place of 3',
    async ({ more }) => {
      using client = worker.connect(`gone ${more}`);
      using other = worker.connect(`gone ${more}`);
      const events = subscribe(other).events();
      const listening = new Loop(events);
      await other.lives();
      await client.sayAll(['a', 'b', 'c']);
      await listening.has(3);
      const after = events.cursor as string;
      await client.forgetAll();
      await client.sayAll(Array.from({ length: more }, (_, index) => index));
      await expect(listening.ended).rejects.toEqual(expired);
      expect(listening.heard).toEqual(['a', 'b', 'c']);
      await expect(new Loop(subscribe(client, { after }).events()).ended).rejects.toEqual(expired);
    },
  );

  test('begins with a snapshot, if there is one', async () => {
    using client = worker.connect('gone and taken');
    const seats = new Loop(subscribe(client).seats());
    await seats.has(1);
    await client.take('1A');
    await seats.has(2);
    await client.forgetAll();
    await client.take('2B');
    await seats.has(3);
    await client.take('2C');
    const all: SeatEvent[] = await seats.has(4);
    expect(all.slice(2)).toEqual([
      { type: 'all', seats: ['2B'] },
      { type: 'taken', seat: '2C' },
    ]);
  });
});

test('a subscription can go on after a cursor that a method has returned with its result', async () => {
  using client = worker.connect('read then follow');
  await client.take('1A');
  const { taken, cursor } = await client.takenAndCursor();
  await client.take('1B');
  const loop = new Loop(subscribe(client, { after: cursor }).seats());
  expect(taken).toEqual(['1A']);
  expect(await loop.has(1)).toEqual([{ type: 'taken', seat: '1B' }]);
});

test('each loop goes on after the last event of the loop before', async () => {
  const heard: unknown[] = [];
  let after: string | undefined = '0.';
  using producer = worker.connect('pages');
  await producer.sayAll(Array.from({ length: 100 }, (_, index) => index));
  for (let page = 1; heard.length < 100; page++) {
    using client = worker.connect('pages');
    const events = subscribe(client, { after }).events();
    let count = 0;
    for await (const event of events) {
      heard.push(event);
      after = events.cursor;
      if (++count === page || heard.length === 100) break;
    }
  }
  expect(heard).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
