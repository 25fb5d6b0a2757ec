/**
 * Tests the memory that an object holds for its clients, over real sockets and POSTs: which client
 * is refused, and which is closed.
 */
import { expect, test } from 'vitest';
import { TestWorker } from '../../support/test-worker.ts';
import type { Store } from './worker.ts';

const worker = await TestWorker.forTests<Store, 'STORE'>(import.meta.dirname, { STORE: 'Store' });

const text = (length: number): string => 'x'.repeat(length);

function post(instance: string, body: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  const url = `${worker.runtime.url}/__rpc/STORE/${instance}/call`;
  return fetch(url, { method: 'POST', headers, body });
}

test('further calls of a client at its limit are rejected before they run', async () => {
  using client = worker.connect('one');
  const held = [client.hold(text(320_000))];
  await client.one();
  held.push(client.hold(text(270_000)));
  await client.one();
  held.push(client.hold(text(20_000)));
  await client.one().catch(() => {});
  await expect(client.add()).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'memoryPerClient is at most 600000',
  });
  using other = worker.connect('one');
  await other.open();
  expect(await Promise.all(held)).toEqual([320_000, 270_000, 20_000]);
  // The rejected call did not run, and there is room again.
  expect(await client.add()).toBe(1);
});

test('a POST for which the object has no room gets 503, and is answered later', async () => {
  using one = worker.connect('full');
  using two = worker.connect('full');
  const held = [one.hold(text(420_000)), two.hold(text(420_000))];
  await one.one();
  await two.one();
  const body = `[[1,"hold",["${text(200_000)}"]]]`;
  const refused = await post('full', body);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect(await refused.text()).toContain('limits.memoryPerObject');
  // Small calls go on.
  const small = await post('full', '[[1,"add"]]');
  expect(await small.text()).toBe('[[1,1]]');
  await one.open();
  expect(await Promise.all(held)).toEqual([420_000, 420_000]);
  expect(await (await post('full', body)).text()).toBe('[[1,200000]]');
});

test('the client that holds most is closed, connects again, and its calls run once', async () => {
  using raw = await worker.raw('most');
  // The client sends half of a frame in pieces, and stops.
  for (let piece = 0; piece < 4; piece++) {
    raw.send('\x02');
    raw.send(text(131_072));
  }
  using client = worker.connect('most');
  // Two clients that hold less ask for more than is left.
  using other = worker.connect('most');
  const held = [client.hold(text(250_000)), other.hold(text(250_000))];
  await client.one();
  await other.one();
  await expect.poll(() => raw.closed).toBe(1013);
  expect(await client.add()).toBe(1);
  await client.open();
  expect(await Promise.all(held)).toEqual([250_000, 250_000]);
});

test.each([70_000, 200_000, 499_000])(
  'a response of %i characters is held until it is read',
  async (length) => {
    const response = await post('response', `[[1,"text",[${length}]]]`);
    const answer = (await response.json()) as [number, string][];
    expect(answer[0]?.[1]).toHaveLength(length);
    // Nothing of the response is held any more.
    using client = worker.connect('response');
    expect(await client.text(499_000)).toHaveLength(499_000);
  },
);

test('many unread responses do not keep other clients from being served', async () => {
  const unread = Array.from({ length: 30 }, () => post('unread', '[[1,"text",[200000]]]'));
  // The responses that hold most end, or do not begin.
  const responses = await Promise.allSettled(unread);
  using client = worker.connect('unread');
  for (let call = 1; call <= 20; call++) expect(await client.add()).toBe(call);
  expect(await client.text(300_000)).toHaveLength(300_000);
  for (const { value } of responses as PromiseFulfilledResult<Response>[]) {
    void value?.body?.cancel().catch(() => {});
  }
});

test.each([
  ['a connection', {}],
  ['POSTs', { transport: 'http' as const }],
])(
  'a result that takes most of the memory is rejected, and not requested again: %s',
  async (_, options) => {
    using client = worker.connect('large', options);
    await expect(client.text(600_000)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'the size of a result (half of limits.memoryPerObject) is at most 500000',
    });
    expect(await client.one()).toBe(1);
  },
);
