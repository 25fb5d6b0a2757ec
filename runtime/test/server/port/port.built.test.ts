/** Tests ports beyond the conformance suite: how they end, who calls, and what is in memory. */
import { runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { expect, onTestFinished, test } from 'vitest';
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../../../src/client.ts';
import {
  closeClients,
  compileContract,
  connectedCallers,
  live,
  rows,
  type ServedPort,
  servePort,
  type ServePortOptions,
  stream,
} from '../../../src/server.ts';
import { contract } from '../../calls/subject.ts';
import type { Hibernating, TestEnv } from '../../worker.ts';
import { till, Till } from './till.ts';

const env = bindings as TestEnv;

interface Joined<Target> {
  client: RpcClient<Target>;
  served: ServedPort;
  states: string[];
}

function join<Target extends object>(
  instance: Target,
  compiled = till,
  options?: ServePortOptions,
  more?: RpcClientOptions,
): Joined<Target> {
  const { port1, port2 } = new MessageChannel();
  const states: string[] = [];
  const client = createRpcClient<Target>('TILL', 'x', {
    transport: messagePortTransport(port1),
    onStateChange: (state) => states.push(state),
    capabilities,
    ...more,
  });
  const served = servePort(port2, instance, compiled, options);
  onTestFinished(() => client.close());
  return { client, served, states };
}

async function first<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

class Producer {
  add(): void {}

  *count(): Generator<number> {
    for (let number = 1; number <= 200; number++) yield number;
  }

  *rows(after = 0): Generator<{ id: number }> {
    for (let id = after + 1; id <= 3_000; id++) yield { id };
  }
}

const producer = compileContract({
  add: [],
  count: stream([], { readonly: true }),
  rows: rows('id', [Type.Optional(Type.Integer())]),
});

test.each([
  ['count', 'another loop'],
  ['count', 'a call'],
  ['rows', 'another loop'],
  ['rows', 'a call'],
] as const)('the first loop over %s receives each item once, beside %s', async (method, beside) => {
  const { client } = join(new Producer(), producer);
  const itemsOf = async (): Promise<string[]> => {
    const items: string[] = [];
    for await (const item of subscribe(client)[method]()) items.push(JSON.stringify(item));
    return items;
  };
  if (beside === 'a call') void client.add();
  const [items, more] = await Promise.all([itemsOf(), beside === 'a call' ? [] : itemsOf()]);
  for (const one of [items, more]) expect(one).toHaveLength(new Set(one).size);
  expect(items).toHaveLength(method === 'count' ? 200 : 3_000);
});

test('each port has its caller', async () => {
  const instance = new Till();
  const ada = join(instance, till, { caller: { user: 'Ada' } });
  const nobody = join(instance);
  expect(await ada.client.who()).toEqual({ user: 'Ada' });
  expect(await nobody.client.who()).toBe('nobody');
  expect(() => join(instance, till, { caller: 'x'.repeat(5_000) })).toThrow(RangeError);
});

test('frames that are sent before the other end listens wait for it', async () => {
  const { port1, port2 } = new MessageChannel();
  using client = createRpcClient<Till>('TILL', 'x', { transport: messagePortTransport(port1) });
  const sum = client.add(5);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const served = servePort(port2, new Till(), till);
  onTestFinished(() => served.close());
  expect(await sum).toBe(5);
});

test('a contract that lists a name that is not a method is refused', () => {
  const { port1 } = new MessageChannel();
  const wrong = compileContract({ nothing: [] });
  expect(() => servePort(port1, new Till(), wrong)).toThrow('not a method of the class');
});

test('a client that closes rejects its calls, and the object releases it', async () => {
  const instance = new Till();
  const { client, states } = join(instance);
  const values = subscribe(client).sum()[Symbol.asyncIterator]();
  await values.next();
  const rejections = [client.never(), values.next()].map((one) =>
    expect(one).rejects.toMatchObject({ code: 'CLOSED' }),
  );
  client.close();
  await Promise.all(rejections);
  await expect(client.sum()).rejects.toMatchObject({ code: 'CLOSED' });
  expect(states).toEqual(['connecting', 'open', 'closed']);
  await expect.poll(() => closeClients(instance, () => true)).toBe(0);
});

test('a port that the object closes rejects unanswered calls, for good', async () => {
  const { client, served, states } = join(new Till());
  await client.add(1);
  const lost = { code: 'DISCONNECTED', maybeExecuted: true };
  const next = subscribe(client).sales()[Symbol.asyncIterator]().next();
  const rejections = [
    expect(client.never()).rejects.toMatchObject(lost),
    expect(next).rejects.toMatchObject({ code: 'DISCONNECTED' }),
  ];
  await client.sum();
  served.close();
  served.close();
  await Promise.all(rejections);
  await expect(client.sum()).rejects.toMatchObject({ code: 'DISCONNECTED' });
  expect(states.at(-1)).toBe('closed');
});

test.each([
  [4_399, 'DISCONNECTED', 'Connection closed: 4399 because'],
  [4_400, 'BAD_RESPONSE', expect.stringMatching(/^The server answered 400: because \(port \d+\)$/)],
  [4_499, 'BAD_RESPONSE', expect.stringMatching(/^The server answered 499: because \(port \d+\)$/)],
  [4_500, 'DISCONNECTED', 'Connection closed: 4500 because'],
])('the code %i ends a port for good: %s', async (close, code, message) => {
  const { port1, port2 } = new MessageChannel();
  const states: string[] = [];
  using client = createRpcClient<Till>('TILL', 'x', {
    transport: messagePortTransport(port1),
    onStateChange: (state) => states.push(state),
  });
  const call = expect(client.sum()).rejects.toMatchObject({ code, message, maybeExecuted: true });
  port2.addEventListener('message', () => port2.postMessage([close, 'because']));
  port2.start();
  await call;
  await expect(client.sum()).rejects.toMatchObject({ code, message });
  expect(states).toEqual(['connecting', 'open', 'closed']);
  port2.close();
});

test('a port cannot be opened again: a call after reconnect rejects', async () => {
  const { client, states } = join(new Till(), till, {}, { reconnect: false });
  await client.sum();
  client.reconnect();
  const closed = { code: 'DISCONNECTED', message: 'Port closed' };
  await expect(client.sum()).rejects.toMatchObject(closed);
  await expect(client.sum()).rejects.toMatchObject(closed);
  expect(states.at(-1)).toBe('closed');
});

test('the function that closes the connections of a caller closes ports', async () => {
  const instance = new Till();
  const bob = join(instance, till, { caller: 'Bob' });
  const ada = join(instance, till, { caller: 'Ada' });
  await Promise.all([bob.client.sum(), ada.client.sum()]);
  expect(connectedCallers(instance)).toEqual(['Bob', 'Ada']);
  const barred = expect(bob.client.never()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await bob.client.sum();
  expect(closeClients(instance, (caller) => caller === 'Bob')).toBe(1);
  await barred;
  expect(await ada.client.sum()).toBe(0);
});

test('feeds and live values of an object without storage', async () => {
  const instance = new Till();
  const [one, two] = [join(instance).client, join(instance).client];
  const values = subscribe(two).sum()[Symbol.asyncIterator]();
  expect((await values.next()).value).toBe(0);
  await one.add(5);
  expect((await values.next()).value).toBe(5);
  instance.reset();
  expect((await values.next()).value).toBe(0);
  const sales = subscribe(two).sales();
  const heard = first(sales);
  await two.sum();
  for (let amount = 1; amount <= 3; amount++) await one.add(amount);
  expect(await heard).toBe(1);
  expect(await first(subscribe(one, { after: sales.cursor }).sales())).toBe(2);
  // The store keeps ten events, and the rest of their page.
  for (let amount = 0; amount < 2_000; amount++) await one.add(amount);
  const expired = first(subscribe(one, { after: sales.cursor }).sales());
  await expect(expired).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
});

test('a capability of the object behind a port is not sent over another', async () => {
  const drawer = await join(new Till()).client.drawer('upper');
  const { client } = join(new Till());
  await expect(client.add(drawer as never)).rejects.toMatchObject({ code: 'UNSERIALIZABLE' });
});

test('capabilities of an object without storage can be revoked', async () => {
  const instance = new Till();
  const [one, two] = [join(instance).client, join(instance).client];
  const drawer = await one.drawer('upper');
  expect(await drawer.put(5)).toBe(5);
  expect(await two.drawer('upper').put(6)).toBe(11);
  const names = subscribe(drawer).name()[Symbol.asyncIterator]();
  expect((await names.next()).value).toBe('upper');
  const next = expect(names.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await two.lock('upper');
  await next;
  await expect(drawer.put(1)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await join(new Till()).client.drawer('upper').put(1)).toBe(1);
});

test('a kept function is called until its port ends', async () => {
  const instance = new Till();
  const { client, served } = join(instance);
  const other = join(instance).client;
  await client.onLarge(callback(async (text) => text === 'Is it true?'));
  expect(await other.large()).toBe(true);
  served.close();
  await expect(other.large()).rejects.toMatchObject({ code: 'DISCONNECTED' });
});

test('malformed frames, and messages of other programs, are ignored', async () => {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port2, new Till(), till);
  onTestFinished(() => served.close());
  const answers: unknown[] = [];
  port1.addEventListener('message', (event) => void answers.push((event as MessageEvent).data));
  port1.start();
  for (const message of [7, { type: 'other' }, undefined, 'x', '[[1,"sum"]]']) {
    port1.postMessage(message);
  }
  await expect.poll(() => answers.length).toBe(2);
  expect(answers).toEqual([expect.stringContaining('BAD_MESSAGE'), '[[1,0]]']);
  port1.close();
});

test('a call that may have come by another port before is not run', async () => {
  const { port1, port2 } = new MessageChannel();
  const instance = new Till();
  const served = servePort(port2, instance, till);
  onTestFinished(() => served.close());
  const answers: unknown[] = [];
  port1.addEventListener('message', (event) => void answers.push((event as MessageEvent).data));
  port1.start();
  port1.postMessage('[["resent",1,5],[1,"add",[1]],[2,"add",[2]]]');
  await expect.poll(() => answers).toEqual([expect.stringMatching(/DISCONNECTED.*\[2,2\]\]$/)]);
  expect(instance.total).toBe(2);
  port1.close();
});

test('a call that comes after the end is not run', () => {
  const instance = new Till();
  const port = Object.assign(new EventTarget(), { postMessage: () => {} });
  servePort(port, instance, till);
  const send = (data: unknown): void =>
    void port.dispatchEvent(new MessageEvent('message', { data }));
  send('[[1,"add",[1]]]');
  expect(instance.total).toBe(1);
  send([1000, 'The client was closed']);
  send('[[2,"add",[1]]]');
  expect(instance.total).toBe(1);
});

test('live methods run when a port opens and when a port ends', async () => {
  const instance = { runs: 0, value: () => ++instance.runs };
  const compiled = compileContract({ value: live() });
  const { client } = join(instance, compiled);
  const values = subscribe(client as RpcClient<{ value(): number }> as never) as unknown as {
    value(): AsyncIterable<number>;
  };
  const heard = values.value()[Symbol.asyncIterator]();
  expect((await heard.next()).value).toBe(1);
  const { served } = join(instance, compiled);
  expect((await heard.next()).value).toBe(2);
  served.close();
  expect((await heard.next()).value).toBe(3);
});

test('a Durable Object is called by a port and by its binding', async () => {
  await runInDurableObject(env.HIBERNATING.getByName('by port'), async (instance) => {
    const { client } = join<Hibernating>(instance, compileContract(contract));
    const heard = first(subscribe(client).news());
    await client.run('by port');
    await client.tell('news');
    expect(await heard).toBe('news');
    expect(await client.runs()).toEqual(['by port']);
    client.close();
  });
  expect(await env.HIBERNATING.getByName('by port').runs()).toEqual(['by port']);
});
