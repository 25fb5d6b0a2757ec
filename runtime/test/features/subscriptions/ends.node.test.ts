/** The order of the messages that a client gets, and the ends of its loops. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { until } from '../../../../harness/waiting.mjs';
import { answerWith, Stub } from '../../served/stub.ts';
import { Loop } from './broadcaster/loops.ts';
import { serve } from './broadcaster/serve.ts';

const worker = await serve();

const unsubscribesIn = (frames: readonly string[]): string[] =>
  frames.filter((frame) => frame.includes('unsubscribe'));

test('an answer comes before the events and values that its call has caused', async () => {
  using client = worker.connect('order');
  const order: string[] = [];
  const events = new Loop(subscribe(client).events(), (event) => order.push(`event ${event}`));
  const live = new Loop(subscribe(client).getTopic(), (topic) => order.push(`topic ${topic}`));
  await live.has(1);
  order.length = 0;
  const expected: string[] = [];
  for (let round = 1; round <= 100; round++) {
    const isLate = round % 2 === 0;
    await (isLate ? client.saySoon(`${round}`) : client.sayOne(round));
    order.push(`said ${round}`);
    await events.has(round);
    await (isLate ? client.setTopicSoon(`${round}`) : client.setTopic(`${round}`));
    order.push(`set ${round}`);
    await live.has(round + 1);
    expected.push(`said ${round}`, `event ${round}`, `set ${round}`, `topic ${round}`);
  }
  expect(order).toEqual(expected);
});

describe('a loop that is left', () => {
  test('gets no more events, and unsubscribes once', async () => {
    const { client, sockets } = worker.watch('left');
    const heard: unknown[] = [];
    const events = subscribe(client).events();
    await client.lives();
    const loop = (async () => {
      for await (const event of events) {
        heard.push(event);
        if (heard.length === 2) break;
      }
    })();
    await client.sayAll(['a', 'b', 'c', 'd']);
    await loop;
    await client.sayAll(['e', 'f']);
    await client.lives();
    expect(heard).toEqual(['a', 'b']);
    expect(sockets.flatMap(({ sent }) => unsubscribesIn(sent))).toEqual(['[["unsubscribe",1]]']);
    expect(events.cursor).toMatch(/^2\./);
    // The next loop gets the events that this loop has not taken.
    const next = new Loop(subscribe(client, { after: events.cursor }).events());
    expect(await next.has(4)).toEqual(['c', 'd', 'e', 'f']);
    client.close();
  });

  test.each(['throws', 'is disposed of'])('because it %s', async (way) => {
    const { client, sockets } = worker.watch(way);
    const topics = subscribe(client).getTopic();
    const loop = new Loop(topics, () => {
      if (way === 'throws') throw new EvalError('of the page');
    });
    await loop.has(1);
    if (way === 'throws') await expect(loop.ended).rejects.toThrow('of the page');
    else {
      await topics[Symbol.asyncDispose]();
      await loop.ended;
    }
    await client.setTopic('a');
    await client.lives();
    expect(loop.heard).toEqual(['']);
    expect(sockets.flatMap(({ sent }) => unsubscribesIn(sent))).toEqual(['[["unsubscribe",1]]']);
    client.close();
  });

  test('by its signal rejects with the reason, even before it has begun', async () => {
    const { client, sockets } = worker.watch('aborted');
    const controller = new AbortController();
    const { signal } = controller;
    const loop = new Loop(subscribe(client, { signal }).getTopic());
    await loop.has(1);
    controller.abort('enough');
    const aborted = { name: 'RpcError', code: 'ABORTED', cause: 'enough' };
    await expect(loop.ended).rejects.toMatchObject(aborted);
    await expect(new Loop(subscribe(client, { signal }).getTopic()).ended).rejects.toMatchObject(
      aborted,
    );
    await client.setTopic('a');
    expect(loop.heard).toEqual(['']);
    const sent = sockets.flatMap((socket) => socket.sent);
    expect(unsubscribesIn(sent)[0]).toBe('[["unsubscribe",1]]');
    expect(sent.filter((frame) => frame.includes('"subscribe"'))).toHaveLength(1);
    client.close();
  });
});

test.each([
  ['is left', (loop: Loop<unknown>) => loop.leave()],
  ['fails', () => {}],
  ['ends with its client', (_: Loop<unknown>, close: () => void) => close()],
])('a loop that %s leaves no listener on its signal', async (name, end) => {
  const client = worker.connect(`listener ${name}`);
  const { signal } = new AbortController();
  const loop = new Loop(subscribe(client, { signal }).failing());
  await loop.has(1);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  end(loop, () => client.close());
  if (name !== 'ends with its client') await client.setTopic(name === 'fails' ? 'fail' : 'another');
  await loop.ended.catch(() => {});
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  client.close();
});

test('a client confirms once that the object has ended a subscription', async () => {
  const { client, sockets } = worker.watch('ended by the object');
  const loop = new Loop(subscribe(client).failing());
  await loop.has(1);
  await client.setTopic('fail');
  await expect(loop.ended).rejects.toThrow('no topic');
  await client.lives();
  client.close();
  // The object keeps a stream that has ended until then.
  const told = sockets.flatMap(({ sent }) => unsubscribesIn(sent));
  expect(told).toEqual(['[["unsubscribe",1]]']);
});

test('each loop over a subscription is independent', async () => {
  using client = worker.connect('two loops');
  const events = subscribe(client).events();
  const one = new Loop(events);
  const two = new Loop(events);
  await client.sayOne('a');
  await Promise.all([one.has(1), two.has(1)]);
  one.leave();
  await client.sayOne('b');
  await one.ended;
  await client.sayOne('c');
  expect(await two.has(3)).toEqual(['a', 'b', 'c']);
  expect(one.heard).toEqual(['a', 'b']);
});

describe('a client that is closed', () => {
  test('ends each of its loops with an error of its own', async () => {
    const { client, sockets } = worker.watch('closed');
    const loops = [1, 2].map(() => new Loop(subscribe(client).getTopic()));
    await Promise.all(loops.map((loop) => loop.has(1)));
    client.close();
    const errors = await Promise.all(loops.map((loop) => loop.ended.catch((error) => error)));
    for (const error of errors) expect(error).toMatchObject({ name: 'RpcError', code: 'CLOSED' });
    await expect(client.lives()).rejects.toMatchObject({ code: 'CLOSED' });
    expect(errors[0]).not.toBe(errors[1]);
    // Without these messages, a stream would wait for its client.
    const told = sockets.flatMap(({ sent }) => unsubscribesIn(sent));
    expect(told).toEqual(['[["unsubscribe",1]]', '[["unsubscribe",2]]']);
  });

  test('begins no loop', async () => {
    const client = worker.connect('closed before');
    client.close();
    const events = subscribe(client).events();
    for (const _ of [1, 2]) {
      await expect(new Loop(events).ended).rejects.toMatchObject({ code: 'CLOSED' });
    }
  });

  test('ends its loops even before it has connected', async () => {
    const client = worker.connect('closed at once');
    const loop = new Loop(subscribe(client).events());
    client.close();
    await expect(loop.ended).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

test('a rejected connection ends the loops of a client, and a later attempt begins new loops', async () => {
  using stub = await new Stub(answerWith(403, 'not you')).listen();
  using client = worker.connect('refused', { baseUrl: stub.url });
  const loops = [1, 2].map(() => new Loop(subscribe(client).events()));
  for (const { ended } of loops) {
    await expect(ended).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  }
  const late = new Loop(subscribe(client).events());
  await expect(late.ended).rejects.toMatchObject({ code: 'FORBIDDEN' });
  client.reconnect();
  await expect(new Loop(subscribe(client).events()).ended).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('subscribe() over HTTP throws at once', () => {
  using client = worker.connect('http', { transport: 'http' });
  expect(() => subscribe(client)).toThrow(new TypeError('Subscriptions need a WebSocket'));
});

test('the result of subscribe is no promise, and sends nothing before it is iterated', async () => {
  const { client, sockets } = worker.watch('lazy');
  const room = await Promise.resolve(subscribe(client));
  const events = room.events();
  expect(String(Object.keys(room))).toBe('');
  await client.lives();
  expect(sockets[0]?.sent).toHaveLength(1);
  void new Loop(events);
  await until(() => events.cursor !== undefined);
  expect(sockets[0]?.sent).toContain('[["subscribe",1,null,"events"]]');
  client.close();
});
