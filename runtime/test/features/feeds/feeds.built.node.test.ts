/** Each appended event reaches each loop once, in order and unchanged, whoever appends it. */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { encodeTail } from '../../../src/wire/messages.ts';
import { until } from '../../../../harness/waiting.mjs';
import { difference, withoutStacks } from '../../support/same.ts';
import { arrivalOf, cases } from '../../wire/cases.ts';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { type Client, native, serve } from '../subscriptions/broadcaster/serve.ts';

const worker = await serve();

/** The cursor before the first event, after which a subscription gets all events that the feed has. */
const START = '0.';

/** Reads the events of a feed over a new connection. */
async function logOf(instance: string, count: number, binding: 'DEFAULT' | 'RESIDENT') {
  using client = worker.connect(instance, {}, binding);
  const loop = new Loop(subscribe(client, { after: START }).events());
  return [...(await loop.has(count))];
}

interface Way {
  name: string;
  act: (client: Client, instance: string) => Promise<unknown>;
  events: unknown[];
  /** The only binding for which the case runs. */
  only?: 'DEFAULT';
}

const WAYS: Way[] = [
  { name: 'by a method', act: (client) => client.sayOne('a'), events: ['a'] },
  {
    name: 'several at once',
    act: (client) => client.sayAll(['a', 'b', 'c']),
    events: ['a', 'b', 'c'],
  },
  { name: 'none', act: (client) => client.sayAll([]), events: [] },
  {
    name: 'by a method that then throws',
    act: (client) => client.sayAndThrow('a').catch(() => {}),
    events: ['a'],
  },
  {
    name: 'in a transaction that is rolled back',
    act: (client) => client.sayAndRollBack('a'),
    events: [],
  },
  {
    name: 'before and after one that is rolled back, in one frame',
    act: (client) => Promise.all([client.sayOne(1), client.sayAndRollBack('a'), client.sayOne(2)]),
    events: [1, 2],
  },
  { name: 'after an await', act: (client) => client.saySoon('a'), events: ['a'] },
  { name: 'in an alarm', act: (client) => client.sayInAlarm(), events: ['alarm'] },
  { name: 'by a live method', act: (client) => client.sayAsSideEffect('a'), events: ['a'] },
  {
    name: 'by native RPC',
    act: (_, instance) => native(worker, instance, { text: 'a' }),
    events: ['a'],
    only: 'DEFAULT',
  },
];

describe.each(['DEFAULT', 'RESIDENT'] as const)('%s: an event appended', (binding) => {
  test.each(WAYS.filter(({ only = binding }) => only === binding))(
    '$name',
    async ({ name, act, events }) => {
      using client = worker.connect(name, {}, binding);
      using other = worker.connect(name, {}, binding);
      const own = new Loop(subscribe(client).events());
      const theirs = new Loop(subscribe(other).events());
      const aside = new Loop(subscribe(other).getSide());
      await Promise.all([client.lives(), other.lives(), aside.has(1)]);
      await act(client, name);
      await until(() => own.heard.length >= events.length);
      await client.sayOne('last');
      const all = [...events, 'last'];
      expect(await own.has(all.length)).toEqual(all);
      expect(await theirs.has(all.length)).toEqual(all);
      expect(await logOf(name, all.length, binding)).toEqual(all);
    },
  );

  test('in the constructor', async () => {
    using client = worker.connect('constructor', {}, binding);
    const loop = new Loop(subscribe(client).events());
    await client.sayInConstructor();
    await worker.restart();
    const [event] = await loop.has(1);
    expect(event).toMatch(/^life \d+$/);
    await client.sayOne('last');
    expect((await loop.has(2)).at(-1)).toBe('last');
  });
});

test('numbers have no gap after a transaction that was rolled back', async () => {
  using client = worker.connect('dense');
  const events = subscribe(client).events();
  const loop = new Loop(events);
  const numbers: (string | undefined)[] = [];
  for (let round = 1; round <= 3; round++) {
    await client.sayAndRollBack('never');
    await client.sayOne(round);
    await loop.has(round);
    numbers.push(events.cursor?.split('.')[0]);
  }
  expect(numbers).toEqual(['1', '2', '3']);
});

