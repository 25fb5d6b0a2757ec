/** A presence over real sockets: who sees which values, for how long, and which errors end it. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  capabilities,
  presence,
  type PresenceSubscription,
  subscribe,
} from '../../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { ofKind, thrownBy } from '../../support/messages.ts';
import { serve, shownIn, watch } from './serve.ts';
import type { Cursor } from './worker.ts';

const { worker, enter } = await serve();

/** Connects a client that takes part, and watches the others. */
function join(instance: string, options?: Parameters<typeof enter>[1]) {
  const client = enter(instance, options);
  const cursors = presence(client, (board) => board.cursors());
  const { seen, stop } = watch(cursors);
  return { client, cursors, seen, stop, others: () => shownIn(cursors) };
}

describe('a client', () => {
  test('sees the values of the others, and not its own', async () => {
    const [ann, bob, cleo] = [join('seen'), join('seen'), join('seen')];
    ann.cursors.update({ x: 1 });
    bob.cursors.update({ x: 2 });
    await expect.poll(ann.others).toEqual([{ x: 2 }]);
    await expect.poll(bob.others).toEqual([{ x: 1 }]);
    await expect.poll(cleo.others).toHaveLength(2);
    ann.cursors.update({ x: 3, y: 1 });
    await expect.poll(bob.others).toEqual([{ x: 3, y: 1 }]);
    expect(ann.seen[0]).toEqual({});
    expectTypeOf(ann.cursors.update).parameters.toEqualTypeOf<[at?: Cursor]>();
    expectTypeOf(ann.others()).toEqualTypeOf<(Cursor & { user?: string })[] | undefined>();
  });

  test('is seen with the properties that the method adds, and with rich values', async () => {
    const ann = join('types', { protocols: ['as.ann'] });
    const bob = join('types');
    const at = new Date(0);
    ann.cursors.update({ x: 1, at });
    await expect.poll(bob.others).toEqual([{ x: 1, at, user: 'ann' }]);
    bob.cursors.update({ x: 2 });
    await expect.poll(ann.others).toEqual([{ x: 2 }]);
  });

  test('that shows no value is not seen, and sees the others', async () => {
    const [ann, bob] = [join('silent'), join('silent')];
    ann.cursors.update({ x: 1 });
    await expect.poll(bob.others).toEqual([{ x: 1 }]);
    expect(ann.others()).toEqual([]);
  });

  test('can take back its value', async () => {
    const [ann, bob] = [join('taken back'), join('taken back')];
    ann.cursors.update({ x: 1 });
    await expect.poll(bob.others).toEqual([{ x: 1 }]);
    ann.cursors.update();
    await expect.poll(bob.others).toEqual([]);
    ann.cursors.update({ x: 2 });
    await expect.poll(bob.others).toEqual([{ x: 2 }]);
  });

  test('can be present without a value', async () => {
    const names = ['ann', 'bob'];
    const all = names.map((name) =>
      presence(enter('online', { protocols: [`as.${name}`] }), (board) => board.online()),
    );
    for (const one of all) watch(one);
    await expect.poll(() => all.map(shownIn)).toEqual([[{ user: 'bob' }], [{ user: 'ann' }]]);
  });

  test.each([
    ['leaves the page', ({ client }) => client.close()],
    ['stops watching', ({ stop }) => stop()],
  ] satisfies [string, (one: ReturnType<typeof join>) => void][])(
    'is gone when it %s, and another client that joins at that moment is seen',
    async (_, leave) => {
      const instance = `gone ${_}`;
      const [ann, bob] = [join(instance), join(instance)];
      ann.cursors.update({ x: 1 });
      await expect.poll(bob.others).toEqual([{ x: 1 }]);
      leave(ann);
      const cleo = join(instance);
      cleo.cursors.update({ x: 3 });
      await expect.poll(bob.others).toEqual([{ x: 3 }]);
      expect(cleo.others()).toEqual([]);
    },
  );

  test('is seen twice with two tabs, and once with two stores', async () => {
    const [one, other] = [
      join('tabs', { protocols: ['as.ann'] }),
      join('tabs', { protocols: ['as.ann'] }),
    ];
    const bob = join('tabs');
    one.cursors.update({ x: 1 });
    other.cursors.update({ x: 2 });
    const again = presence(one.client, (board) => board.cursors());
    const second = watch(again);
    again.update({ x: 3 });
    await expect
      .poll(() => bob.others()?.toSorted((a, b) => a.x - b.x))
      .toEqual([
        { x: 2, user: 'ann' },
        { x: 3, user: 'ann' },
      ]);
    second.stop();
    other.cursors.update({ x: 4 });
    await expect.poll(bob.others).toHaveLength(2);
    const keys = new Set(bob.cursors.get().value?.map(({ key }) => key));
    expect(keys.size).toBe(2);
  });

  test('shows a value at once that it set before it was watched', async () => {
    const bob = join('before');
    const cursors = presence(enter('before'), (board) => board.cursors());
    cursors.update({ x: 5 });
    const first = watch(cursors);
    await expect.poll(bob.others).toEqual([{ x: 5 }]);
    first.stop();
    await expect.poll(bob.others).toEqual([]);
    watch(cursors);
    await expect.poll(bob.others).toEqual([{ x: 5 }]);
  });
});

