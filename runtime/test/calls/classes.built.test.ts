/** A class that answers RPC keeps its own handlers, its subclasses and native Workers RPC. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env as bindings, DurableObject, exports } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { describe, expect, test } from 'vitest';
import { createRpcClient, type RpcClientOptions } from '../../src/client.ts';
import { subscribe } from '../../src/features/subscriptions/client/subscribe.ts';
import { compileContract, lumenizeRpcDO } from '../../src/server.ts';
import { type AnswerMessage, decodeAnswer } from '../../src/wire/messages.ts';
import { connect } from '../../src/testing/connect.ts';
import { openSocket } from '../support/open-socket.ts';
import type { Chat, Extended, Hibernating, TestEnv } from '../worker.ts';

const env = bindings as TestEnv;
const BASE_URL = 'https://example.com';

type ChatClass = InstanceType<typeof Chat>;

function fetchChat(name: string, path: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(new Request(`${BASE_URL}/__rpc/CHAT/${name}${path}`, init));
}

/** Opens a WebSocket of the class itself, and collects the messages that arrive by it. */
async function joinChat(
  name: string,
): Promise<{ socket: WebSocket; next: () => Promise<unknown> }> {
  const { webSocket } = await fetchChat(name, '/join', { headers: { Upgrade: 'websocket' } });
  const socket = webSocket as WebSocket;
  const received: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.addEventListener('message', ({ data }) => {
    const resolve = waiting.shift();
    if (resolve) resolve(data);
    else received.push(data);
  });
  socket.accept();
  const next = (): Promise<unknown> =>
    received.length > 0
      ? Promise.resolve(received.shift())
      : new Promise((resolve) => waiting.push(resolve));
  return { socket, next };
}

describe('a class with handlers of its own', () => {
  test.each([
    ['a GET', '/call', {}],
    ['a POST of a form', '/call', { method: 'POST', body: new URLSearchParams({ a: '1' }) }],
    ['a POST of text', '/call', { method: 'POST', body: 'x' }],
    ['a PUT of JSON', '/call', { method: 'PUT', headers: { 'Content-Type': 'application/json' } }],
    [
      'a POST of JSON to another path',
      '/other',
      { method: 'POST', body: '[]', headers: { 'Content-Type': 'application/json' } },
    ],
    ['a longer path', '/call/more', {}],
  ])('receives %s', async (_, path, init: RequestInit) => {
    const response = await fetchChat('own-fetch', path, init);
    const { method = 'GET' } = init;
    expect(await response.text()).toBe(`${method} /__rpc/CHAT/own-fetch${path}`);
  });

  test('receives an upgrade that does not offer the subprotocol', async () => {
    for (const protocols of ['', 'chat, lumenize-rpc.2']) {
      const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols };
      const response = await fetchChat('own-upgrade', '/call', { headers });
      expect(response.status).toBe(101);
      expect(response.headers.get('Sec-WebSocket-Protocol')).toBeNull();
      response.webSocket?.accept();
      response.webSocket?.close(1000);
    }
  });

  test.each(['websocket', 'http'] as const)(
    'keeps its own WebSockets beside RPC over %s',
    async (transport) => {
      const name = `beside-${transport}`;
      using chat = connect<ChatClass>('CHAT', name, { transport });
      const { socket, next } = await joinChat(name);
      socket.send('hello');
      expect(await next()).toBe('heard hello');
      expect(await chat.say('from RPC')).toBe(1);
      expect(await next()).toBe('from RPC');
      socket.send('[[1,"say",["not RPC"]]]');
      expect(await next()).toBe('heard [[1,"say",["not RPC"]]]');
      await evictDurableObject(env.CHAT.getByName(name));
      expect(await chat.say('after hibernation')).toBe(1);
      expect(await next()).toBe('after hibernation');
      socket.send('marco');
      expect(await next()).toBe('polo');
      socket.close(3001, 'done');
      await expect.poll(() => chat.closed()).toBe('3001 done');
    },
  );

  test('is not told when an RPC socket closes', async () => {
    const chat = connect<ChatClass>('CHAT', 'close');
    await chat.closed();
    chat.close();
    using other = connect<ChatClass>('CHAT', 'close', { transport: 'http' });
    await expect.poll(() => runInDurableObject(env.CHAT.getByName('close'), openSockets)).toBe(0);
    expect(await other.closed()).toBeUndefined();
  });
});

