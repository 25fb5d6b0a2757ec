/** Calls by a binding, beyond the suite: their callers, objects that are stopped, and deliveries. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BindingOptions, bindingTransport } from '../../../src/client/transports/binding.ts';
import { bytes } from '../../../src/features/bytes/client/bytes.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
  withOptions,
} from '../../../src/client.ts';
import { closeClients } from '../../../src/server.ts';
import type { Chat, Hibernating, TestEnv } from '../../worker.ts';

const env = bindings as TestEnv;
const HOUR = 3_600_000;

let names = 0;

function stubOf(name: string): DurableObjectStub<Hibernating> {
  return env.HIBERNATING.getByName(name);
}

function unnamed(): DurableObjectStub<Hibernating> {
  return env.HIBERNATING.get(env.HIBERNATING.newUniqueId());
}

/** Connects a client to an object, with a new stub for each request. */
function clientOf(
  name: string,
  options?: BindingOptions,
  more?: RpcClientOptions,
): RpcClient<Hibernating> {
  const transport = bindingTransport(() => stubOf(name), options);
  const client = createRpcClient<Hibernating>('HIBERNATING', name, { transport, ...more });
  onTestFinished(() => client.close());
  return client;
}

/** Stops an object as the runtime does. */
async function stop(name: string): Promise<void> {
  const stopped = runInDurableObject<Hibernating, unknown>(stubOf(name), (_, state) => {
    state.abort('stopped');
  });
  await stopped.catch(() => {});
}

const rejection = (call: PromiseLike<unknown>): PromiseLike<unknown> =>
  call.then(
    () => 'It was answered',
    (error: unknown) => error,
  );

const newName = (): string => `by binding ${++names}`;

describe.each([false, true])('with a socket: %s', (socket) => {
  test('the object gets the caller, or none if the client has none', async () => {
    const name = newName();
    const caller = { user: 'Ada', roles: ['admin'] };
    expect(await clientOf(name, { socket, caller }).whoCalls()).toEqual(caller);
    expect(await clientOf(name, { socket, caller: 'till 4' }).whoCalls()).toBe('till 4');
    expect(await clientOf(name, { socket }).whoCalls()).toBe('nobody');
    const large = (): unknown => clientOf(name, { socket, caller: 'x'.repeat(4_000) });
    expect(large).toThrow(RangeError);
  });

  test('an object can call another', async () => {
    const name = newName();
    await runInDurableObject(stubOf(`${name}, caller`), async () => {
      using client = clientOf(name, { socket });
      const sum = client.add(1, 2);
      expect(await client.gather('gathered', sum, [sum])).toEqual([3, [3]]);
      expect(await client.runs()).toEqual(['gathered']);
    });
  });

  test('an object can be called after it was evicted', async () => {
    const name = newName();
    const client = clientOf(name, { socket });
    for (const round of ['one', 'two', 'three']) {
      expect(await client.run(round, round)).toBe(round);
      await evictDurableObject(stubOf(name));
    }
    expect(await client.runs()).toEqual(['one', 'two', 'three']);
  });

  test('a call whose object is stopped rejects and does not run twice, and the next call is answered', async () => {
    const name = newName();
    const client = clientOf(name, { socket }, { reconnect: { minDelay: 1, maxDelay: 10 } });
    await client.run('before');
    const held = rejection(client.hold('held'));
    while (!(await clientOf(name).runs()).includes('held'));
    await stop(name);
    expect(await held).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    expect(await client.run('after', 1)).toBe(1);
    expect(await client.runs()).toEqual(['before', 'held', 'after']);
  });

  test('a delivery runs once, whoever repeats it', async () => {
    const name = newName();
    const delivery = { id: crypto.randomUUID(), since: Date.now() };
    for (let life = 0; life < 3; life++) {
      const client = clientOf(name, { socket, delivery });
      expect(await client.run('paid', `in life ${life}`)).toBe('in life 0');
      await evictDurableObject(stubOf(name));
    }
    expect(await clientOf(name).runs()).toEqual(['paid']);
  });

  test('a delivery of several calls runs once, and each call has its first answer', async () => {
    const name = newName();
    const delivery = { id: crypto.randomUUID(), since: Date.now() };
    for (let life = 0; life < 2; life++) {
      const client = clientOf(name, { socket, delivery });
      const first = client.run('first', life);
      const failed = rejection(client.fail('RangeError', 'failed'));
      const third = client.gather('third', first);
      expect(await Promise.all([first, failed, third])).toMatchObject([
        0,
        { message: 'range' },
        [0],
      ]);
    }
    expect(await clientOf(name).runs()).toEqual(['first', 'failed', 'third']);
  });

  test('a delivery whose first attempt is too old is rejected, unless its answer is stored', async () => {
    const name = newName();
    const recent = { id: crypto.randomUUID(), since: Date.now() - HOUR / 4 };
    expect(await clientOf(name, { socket, delivery: recent }).run('recent', 1)).toBe(1);
    const old = { ...recent, since: recent.since - HOUR };
    expect(await clientOf(name, { socket, delivery: old }).run('recent', 2)).toBe(1);
    const unknown = { ...old, id: crypto.randomUUID() };
    for (let attempt = 0; attempt < 2; attempt++) {
      const client = clientOf(name, { socket, delivery: unknown });
      const refused = { code: 'DISCONNECTED', maybeExecuted: true };
      await expect(client.run('unknown')).rejects.toMatchObject(refused);
    }
    expect(await clientOf(name).runs()).toEqual(['recent']);
  });

  test('a delivery without an answer rejects as maybe executed', async () => {
    const delivery = { id: crypto.randomUUID(), since: Date.now() };
    const transport = bindingTransport(
      { fetch: () => Promise.reject(new Error('gone')) },
      { delivery, socket },
    );
    using client = createRpcClient<Hibernating>('HIBERNATING', 'x', { transport, timeout: 500 });
    await expect(client.run('x')).rejects.toMatchObject({ code: 'TIMEOUT', maybeExecuted: true });
  });
});