test('an unchanged item is the same object', async () => {
  const [ann, bob, cleo] = [join('same'), join('same'), join('same')];
  ann.cursors.update({ x: 1 });
  bob.cursors.update({ x: 1 });
  await expect.poll(cleo.others).toHaveLength(2);
  const before = cleo.cursors.get().value ?? [];
  bob.cursors.update({ x: 2 });
  await expect.poll(() => cleo.others()?.some(({ x }) => x === 2)).toBe(true);
  const after = cleo.cursors.get().value ?? [];
  expect(after.filter((one) => before.includes(one))).toHaveLength(1);
  expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
});

test('a subscription only watches, and gets the list of all', async () => {
  const ann = join('watched');
  ann.cursors.update({ x: 1 });
  const lists: unknown[] = [];
  void (async () => {
    for await (const list of subscribe(enter('watched')).cursors()) lists.push(list);
  })().catch(() => {});
  const present = [{ key: expect.any(String), value: { x: 1 } }];
  await expect.poll(() => lists.at(-1)).toEqual(present);
  ann.client.close();
  await expect.poll(() => lists.at(-1)).toEqual([]);
});

test('each capability has a presence of its own', async () => {
  const clients = ['one', 'one', 'two'].map((id) => {
    const client = enter('cards', { capabilities });
    const editors = presence(client.card(id), (card) => card.editors());
    watch(editors);
    return editors;
  });
  clients.forEach((editors, index) => editors.update(`${index}`));
  await expect.poll(() => clients.map(shownIn)).toEqual([['one: 1'], ['one: 0'], []]);
});

/** The contract lists this method although the compiler forbids it. */
interface Loose {
  soon(): PresenceSubscription<[text: string], string>;
}

describe('a presence ends with an error for', () => {
  const errorOf = (one: ReturnType<typeof join>) => one.cursors.get().error as { code?: string };

  test.each<[string, unknown, object]>([
    ['another type', 'left', { code: 'INVALID_ARGUMENTS', path: '[0]' }],
    [
      'an unknown property',
      { x: 1, __proto__: null, constructor: 1 },
      { code: 'INVALID_ARGUMENTS' },
    ],
    ['a value that the method rejects', { x: 666 }, { message: 'No such place' }],
    ['a large value', { x: 1, at: 'a'.repeat(4_001) }, { code: 'LIMIT_EXCEEDED' }],
    ['a huge value', { x: 1, at: 'a'.repeat(1_000_000) }, { code: 'LIMIT_EXCEEDED' }],
  ])('%s, and the others go on', async (name, said, error) => {
    const [ann, bob, cleo] = [join(name), join(name), join(name)];
    bob.cursors.update({ x: 1 });
    await expect.poll(ann.others).toEqual([{ x: 1 }]);
    ann.cursors.update(said as Cursor);
    await expect.poll(() => errorOf(ann)).toMatchObject(error);
    expect(ann.others()).toEqual([{ x: 1 }]);
    bob.cursors.update({ x: 2 });
    await expect.poll(cleo.others).toEqual([{ x: 2 }]);
  });

  test('a wrong value, and begins again for the next watcher', async () => {
    const [ann, bob] = [join('again'), join('again')];
    await expect.poll(bob.others).toEqual([]);
    ann.cursors.update({ x: 666 });
    await expect.poll(() => errorOf(ann)).toBeDefined();
    ann.stop();
    ann.cursors.update({ x: 1 });
    watch(ann.cursors);
    await expect.poll(bob.others).toEqual([{ x: 1 }]);
  });

  test('a caller that may not watch', async () => {
    const ann = join('barred', { protocols: ['as.barred'] });
    await expect.poll(() => errorOf(ann)).toMatchObject({ code: 'FORBIDDEN' });
    const watching = subscribe(ann.client).cursors()[Symbol.asyncIterator]().next();
    await expect(watching).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('a promise in place of a value', async () => {
    const client = enter('promise');
    const store = presence(client, (board) => (board as unknown as Loose).soon());
    watch(store);
    store.update('a');
    await expect
      .poll(() => store.get().error)
      .toMatchObject({
        message: expect.stringContaining('returned a promise'),
      });
  });

  test('a call of its method, which can only be subscribed to', async () => {
    const { cursors } = enter('call') as unknown as { cursors: () => Promise<unknown> };
    await expect(cursors()).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      message: expect.stringContaining('cursors returns a presence'),
    });
  });
});

