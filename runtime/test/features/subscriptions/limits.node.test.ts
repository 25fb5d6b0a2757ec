/** A subscription beyond a limit is rejected alone, and the other subscriptions go on. */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { FRAME_SIZE } from '../../../src/wire/limits.ts';
import { Loop } from './broadcaster/loops.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import { serve } from './broadcaster/serve.ts';

const worker = await serve();

const exceeded = expect.objectContaining({ name: 'RpcError', code: 'LIMIT_EXCEEDED' });

const subscribes = (count: number, rest: string): string =>
  Array.from({ length: count }, (_, index) => `["subscribe",${index + 1},null,${rest}]`).join();

/** Counts the messages of each kind. */
function kindsOf(messages: unknown[][]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const [kind] of messages) kinds[String(kind)] = (kinds[String(kind)] ?? 0) + 1;
  return kinds;
}

describe('subscriptions of one connection', () => {
  test.each([
    { count: 32, refused: 0 },
    { count: 33, refused: 1 },
    { count: 5_000, refused: 4_968 },
  ])('of $count in a frame, $refused are rejected', async ({ count, refused }) => {
    using raw = await worker.raw(`flood ${count}`);
    const messages = await raw.exchange(subscribes(count, '"events"'));
    // The answer of the last call can overtake many rejections, whose frame is sent in pieces.
    while (messages.length < 32 + refused) {
      messages.push(...(JSON.parse(await raw.next()) as unknown[][]));
    }
    const some = refused > 0 ? { complete: refused } : {};
    expect(kindsOf(messages)).toEqual({ subscribed: 32, ...some });
    const texts = messages.slice(32).map((message) => JSON.stringify(message));
    expect(texts.every((text) => text.includes('"LIMIT_EXCEEDED"'))).toBe(true);
    const events = await raw.exchange('[1001,"sayOne",["a"]]');
    expect(kindsOf(events)).toEqual({ 1001: 1, epoch: 32, next: 32 });
    // A subscription that ends makes room for another, and no rejected subscription takes room.
    const next = `["unsubscribe",32],["subscribe",${count + 1},null,"getTopic"]`;
    expect(await raw.exchange(next)).toEqual([
      ['subscribed', count + 1],
      ['value', count + 1, ''],
    ]);
  });

  test('10 000 in a frame are all rejected', async () => {
    using raw = await worker.raw('flood of a frame');
    const [refusal, ...more] = await raw.exchange(subscribes(10_000, '"events"'));
    expect(JSON.stringify(refusal)).toMatch(/^\["error",.*LIMIT_EXCEEDED/);
    expect(more).toEqual([]);
    expect(await raw.exchange('[1001,"sayOne",["a"]]')).toEqual([[1001, 1]]);
  });

  test('that begin again under their number take no further room', async () => {
    using raw = await worker.raw('again', { binding: 'STRICT' });
    await raw.exchange(subscribes(3, '"events"'));
    const messages = await raw.exchange(
      '["subscribe",2,null,"small"],["subscribe",2,null,"events"]',
    );
    expect(kindsOf(messages)).toEqual({ subscribed: 2 });
  });

  test('beyond the limit reject their loop, and the others go on', async () => {
    using client = worker.connect('loops', {}, 'STRICT');
    const loops = Array.from({ length: 4 }, () => new Loop(subscribe(client).events()));
    await expect(loops[3]?.ended).rejects.toEqual(exceeded);
    await client.sayOne('a');
    for (const loop of loops.slice(0, 3)) expect(await loop.has(1)).toEqual(['a']);
  });
});

test.each([
  ['an owner', 'ann', 'ann'],
  ['an id each', undefined, undefined],
])(
  'connections that hold all live calls under %s give way to another client',
  async (_, one, two) => {
    const instance = `live calls of ${one}`;
    const repeats = (...values: number[]): string =>
      values.map((value) => `["subscribe",${value},null,"repeat",[${value}]]`).join();
    using first = await worker.raw(instance, { binding: 'STRICT', user: one });
    using second = await worker.raw(instance, { binding: 'STRICT', user: two });
    expect(kindsOf(await first.exchange(repeats(1, 2)))).toEqual({ subscribed: 2, value: 2 });
    expect(kindsOf(await second.exchange(repeats(3, 4)))).toEqual({ subscribed: 2, value: 2 });
    using other = await worker.raw(instance, { binding: 'STRICT', user: 'bob' });
    expect(kindsOf(await other.exchange(repeats(5)))).toEqual({ subscribed: 1, value: 1 });
    const ends = JSON.stringify([await first.exchange(), await second.exchange()]);
    expect(ends.match(/"complete"/g)).toHaveLength(1);
    expect(ends).toContain('this client had the most of them');
    // A live call that another client follows, too, has not ended.
    using last = await worker.raw(instance, { binding: 'STRICT', user: 'eve' });
    expect(kindsOf(await last.exchange(repeats(1)))).toEqual({ subscribed: 1, value: 1 });
  },
);

test('a subscription that is larger than a frame is rejected alone', async () => {
  using client = worker.connect('larger than a frame');
  const topics = new Loop(subscribe(client).getTopic());
  await topics.has(1);
  const call = client.lives();
  const large = new Loop(subscribe(client).repeat('x'.repeat(FRAME_SIZE)));
  await expect(large.ended).rejects.toEqual(exceeded);
  expect(await call).toBe(1);
  await client.setTopic('tea');
  expect(await topics.has(2)).toEqual(['', 'tea']);
});

describe('the state that is stored with a socket', () => {
  const large = (length: number): string => `"repeat",[${JSON.stringify('x'.repeat(length))}]`;

  test('limits the size of a call', async () => {
    using raw = await worker.raw('one large');
    const messages = await raw.exchange(`["subscribe",1,null,${large(11_000)}]`);
    expect(kindsOf(messages)).toEqual({ subscribed: 1, value: 1 });
    const refused = await raw.exchange(`["subscribe",2,null,${large(12_000)}]`);
    expect(JSON.stringify(refused)).toMatch(/^\[\["complete",2,.*LIMIT_EXCEEDED/);
  });

  test('limits the size of all calls together, and the others go on', async () => {
    using raw = await worker.raw('two large');
    await raw.exchange(`["subscribe",1,null,"getTopic"],["subscribe",2,null,${large(9_000)}]`);
    const refused = await raw.exchange(`["subscribe",3,null,${large(9_000)}]`);
    expect(JSON.stringify(refused)).toMatch(/^\[\["complete",3,.*LIMIT_EXCEEDED/);
    const values = await raw.exchange('[2001,"setTopic",["a"]]');
    expect(kindsOf(values)).toEqual({ 2001: 1, value: 2 });
    const freed = await raw.exchange(`["unsubscribe",2],["subscribe",3,null,${large(9_000)}]`);
    expect(kindsOf(freed)).toEqual({ subscribed: 1, value: 1 });
  });
});

/** Subscribes to a method, and fills the stored state to the last byte. */
async function filled(instance: string, method = 'events'): Promise<RawConnection> {
  const raw = await worker.raw(instance);
  const call = (n: number, length: number): string =>
    `["subscribe",${n},null,"repeat",["${'x'.repeat(length)}"]]`;
  await raw.exchange(`["subscribe",1,null,"${method}"]`, call(2, 10_000));
  let [fits, tooLong] = [0, 10_000];
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2);
    if ('subscribed' in kindsOf(await raw.exchange(call(3, length)))) fits = length;
    else tooLong = length;
  }
  await raw.exchange(call(3, fits));
  return raw;
}

describe('a connection without room for more state', () => {
  test('gets the first event of a feed, which takes no room', async () => {
    using raw = await filled('no room at first');
    using client = worker.connect('no room at first');
    const loop = new Loop(subscribe(client).events());
    await client.lives();
    await client.sayOne('a');
    expect(await loop.has(1)).toEqual(['a']);
    expect(await raw.exchange()).toEqual([
      ['epoch', 1, 0, expect.anything()],
      ['next', 1, 1, 'a'],
    ]);
  });

  test('ends its subscription at an acknowledgement, and rejects no call', async () => {
    using client = worker.connect('no room later');
    await client.sayOne('first');
    using raw = await filled('no room later');
    await client.sayAll(Array.from({ length: 64 }, (_, index) => index));
    const messages = await raw.exchange('["ack",1,64]');
    const ends = messages.filter(([kind]) => kind === 'complete' || kind === 'error');
    expect(JSON.stringify(ends)).toMatch(/^\[\["complete",1,.*LIMIT_EXCEEDED/);
  });
});

test('does not keep live values from another connection', async () => {
  const instance = 'no room for live values';
  using raw = await filled(instance, 'shelf');
  using other = await worker.raw(instance);
  await other.exchange('["subscribe",1,null,"getTopic"]');
  using client = worker.connect(instance);
  // This number takes one byte more than 0.
  const [complete] = await raw.exchange('["ack",1,100]');
  // The 16th value of a connection is noted in its stored state.
  for (let topic = 1; topic <= 15; topic++) {
    await client.setTopic(`${topic}`);
    expect(await other.exchange()).toEqual([['value', 1, `${topic}`]]);
  }
  expect(JSON.stringify(complete)).toMatch(/^\["complete",1,.*LIMIT_EXCEEDED/);
});

describe('different live calls of one object', () => {
  const call = (text: string): string => `["subscribe",1,null,"repeat",["${text}"]]`;

  test('beyond the limit are rejected, equal calls are not, and a client that leaves makes room', async () => {
    const callers = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (text) => {
        const raw = await worker.raw('live calls', { binding: 'STRICT' });
        expect(kindsOf(await raw.exchange(call(text)))).toEqual({ subscribed: 1, value: 1 });
        return raw;
      }),
    );
    using late = await worker.raw('live calls', { binding: 'STRICT' });
    const fifth = await late.exchange(call('e'));
    expect(JSON.stringify(fifth)).toMatch(/^\[\["complete",1,.*LIMIT_EXCEEDED/);
    expect(kindsOf(await late.exchange(call('a')))).toEqual({ subscribed: 1, value: 1 });
    callers[1]?.[Symbol.dispose]();
    let messages: unknown[][];
    // The object notices the closed socket after a while.
    do messages = await late.exchange(call('e'));
    while (!('subscribed' in kindsOf(messages)));
    for (const raw of callers) raw[Symbol.dispose]();
  });
});
