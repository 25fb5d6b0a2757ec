/**
 * Tests connections that a test cuts: calls are sent again and run once, and no event is missed.
 */
import { runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { type ConnectionState, createRpcClient, subscribe, withOptions } from '../../src/client.ts';
import { collect, connect, type ConnectOptions, cut, loseAnswer } from '../../src/testing.ts';
import type { Room } from '../../../examples/room/src/room.ts';
import type { Counter } from '../../../template/src/counter.ts';
import type { Hibernating, TestEnv } from '../worker.ts';

const env = bindings as TestEnv;

const open = (name: string, options?: ConnectOptions) =>
  connect<Hibernating>('HIBERNATING', name, options);

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  const nameOf = (what: string): string => `${what} by ${transport}`;
  const runsOf = (name: string) => env.HIBERNATING.getByName(name).runs();

  test('a call whose answer was lost runs once', async () => {
    const name = nameOf('lost answer');
    using client = open(name, { transport });
    await client.run('before');
    loseAnswer(client);
    expect(await client.run('lost', 'its result')).toBe('its result');
    expect(await runsOf(name)).toEqual(['before', 'lost']);
  });

  test('the very first answer can be lost', async () => {
    const name = nameOf('first answer');
    using client = open(name, { transport });
    loseAnswer(client);
    expect(await client.run('first', 1)).toBe(1);
    expect(await runsOf(name)).toEqual(['first']);
  });

  test('only one answer is lost', async () => {
    using client = open(nameOf('one answer'), { transport, reconnect: false });
    loseAnswer(client);
    await expect(client.run('lost')).rejects.toMatchObject({
      code: 'DISCONNECTED',
      maybeExecuted: true,
    });
    expect(await client.runs()).toEqual(['lost']);
  });

  test('a call that runs while the connection is cut runs once', async () => {
    const name = nameOf('held');
    using client = open(name, { transport });
    const held = client.hold('held', 'its result');
    await expect.poll(() => runsOf(name)).toEqual(['held']);
    cut(client);
    await env.HIBERNATING.getByName(name).release('held');
    expect(await held).toBe('its result');
    expect(await runsOf(name)).toEqual(['held']);
  });

  test('nothing passes before a promise has settled', async () => {
    const name = nameOf('until');
    using client = open(name, { transport });
    await client.run('before');
    const { promise, resolve } = Promise.withResolvers<string>();
    const until = cut(client, promise);
    const call = client.run('after', 'its result');
    await env.HIBERNATING.getByName(name).run('meanwhile');
    expect(await runsOf(name)).toEqual(['before', 'meanwhile']);
    resolve('the promise');
    expect(await until).toBe('the promise');
    expect(await call).toBe('its result');
    expect(await runsOf(name)).toEqual(['before', 'meanwhile', 'after']);
  });

  test('a promise that rejects also ends the cut, and its error is thrown', async () => {
    using client = open(nameOf('rejects'), { transport });
    const until = cut(client, Promise.reject(new Error('no')));
    await expect(until).rejects.toThrow('no');
    expect(await client.add(1, 2)).toBe(3);
  });

  test('other clients stay connected', async () => {
    const states: ConnectionState[] = [];
    const note = (state: ConnectionState): void => void states.push(state);
    using client = open(nameOf('others'), { transport });
    using other = open(nameOf('others'), { transport, onStateChange: note });
    await Promise.all([client.add(1, 1), other.add(1, 1)]);
    cut(client);
    loseAnswer(client);
    expect(await other.add(1, 1)).toBe(2);
    expect(await client.add(1, 1)).toBe(2);
    expect(states).toEqual(['connecting', 'open']);
  });

  test('a client that was closed stays closed', async () => {
    const client = open(nameOf('closed'), { transport });
    await client.add(1, 1);
    client.close();
    cut(client);
    await expect(client.add(1, 1)).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

test('a cut connection has the states of a connection that fails', async () => {
  const states: [ConnectionState, string?][] = [];
  using client = open('states', {
    onStateChange: (state, { reason }) => states.push([state, reason]),
  });
  await client.add(1, 1);
  cut(client);
  await client.add(1, 1);
  expect(states).toEqual([
    ['connecting', undefined],
    ['open', undefined],
    ['reconnecting', 'Connection closed: 1006 '],
    ['open', undefined],
  ]);
});

test('the object notices that a connection was cut, and has one connection for each client', async () => {
  using room = connect<Room>('ROOM', 'heard', { as: null });
  using other = connect<Room>('ROOM', 'heard', { as: null });
  const counts = collect(subscribe(other).countPresent());
  await room.getTopic();
  await expect.poll(() => counts.at(-1)).toBe(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const until = cut(room, promise);
  await expect.poll(() => counts.at(-1)).toBe(1);
  resolve();
  await until;
  await room.getTopic();
  await expect.poll(() => counts.at(-1)).toBe(2);
  const sockets = await runInDurableObject(env.ROOM.getByName('heard'), (_, state) =>
    state.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN),
  );
  expect(sockets).toHaveLength(2);
});

test('events that are sent while a client is away arrive when it is back, once and in order', async () => {
  using ada = connect<Room>('ROOM', 'away', { as: { user: 'Ada' } });
  using bob = connect<Room>('ROOM', 'away', { as: { user: 'Bob' } });
  const heard = collect(subscribe(ada).messages());
  await expect.poll(() => heard).toEqual([{ recent: [] }]);
  await bob.say('before');
  await cut(ada, bob.say('while Ada was away'));
  await bob.say('after');
  const texts = ['before', 'while Ada was away', 'after'];
  await expect.poll(() => heard.slice(1)).toEqual(texts.map((text) => ({ author: 'Bob', text })));
});

test('an update of a subscription can be lost', async () => {
  using client = connect<Counter>('COUNTER', 'update');
  const values = collect(subscribe(client).getValue());
  await expect.poll(() => values).toEqual([0]);
  loseAnswer(client);
  await env.COUNTER.getByName('update').increment();
  await expect.poll(() => values).toEqual([0, 1]);
});

test('a client with other options shares the connection, and can be used to cut it', async () => {
  const states: ConnectionState[] = [];
  using client = open('shared', { onStateChange: (state) => void states.push(state) });
  await client.add(1, 1);
  cut(withOptions(client, { timeout: 1_000 }));
  expect(states.at(-1)).toBe('reconnecting');
});

test.each([
  ['cut', cut],
  ['loseAnswer', loseAnswer],
])('%s refuses a client that connect has not made', (_, use: (client: object) => void) => {
  using elsewhere = createRpcClient<Counter>('COUNTER', 'elsewhere');
  expect(() => use(elsewhere)).toThrow(
    'The client was not created by connect() of lumenize-rpc/testing',
  );
  expect(() => use({})).toThrow('Not a client');
});
