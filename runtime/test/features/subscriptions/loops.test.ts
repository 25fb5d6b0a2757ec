/** Loops over subscriptions between messages: several at once, repeated loops, and loops after their ends. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { createRpcClient, type RpcClient } from '../../../src/client.ts';
import { servePort } from '../../../src/server.ts';
import { till, Till } from '../../server/port/till.ts';

function connect(): RpcClient<Till> {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port2, new Till(), till);
  const client = createRpcClient<Till>('TILL', 'x', { transport: messagePortTransport(port1) });
  onTestFinished(() => {
    client.close();
    served.close();
  });
  return client;
}

type Message = [kind?: unknown, n?: unknown, cursor?: unknown];

/** Connects a client to an object whose messages the test sends. */
function connectTo(answer: (message: Message) => string[]): {
  client: RpcClient<Till>;
  frames: Message[][];
} {
  const { port1, port2 } = new MessageChannel();
  const frames: Message[][] = [];
  port2.addEventListener('message', (event) => {
    const { data } = event as MessageEvent;
    if (typeof data !== 'string') return;
    const frame = JSON.parse(data) as Message[];
    frames.push(frame);
    for (const text of answer(frame[0] ?? [])) port2.postMessage(text);
  });
  port2.start();
  const client = createRpcClient<Till>('TILL', 'x', { transport: messagePortTransport(port1) });
  onTestFinished(() => {
    client.close();
    port2.close();
  });
  return { client, frames };
}

test('there is no cursor before the object has sent the position at which the loop begins', async () => {
  const client = connect();
  await client.sum();
  const sales = subscribe(client).sales();
  const first = sales[Symbol.asyncIterator]().next();
  // The client has subscribed, and the object has not confirmed it.
  for (let turn = 0; turn < 5; turn++) await undefined;
  expect(sales.cursor).toBe(undefined);
  const later = subscribe(client, { after: '0.' }).sales();
  const second = later[Symbol.asyncIterator]().next();
  for (let turn = 0; turn < 5; turn++) await undefined;
  expect(later.cursor).toBe('0.');
  await client.add(1);
  expect(await Promise.all([first, second])).toEqual([
    { done: false, value: 1 },
    { done: false, value: 1 },
  ]);
});

test('items that are requested at once come one after the other', async () => {
  const client = connect();
  const sales = subscribe(client).sales()[Symbol.asyncIterator]();
  const items = [sales.next(), sales.next(), sales.next()];
  await client.sum();
  for (const amount of [1, 2, 3]) await client.add(amount);
  expect((await Promise.all(items)).map(({ value }) => value)).toEqual([1, 2, 3]);
});

test('all loops over a subscription end when it is disposed of, and stay ended', async () => {
  const client = connect();
  const sums = subscribe(client).sum();
  const loops = [sums[Symbol.asyncIterator](), sums[Symbol.asyncIterator]()];
  for (const loop of loops) expect((await loop.next()).value).toBe(0);
  const ends = loops.map((loop) => loop.next());
  await sums[Symbol.asyncDispose]();
  const done = { done: true, value: undefined };
  expect(await Promise.all(ends)).toEqual([done, done]);
  for (const loop of loops) expect(await loop.next()).toEqual(done);
});

test('a loop that has failed fails at each later request', async () => {
  const { client } = connectTo(([kind, n]) =>
    kind === 'subscribe' ? [`[["complete",${n},"error",["gone"]]]`] : [],
  );
  const sums = subscribe(client).sum()[Symbol.asyncIterator]();
  for (const _ of [1, 2]) await expect(sums.next()).rejects.toBe('gone');
  expect(await sums.return?.()).toEqual({ done: true, value: undefined });
});

describe('a loop that has ended, and has not taken all items', () => {
  const all =
    '[["subscribed",1,"0.a"],["next",1,1,1],["next",1,2,2],["next",1,3,3],["complete",1]]';

  async function begin(signal?: AbortSignal): Promise<AsyncIterator<number>> {
    const { client } = connectTo(([kind]) => (kind === 'subscribe' ? [all] : []));
    const sales = subscribe(client, { ...(signal && { signal }) }).sales();
    const loop = sales[Symbol.asyncIterator]();
    expect((await loop.next()).value).toBe(1);
    return loop;
  }

  test('gets the remaining items', async () => {
    const loop = await begin();
    expect((await loop.next()).value).toBe(2);
    expect((await loop.next()).value).toBe(3);
    expect(await loop.next()).toEqual({ done: true, value: undefined });
  });

  test('rejects if it is aborted', async () => {
    const controller = new AbortController();
    const loop = await begin(controller.signal);
    controller.abort('enough');
    await expect(loop.next()).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
  });

  test('ends if it is left', async () => {
    const loop = await begin();
    await loop.return?.();
    expect(await loop.next()).toEqual({ done: true, value: undefined });
  });
});

test.each([
  ['the last event that has arrived goes on, with the cursors of that epoch', 1, [null], '2.b'],
  ['an earlier event asks again', 0, [null, expect.stringMatching(/^[01]\.a$/)], '2.c'],
])('a loop whose next epoch begins after %s', async (_, event, expected, last) => {
  const cursors: unknown[] = [];
  const { client } = connectTo(([kind, , cursor]) => {
    if (kind !== 'subscribe') return [];
    if (cursors.push(cursor) > 1) {
      const first = cursor === '0.a' ? '["next",1,1,"first"],' : '';
      return [`[["subscribed",1,"${cursor}"],${first}["epoch",1,1,"c"],["next",1,2,"right"]]`];
    }
    const next = event === 1 ? 'right' : 'wrong';
    return [
      '[["subscribed",1,"0.a"],["next",1,1,"first"]]',
      `[["epoch",1,${event},"b"],["next",1,${event + 1},"${next}"]]`,
    ];
  });
  const sales = subscribe(client).sales();
  const heard: unknown[] = [];
  for await (const sale of sales) if (heard.push(sale) === 2) break;
  expect(heard).toEqual(['first', 'right']);
  expect(cursors).toEqual(expected);
  expect(sales.cursor).toBe(last);
});

test('events after a gap are requested again, and later events wait for them', async () => {
  const events = ['one', 'two', 'three'];
  const cursors: unknown[] = [];
  const { client } = connectTo(([kind, , cursor]) => {
    if (kind !== 'subscribe') return [];
    cursors.push(cursor);
    if (cursor === null)
      return ['[["subscribed",1,"0.a"],["next",1,1,"one"],["next",1,3,"three"],["next",1,2,"?"]]'];
    const first = Number.parseInt(cursor as string, 10);
    const next = events.map((event, index) => `["next",1,${index + 1},"${event}"]`).slice(first);
    return [`[["subscribed",1,"${first}.a"],${next}]`];
  });
  const heard: unknown[] = [];
  const sales = subscribe(client).sales() as AsyncIterable<unknown>;
  for await (const sale of sales) if (heard.push(sale) === 3) break;
  expect(heard).toEqual(events);
  expect(cursors).toEqual([null, expect.stringMatching(/^[01]\.a$/)]);
});