test('the class hears of errors of its own sockets, and not of RPC sockets', async () => {
  using client = connect<ChatClass>('CHAT', 'errors');
  await client.closed();
  await joinChat('errors');
  await runInDurableObject(env.CHAT.getByName('errors'), async (instance: ChatClass, state) => {
    const { webSocketError } = instance as DurableObject;
    for (const socket of state.getWebSockets()) {
      await webSocketError?.call(instance, socket, new Error('gone'));
    }
    expect(instance.errors).toEqual([['chat']]);
  });
});

function openSockets(_: unknown, state: DurableObjectState): number {
  return state.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN).length;
}

describe.each(['websocket', 'http'] as const)('subclassing, over %s', (transport) => {
  test('a call runs an override, after the checks of the wrapped class', async () => {
    using extended = connect<Extended>('EXTENDED', `extended-${transport}`, { transport });
    expect(await extended.add(1, 2)).toBe(103);
    await expect(extended.add('1' as never, 2)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0]',
    });
    await expect(
      (extended as unknown as { extra(): Promise<string> }).extra(),
    ).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });
});

describe('native Workers RPC', () => {
  test('native Workers RPC calls listed and other public methods', async () => {
    const stub = env.HIBERNATING.getByName('native');
    expect(await stub.add(1, 2)).toBe(3);
    await stub.unlisted();
    expect(await stub.runs()).toEqual(['unlisted']);
  });

  test('checks the arguments of listed methods over native Workers RPC too', async () => {
    await runInDurableObject(
      env.HIBERNATING.getByName('native-checked'),
      (instance: Hibernating) => {
        const calls: [() => unknown, string][] = [
          [() => instance.add('1' as never, 2), '[0]'],
          [() => instance.add(1, undefined as never), '[1]'],
          [() => instance.buy({ items: [{ sku: 'a', amount: 0 }] }), '[0].items[0].amount'],
          [() => instance.buy({ items: Array(1) }), '[0].items[0]'],
          [() => (instance.add as (...args: number[]) => number)(1, 2, 3), '[2]'],
        ];
        for (const [call, path] of calls) {
          expect(call).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENTS', path }));
        }
        expect(instance.runs()).toEqual([]);
      },
    );
  });

  test('refuses over a stub', async () => {
    const stub = env.HIBERNATING.getByName('native-stub');
    const refused = await stub.add('1' as never, 2).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: 'add: argument [0] must be number, got a string of 1 character',
    });
    const holed = await stub.buy({ items: Array(1) }).catch((error: unknown) => error);
    expect(holed).toMatchObject({
      message: 'buy: argument [0].items[0] must be object, got undefined',
    });
  });
});

describe('a hibernated object', () => {
  test('answers a client that connected before', async () => {
    using client = connect<Hibernating>('HIBERNATING', 'evicted');
    await client.run('before');
    await evictDurableObject(env.HIBERNATING.getByName('evicted'));
    expect(await client.add(client.run('after', 1) as never, 1)).toBe(2);
    expect(await client.runs()).toEqual(['before', 'after']);
  });
});