describe('a presence is restored after', () => {
  test('a lost connection, under the same keys', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    const ann = join('cut', { baseUrl: proxy.url });
    const bob = join('cut');
    ann.cursors.update({ x: 1 });
    bob.cursors.update({ x: 2 });
    await expect.poll(bob.others).toEqual([{ x: 1 }]);
    await expect.poll(ann.others).toEqual([{ x: 2 }]);
    const before = bob.cursors.get().value;
    for (const times of [1, 2, 3]) {
      proxy.cutAll('reset');
      ann.cursors.update({ x: 10 * times });
      bob.cursors.update({ x: 20 * times });
      await expect.poll(bob.others).toEqual([{ x: 10 * times }]);
      await expect.poll(ann.others).toEqual([{ x: 20 * times }]);
    }
    expect(bob.cursors.get().value?.map(({ key }) => key)).toEqual(before?.map(({ key }) => key));
    proxy.close();
  });

  test('a connection whose loss the object has not noticed, and no client is there twice', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    const ann = join('unnoticed', { baseUrl: proxy.url });
    const bob = join('unnoticed');
    ann.cursors.update({ x: 1 });
    await expect.poll(bob.others).toEqual([{ x: 1 }]);
    proxy.forget('client');
    await expect.poll(() => proxy.connections).toBeGreaterThan(1);
    ann.cursors.update({ x: 2 });
    await expect.poll(bob.others).toEqual([{ x: 2 }]);
    proxy.close();
  });

  test('a restart of the object, because each client sends its value again', async () => {
    const all = Array.from({ length: 5 }, () => join('restart'));
    all.forEach(({ cursors }, x) => cursors.update({ x }));
    const numbers = () =>
      all.map(({ others }) =>
        others()
          ?.map(({ x }) => x)
          .toSorted((a, b) => a - b),
      );
    const rest = [0, 1, 2, 3, 4].map((own) => [0, 1, 2, 3, 4].filter((x) => x !== own));
    await expect.poll(numbers).toEqual(rest);
    const lives = await all[0]!.client.lives();
    await worker.restart();
    await expect.poll(() => all[1]!.client.lives()).toBeGreaterThan(lives);
    await expect.poll(numbers).toEqual(rest);
  });
});