test('a roll-back removes the first event of a feed, and the feed still begins later', async () => {
  using raw = await worker.raw('never begun');
  const [subscribed] = await raw.exchange('["subscribe",1,null,"events"]');
  expect(subscribed).toEqual(['subscribed', 1, '0.']);
  expect(await raw.exchange('[1001,"sayAndRollBack",["a"]]')).toEqual([[1001]]);
  const [answer, begun, next] = await raw.exchange('[2001,"sayOne",["b"]]');
  expect(answer).toEqual([2001, 1]);
  expect(begun).toEqual(['epoch', 1, 0, expect.stringMatching(/^\w+$/)]);
  expect(next).toEqual(['next', 1, 1, 'b']);
});

describe('in one frame', () => {
  const subscribed = ['subscribed', 1, expect.stringMatching(/^\d\.\w*$/)];
  const epoch = ['epoch', 1, 0, expect.stringMatching(/^\w+$/)];

  test.each([
    [
      'subscribe and append',
      '["subscribe",1,null,"events"],[1,"sayOne",["a"]],[2,"sayOne",["b"]]',
      [subscribed, [1, 1], [2, 1], epoch, ['next', 1, 1, 'a'], ['next', 1, 2, 'b']],
    ],
    [
      'append and subscribe',
      '[1,"sayOne",["a"]],["subscribe",1,null,"events"]',
      [[1, 1], subscribed],
    ],
    [
      'append and subscribe from before',
      '[1,"sayOne",["a"]],["subscribe",1,"0.","events"]',
      [[1, 1], subscribed, epoch, ['next', 1, 1, 'a']],
    ],
    [
      'subscribe, append and unsubscribe',
      '["subscribe",1,null,"events"],[1,"sayOne",["a"]],["unsubscribe",1]',
      [subscribed, [1, 1]],
    ],
    [
      'subscribe twice with one number',
      '["subscribe",1,null,"events"],["subscribe",1,null,"inbox",["ann"]],[1,"write",["ann","hi"]],[2,"sayOne",["a"]]',
      [subscribed, subscribed, [1], [2, 1], epoch, ['next', 1, 1, 'hi']],
    ],
  ])('%s', async (name, sent, messages) => {
    using raw = await worker.raw(name);
    expect(await raw.exchange(sent)).toEqual(messages);
  });
});

test('every value that a call can return arrives as an event, and live', async () => {
  using client = worker.connect('values');
  const small = cases.filter(({ value }) => encodeTail(value()).length < 60_000);
  const events = new Loop(subscribe(client).events());
  const live = new Loop(subscribe(client).last());
  await live.has(1);
  for (const [index, { value }] of small.entries()) {
    await client.sayOne({ index, value: value() });
    await live.has(index + 2);
  }
  await events.has(small.length);
  for (const [index, one] of small.entries()) {
    const sent = withoutStacks({ index, value: arrivalOf(one, one.value()) });
    expect(difference(sent, withoutStacks(events.heard[index])), one.name).toBeUndefined();
    expect(difference(sent, withoutStacks(live.heard[index + 1])), one.name).toBeUndefined();
  }
});

test('an append with an event that is too large or cannot be sent is rejected as a whole', async () => {
  using client = worker.connect('refused');
  const loop = new Loop(subscribe(client).events());
  await client.lives();
  await expect(client.sayAll(['a', 'x'.repeat(65_536)])).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
  });
  await expect(client.sayUnsendable()).rejects.toMatchObject({ code: 'UNSERIALIZABLE' });
  await client.sayAll(['b', 'x'.repeat(65_500)]);
  expect((await loop.has(2))[0]).toBe('b');
});

test('a method that returns a feed cannot be called, only subscribed to', async () => {
  using raw = await worker.raw('called');
  const [[id, form, thrown] = []] = await raw.exchange('[1,"events"]');
  expect([id, form]).toEqual([1, 'error']);
  expect(JSON.stringify(thrown)).toContain('UNSERIALIZABLE');
  expect(JSON.stringify(thrown)).toContain(
    'events returns a feed: read it by for await (const item of subscribe(',
  );
});