describe('an evicted object', () => {
  test('rejects a read of a stream that was lost with its memory, whatever message arrives first', async () => {
    const name = 'evicted stream';
    const stub = env.HIBERNATING.getByName(name);
    const socket = await openSocket('HIBERNATING', name, 'reader');
    const received: unknown[][] = [];
    const heard = Promise.withResolvers<void>();
    socket.addEventListener('message', ({ data }) => {
      received.push(...(JSON.parse(data as string) as unknown[][]));
      if (received.some(([id]) => id === 1)) heard.resolve();
    });
    // The storage then looks as if the timer of an open stream had not run.
    await runInDurableObject(stub, (_, state) => {
      const [accepted] = state.getWebSockets();
      const identity = accepted?.deserializeAttachment() as object;
      const streams = [
        [7, 'stream', true],
        [8, 'stream', false],
      ];
      accepted?.serializeAttachment({ ...identity, subscriptions: streams });
    });
    await evictDurableObject(stub);
    socket.send('[["ack",7,32],[1,"runs"]]');
    await heard.promise;
    const ends = received.flatMap(([kind, n, ...end]) => (kind === 'complete' ? [[n, end]] : []));
    expect(ends.map(([n]) => n)).toEqual([7, 8]);
    for (const [n, end] of ends) {
      const answer = decodeAnswer([0, ...(end as unknown[])] as AnswerMessage);
      const thrown = { code: 'DISCONNECTED', maybeExecuted: n === 8 };
      expect(answer).toMatchObject({ thrown });
    }
    socket.close();
  });

  test('keeps a subscription when the only messages are reports of read bytes', async () => {
    const stub = env.HIBERNATING.getByName('evicted bytes');
    const socket = await openSocket('HIBERNATING', 'evicted bytes');
    let heard = '';
    socket.addEventListener('message', ({ data }) => void (heard += String(data)));
    socket.send('[["subscribe",1,null,"news"]]');
    await expect.poll(() => heard, { timeout: 50_000 }).toContain('"subscribed"');
    await evictDurableObject(stub);
    socket.send('[["bytes"]]');
    const readsBytes = (): Promise<unknown> =>
      runInDurableObject(stub, (_, state) => {
        const [accepted] = state.getWebSockets() as [WebSocket];
        return (accepted.deserializeAttachment() as { readsBytes?: boolean }).readsBytes;
      });
    await expect.poll(readsBytes, { timeout: 50_000 }).toBe(true);
    await evictDurableObject(stub);
    await stub.tell('news');
    await expect.poll(() => heard, { timeout: 50_000 }).toContain('["next",1,1,"news"]');
    socket.close();
  });

  test('continues to send rows', async () => {
    using client = connect<Hibernating>('HIBERNATING', 'evicted rows');
    const stub = env.HIBERNATING.getByName('evicted rows');
    const numbers: number[] = [];
    for await (const { number } of subscribe(client).shelf(8_000)) {
      const count = numbers.push(number);
      if (count === 10 || count === 4_000) await evictDurableObject(stub);
    }
    expect(numbers).toEqual(Array.from({ length: 8_000 }, (_, index) => index + 1));
  });
});

describe('a definition', () => {
  class Any extends DurableObject<Env> {
    static readonly currency = 'EUR';
    fine(): void {}
  }

  test('keeps the name, the statics and the methods of the class', () => {
    const Wrapped = lumenizeRpcDO(Any, { fine: [] });
    expect(Wrapped.name).toBe('Any');
    expect(Wrapped.currency).toBe('EUR');
    expect(Wrapped.prototype).toBeInstanceOf(Any);
  });

  const handlers = [
    'fetch alarm webSocketMessage webSocketClose webSocketError connect dup ctx env',
    'then catch finally close reconnect toJSON',
  ].flatMap((names) => names.split(' '));
  const reserved = [...handlers, ...Object.getOwnPropertyNames(Object.prototype)];

  test.each(reserved)('refuses a contract that lists %s', (name) => {
    const contract = Object.fromEntries([[name, []]]);
    for (const define of [
      () => lumenizeRpcDO(Any as never, contract as never),
      () => compileContract(contract),
    ]) {
      expect(define).toThrow(TypeError);
      expect(define).toThrow(name);
    }
  });

  test('refuses a contract that lists a name that is not a method of the class', () => {
    expect(() => lumenizeRpcDO(Any, { missing: [Type.String()] } as never)).toThrow(
      'missing, which is not a method',
    );
  });
});

describe('a class without a fetch of its own', () => {
  test.each([
    ['GET', '/call', 405],
    ['PUT', '/call', 405],
    ['GET', '/other', 404],
  ])('answers %s of %s with %i', async (method, path, status) => {
    const url = `${BASE_URL}/__rpc/HIBERNATING/plain${path}`;
    const response = await exports.default.fetch(new Request(url, { method }));
    expect(response.status).toBe(status);
    expect(response.headers.get('Allow')).toBe(status === 405 ? 'POST' : null);
    expect(await response.text()).toBe(
      status === 405
        ? 'Use a WebSocket with the subprotocol lumenize-rpc.1, or a POST of application/json'
        : 'Not found',
    );
  });
});

test('a client of a missing binding receives an error that names it', async () => {
  const options: RpcClientOptions = {
    baseUrl: BASE_URL,
    transport: 'http',
    fetch: (input, init) => exports.default.fetch(new Request(input, init)),
  };
  using client = createRpcClient<Hibernating>('MISSING', 'x', options);
  await expect(client.runs()).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
});