test('with journalAge, older deliveries run', async () => {
  const transport = (age: number): RpcClientOptions => {
    const delivery = { id: crypto.randomUUID(), since: Date.now() - age };
    return { transport: bindingTransport(() => env.REMEMBERING.getByName('x'), { delivery }) };
  };
  const connect = (age: number): RpcClient<Hibernating> =>
    createRpcClient<Hibernating>('REMEMBERING', 'x', transport(age));
  expect(await connect(11 * HOUR).run('of today', 1)).toBe(1);
  const refused = { code: 'DISCONNECTED', maybeExecuted: true };
  await expect(connect(13 * HOUR).run('older')).rejects.toMatchObject(refused);
});

test('the calls of a tick are one request, and no socket is left open', async () => {
  const name = newName();
  const asked: string[] = [];
  const stub = stubOf(name);
  const transport = bindingTransport({
    name,
    fetch: (url, init) => {
      asked.push(`${init?.method} ${url}`);
      return stub.fetch(url, init);
    },
  });
  using client = createRpcClient<Hibernating>('HIBERNATING', name, { transport });
  await Promise.all([client.add(1, 2), client.run('x')]);
  expect(asked).toEqual([`POST https://object/${encodeURIComponent(name)}/call`]);
  expect(await runInDurableObject(stub, (_, state) => state.getWebSockets().length)).toBe(0);
});

test.each([
  ['a name', 'till 4', 'https://object/till%204/call'],
  ['none', undefined, 'https://object/call'],
])('requests have the name of the object, if it has one: %s', async (_, name, address) => {
  const fetch = async (): Promise<Response> => new Response('later', { status: 503 });
  const transport = bindingTransport({ name, fetch });
  using client = createRpcClient<Hibernating>('HIBERNATING', 'x', { transport, reconnect: false });
  const message = `The server answered 503: later (${address})`;
  await expect(client.runs()).rejects.toMatchObject({ code: 'UNAVAILABLE', message });
});

test('the error names an answer to an upgrade that is not an upgrade', async () => {
  const fetch = async (): Promise<Response> => new Response('[]');
  const transport = bindingTransport({ fetch }, { socket: true });
  using client = createRpcClient<Hibernating>('HIBERNATING', 'x', { transport, reconnect: false });
  await expect(client.runs()).rejects.toMatchObject({
    code: 'DISCONNECTED',
    message: 'Connection closed: 1006 Error: The server answered the WebSocket upgrade with 200',
  });
});

