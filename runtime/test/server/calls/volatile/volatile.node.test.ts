/** Volatile methods store nothing of their calls, and no call runs twice. */
import { beforeEach, describe, expect, test } from 'vitest';
import { subscribe } from '../../../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../../../harness/network-proxy.ts';
import { until } from '../../../../../harness/waiting.mjs';
import { failureOf } from '../../../support/failure-of.ts';
import { type Client, serve } from './serve.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(async () => {
  instance = `room ${++instances}`;
  await worker.start();
});

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  test('calls write no row', async () => {
    using client = worker.connect(instance, { transport });
    await client.note('a');
    const before = await client.rowsWritten();
    for (let at = 1; at <= 20; at++) expect(await client.move(at)).toBe(at);
    await Promise.all(Array.from({ length: 200 }, (_, at) => client.move(at)));
    await Promise.all([client.moveLater(1, 'a'), client.openGate('a')]);
    expect(await client.moveAlong([])).toBe(221);
    await expect(client.fail()).rejects.toThrow('no such place');
    await failureOf(client.move('far' as never));
    expect(await client.rowsWritten()).toBe(before);
    // Other calls of the client are stored as usual.
    await client.note('b');
    expect(await client.rowsWritten()).toBeGreaterThan(before);
  });
});

test('a call that was made while the client was not connected runs once', async () => {
  using watched = worker.watch(instance);
  const { client } = watched;
  await client.path();
  await worker.kill();
  await watched.next('reconnecting');
  const call = client.move(7);
  await watched.next('reconnecting');
  await worker.start();
  expect(await call).toBe(1);
  expect(await client.path()).toEqual([7]);
});

test('over HTTP, a call rejects if its request fails, because it may have arrived', async () => {
  using client = worker.connect(instance, { transport: 'http' });
  await worker.kill();
  const failure = failureOf(client.move(7));
  await worker.start();
  expect(await failure).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
  expect(await client.path()).toEqual([]);
});

/** Prepares calls that are on their way when the connection is lost. */
const CALLS: Record<string, (client: Client) => Promise<() => Promise<unknown>>> = {
  'a call': async (client) => () => client.move(1),
  'an asynchronous call': async (client) => () => client.moveLater(1, 'open'),
  'a call that takes a result': async (client) => () => client.move(client.rowsWritten()),
  'a call of a capability': async (client) => {
    const desk = await client.desk();
    return () => desk.point(1);
  },
  'a call of a capability in the same frame': async (client) => () => client.desk().point(1),
};

describe.each(Object.entries(CALLS))('%s', (_, prepare) => {
  test('whose answer is lost rejects, and does not run again', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using client = worker.connect(instance, { baseUrl: proxy.url });
    using other = worker.connect(instance);
    await other.openGate('open');
    const call = await prepare(client);
    await client.path();
    proxy.silence('down');
    const failure = failureOf(call());
    await until(async () => (await other.path()).length === 1);
    proxy.cutAll('reset');
    proxy.resume();
    expect(await failure).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    expect(await other.path()).toHaveLength(1);
    expect(await client.move(2)).toBe(2);
    proxy.close();
  });

  test('that was lost with the memory of the object rejects, and does not run again', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using client = worker.connect(instance, { baseUrl: proxy.url });
    using other = worker.connect(instance);
    await other.openGate('open');
    const call = await prepare(client);
    await client.path();
    proxy.silence('down');
    const failure = failureOf(call());
    await until(async () => (await other.path()).length === 1);
    await worker.restart();
    proxy.port = worker.runtime.port;
    proxy.cutAll('reset');
    proxy.resume();
    expect(await failure).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    expect(await other.path()).toEqual([]);
    proxy.close();
  });
});

test('a connection at its limit of calls says that a repeated call may have run', async () => {
  using raw = await worker.raw(instance, { binding: 'RATED' });
  await raw.ask('[1,"move",[1]]');
  const answer = await raw.ask('["resent",2,0],[2,"move",[1]]');
  expect(answer).toMatch(/DISCONNECTED.*"maybeExecuted",?.*true/);
});

describe('a live value in memory', () => {
  test('is sent when a call has changed it', async () => {
    using client = worker.connect(instance);
    using other = worker.connect(instance, { transport: 'http' });
    const places = subscribe(client).place()[Symbol.asyncIterator]();
    expect((await places.next()).value).toBe(0);
    await other.move(5);
    expect((await places.next()).value).toBe(5);
    await Promise.all([other.moveLater(6, 'a'), client.openGate('a')]);
    expect((await places.next()).value).toBe(6);
  });
});

describe('by plain HTTP', () => {
  const ask = (method: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${worker.runtime.url}/__rpc/ROOM/${encodeURIComponent(instance)}/move`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(method === 'POST' && { body: '[4]' }),
    });

  test('it is called only by POST, because it changes something', async () => {
    expect(await (await ask('POST')).json()).toBe(1);
    const response = await ask('GET');
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('it accepts no key, because no answer is stored for a repetition', async () => {
    const response = await ask('POST', { 'Idempotency-Key': crypto.randomUUID() });
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      code: 'UNSUPPORTED',
      detail: 'move is volatile: leave out the header Idempotency-Key',
    });
    using client = worker.connect(instance);
    expect(await client.path()).toEqual([]);
  });

  test('the API document says so', async () => {
    const response = await fetch(`${worker.runtime.url}/__rpc/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, { post: object }> };
    const pathOf = (method: string) => paths[`/__rpc/ROOM/{instance}/${method}`]?.post;
    expect(JSON.stringify(pathOf('note'))).toContain('idempotencyKey');
    expect(JSON.stringify(pathOf('move'))).not.toContain('idempotencyKey');
    expect(pathOf('move')).toMatchObject({ operationId: 'ROOM_move' });
  });
});