describe('a client without the package', () => {
  const subscribed = '["subscribe",1,"0.","cursors"]';

  test('gets the messages of a feed', async () => {
    using raw = await worker.raw('wire');
    const [begun, first] = await raw.exchange(subscribed);
    expect(begun).toEqual(['subscribed', 1, expect.stringMatching(/^0\.[\da-f]{8}$/), 32]);
    expect(first).toEqual(['next', 1, 1, { all: [] }]);
    const ann = join('wire');
    ann.cursors.update({ x: 1 });
    const key = expect.stringMatching(/^[\da-f]{8}$/);
    expect(await raw.until(([kind]) => kind === 'next')).toContainEqual([
      'next',
      1,
      2,
      [[key, { x: 1 }]],
    ]);
    ann.client.close();
    expect(await raw.until(([kind]) => kind === 'next')).toContainEqual(['next', 1, 3, [key]]);
  });

  test('that floods is shown once per frame, and the others go on', async () => {
    using raw = await worker.raw('flood');
    await raw.exchange(subscribed);
    const bob = join('flood');
    await expect.poll(bob.others).toEqual([]);
    const before = await bob.client.runs();
    for (let frame = 0; frame < 20; frame++) {
      raw.sendMessages(
        ...Array.from({ length: 1_000 }, (_, x) => `["say",1,[{"x":${frame * 1_000 + x}}]]`),
      );
    }
    await expect.poll(bob.others).toEqual([{ x: 19_999 }]);
    expect((await bob.client.runs()) - before).toBeLessThan(100);
    expect(bob.seen.length).toBeLessThan(100);
  });

  test('that does not read gets a window, and then the newest value of each client', async () => {
    using raw = await worker.raw('slow');
    await raw.exchange(subscribed);
    const ann = join('slow');
    const bob = join('slow');
    for (let x = 1; x <= 50; x++) {
      ann.cursors.update({ x });
      await expect.poll(bob.others).toEqual([{ x }]);
    }
    const heard = ofKind(await raw.exchange(), 'next');
    expect(heard.length).toBeLessThanOrEqual(31);
    const brief = join('slow');
    brief.cursors.update({ x: 100 });
    await expect.poll(bob.others).toHaveLength(2);
    brief.client.close();
    await expect.poll(bob.others).toHaveLength(1);
    const [last] = ofKind(await raw.exchange('["ack",1,32]'), 'next');
    const key = expect.any(String);
    // The values in between are left out.
    expect(last).toEqual(['next', 1, 33, [[key, { x: 50 }], key]]);
  });

  test('cannot choose a key that is taken, or of another form', async () => {
    using one = await worker.raw('keys');
    using other = await worker.raw('keys');
    const keyOf = (messages: unknown[][]): string => String(ofKind(messages, 'subscribed')[0]?.[2]);
    const first = keyOf(await one.exchange(subscribed));
    expect(keyOf(await other.exchange(`["subscribe",1,"${first}","cursors"]`))).not.toBe(first);
    for (const key of ['__proto__', 'constructor', 'toString', '0', '1f8a03bcc']) {
      const got = keyOf(await other.exchange(`["subscribe",2,"7.${key}","cursors"]`));
      expect(got).toMatch(/^0\.[\da-f]{8}$/);
      expect(got).not.toBe(`0.${key}`);
    }
    expect(keyOf(await other.exchange('["subscribe",3,"7.1f8a03bc","cursors"]'))).toBe(
      '0.1f8a03bc',
    );
  });

  test.each([
    ['for no subscription', '["say",7,[{"x":1}]]', 'ignored'],
    ['for a subscription that only watches', '["say",2,[{"x":1}]]', 'ignored'],
    ['without a number', '["say"]', 'error'],
    ['for a negative number', '["say",-1,[{"x":1}]]', 'error'],
    ['with two values', '["say",1,[{"x":1}],[{"x":2}]]', 'complete'],
    ['with no list', '["say",1,{"x":1}]', 'complete'],
    ['with a function', '["say",1,"rich",[[[[1]]],["Function",1]]]', 'complete'],
    ['with a stream', '["say",1,"rich",[[[[1]]],["Stream",1]]]', 'complete'],
    ['with the result of a call', '["say",1,"rich",[[[[1]]],["Call",1]]]', 'complete'],
    ['with two arguments', '["say",1,[{"x":1},2]]', 'complete'],
  ])('that sends a value %s: %s is %s', async (_, message, expected) => {
    const instance = `odd ${message}`;
    using raw = await worker.raw(instance);
    await raw.exchange(subscribed, '["subscribe",2,null,"cursors"]');
    const ann = join(instance);
    await expect.poll(ann.others).toEqual([]);
    raw.sendMessages(message);
    const heard =
      expected === 'ignored'
        ? await raw.exchange()
        : await raw.until(([kind]) => kind === expected);
    if (expected === 'complete')
      expect(thrownBy(ofKind(heard, 'complete')[0])).toHaveProperty('code');
    expect(ann.others()).toEqual([]);
    expect(raw.closed).toBeUndefined();
    ann.cursors.update({ x: 1 });
    await raw.until(([kind]) => kind === 'value');
  });

  test('that subscribes and leaves many times leaves nothing in the object', async () => {
    using raw = await worker.raw('turns');
    const bob = join('turns');
    for (let turn = 0; turn < 50; turn++) {
      await raw.exchange('["subscribe",1,"0.","cursors",[{"x":1}]]', '["unsubscribe",1]');
    }
    await expect.poll(bob.others).toEqual([]);
    using begun = await worker.raw('turns');
    expect(await begun.exchange(subscribed)).toContainEqual(['next', 1, 1, { all: [] }]);
  });
});

test('a presence is not stored', async () => {
  const [ann, bob] = [join('stored'), join('stored')];
  const before = await bob.client.keys();
  for (let x = 0; x < 100; x++) {
    ann.cursors.update({ x });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await expect.poll(bob.others).toEqual([{ x: 99 }]);
  expect(await bob.client.keys()).toEqual(before);
});