test('large buffers are sent as bytes over a socket, in both directions', async () => {
  const client = clientOf(newName(), { socket: true }, { bytes });
  const value = new Uint8Array(5_000).fill(7);
  expect(await client.map(value)).toEqual(value);
  expect(await client.map(value)).toEqual(value);
});

test('a client that is closed while its socket opens leaves no socket open', async () => {
  const name = newName();
  const stub = stubOf(name);
  const [asked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    asked.resolve();
    const response = await stub.fetch(url, init);
    opened.resolve();
    return response;
  };
  const transport = bindingTransport({ name, fetch }, { socket: true });
  const client = createRpcClient<Hibernating>('HIBERNATING', name, { transport });
  const call = rejection(client.add(1, 2));
  await asked.promise;
  client.close();
  expect(await call).toMatchObject({ code: 'CLOSED', maybeExecuted: false });
  await opened.promise;
  const sockets = (): Promise<number> =>
    runInDurableObject(stub, (_, state) => state.getWebSockets().length);
  await expect.poll(sockets).toBe(0);
});

test('a single stub serves until its object is stopped', async () => {
  const name = newName();
  const transport = bindingTransport(stubOf(name));
  const lost = Promise.withResolvers<void>();
  using client = createRpcClient<Hibernating>('HIBERNATING', name, {
    transport,
    onStateChange: (state) => state === 'reconnecting' && lost.resolve(),
  });
  expect(await client.add(1, 2)).toBe(3);
  await stop(name);
  void rejection(client.runs());
  await lost.promise;
  await expect(withOptions(client, { timeout: 1 }).runs()).rejects.toMatchObject({
    code: 'TIMEOUT',
    cause: { code: 'DISCONNECTED' },
  });
  expect(await clientOf(name).add(1, 2)).toBe(3);
});

test('an object at the limit of connections rejects a socket with UNAVAILABLE', async () => {
  const chatOf = (socket: boolean): RpcClient<InstanceType<typeof Chat>> => {
    const transport = bindingTransport(() => env.CHAT.getByName('full by binding'), { socket });
    const client = createRpcClient<InstanceType<typeof Chat>>('CHAT', 'x', {
      transport,
      reconnect: false,
    });
    onTestFinished(() => client.close());
    return client;
  };
  await Promise.all([chatOf(true).closed(), chatOf(true).closed()]);
  const refused = { code: 'UNAVAILABLE', status: 503 };
  await expect(chatOf(true).closed()).rejects.toMatchObject(refused);
  expect(await chatOf(false).closed()).toBeUndefined();
});

test.each([
  [
    'with the same name and another class',
    () => stubOf('same'),
    () => env.RESIDENT.getByName('same'),
  ],
  ['without a name', unnamed, unnamed],
])('a capability of an object %s is not sent', async (_, one, another) => {
  const join = (stub: DurableObjectStub): RpcClient<Hibernating> => {
    const transport = bindingTransport(stub);
    return createRpcClient<Hibernating>('HIBERNATING', 'x', { transport, capabilities });
  };
  const desk = await join(one()).desk('Ada');
  const sent = join(another()).run(desk as never);
  expect(await rejection(sent)).toMatchObject({ code: 'UNSERIALIZABLE' });
});

test('a feed of a capability ends when the capability is revoked, even after an eviction', async () => {
  const name = newName();
  const client = clientOf(name, { socket: true }, { capabilities });
  const desk = await client.desk('Ada');
  const end = rejection(subscribe(desk).news()[Symbol.asyncIterator]().next());
  await client.runs();
  await evictDurableObject(stubOf(name));
  await client.closeDesk('Ada');
  await client.tell('what is not for this desk any more');
  expect(await end).toMatchObject({ code: 'FORBIDDEN' });
});

test('an object that closes the sockets of a caller ends the client', async () => {
  const name = newName();
  const client = clientOf(name, { socket: true, caller: 'Bob' });
  const news = subscribe(client).count()[Symbol.asyncIterator]();
  expect((await news.next()).value).toBe(0);
  const next = expect(news.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await runInDurableObject(stubOf(name), (instance) => {
    expect(closeClients(instance, (caller) => caller === 'Bob')).toBe(1);
  });
  await next;
  await expect(client.runs()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
