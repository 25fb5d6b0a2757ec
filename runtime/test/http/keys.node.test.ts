/** The header Idempotency-Key makes a call run once, even if it is sent several times. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { until } from '../../../harness/waiting.mjs';
import { type Answer, ask, post, serve } from './serve.ts';

const worker = await serve();

const KEY = 'Idempotency-Key';
const REPLAYED = 'Idempotency-Replayed';

/** Sends a POST with a key. */
function keyed(
  path: string,
  body: unknown,
  key: string = randomUUID(),
  headers: Record<string, string> = {},
): Promise<Answer> {
  return post(worker, path, body, { [KEY]: key, ...headers });
}

async function runsOf(instance: string): Promise<unknown> {
  return (await ask(worker, `SHOP/${instance}/runs`)).body;
}

/** True if an answer is the answer of an earlier request. */
function isReplayed({ headers }: Answer): boolean {
  return headers.get(REPLAYED) === 'true';
}

test('a repetition gets the answer of the first request', async () => {
  const key = randomUUID();
  const first = await keyed('SHOP/once/increment', [2], key);
  expect(first).toMatchObject({ status: 200, body: 2 });
  expect(first.headers.has(REPLAYED)).toBe(false);
  for (const body of [[2], { by: 2 }]) {
    const again = await keyed('SHOP/once/increment', body, key);
    expect(again).toMatchObject({ status: 200, body: 2 });
    expect(isReplayed(again)).toBe(true);
  }
  expect((await keyed('SHOP/once/increment', [2])).body).toBe(4);
  expect(await runsOf('once')).toHaveLength(2);
});

test('the order of properties does not matter', async () => {
  const key = randomUUID();
  const order = { sku: 'a', amount: 2 };
  expect((await keyed('SHOP/order/buy', order, key)).body).toEqual([1, order]);
  const again = await keyed('SHOP/order/buy', [{ amount: 2, sku: 'a' }], key);
  expect(again.body).toEqual([1, order]);
  expect(isReplayed(again)).toBe(true);
});

test.each<[string, string, unknown, number]>([
  ['no result', 'nothing', [], 204],
  ['an error', 'fail', ['range'], 500],
  ['an error with a code', 'fail', ['rpc'], 403],
  ['an error that says to come again', 'fail', ['busy'], 503],
  ['a text that is thrown', 'fail', ['a text'], 500],
])('%s is repeated', async (name, method, body, status) => {
  const key = randomUUID();
  const first = await keyed(`SHOP/${name}/${method}`, body, key);
  expect(first.status).toBe(status);
  expect(isReplayed(first)).toBe(false);
  const again = await keyed(`SHOP/${name}/${method}`, body, key);
  expect(again).toMatchObject({ status, body: first.body });
  expect(isReplayed(again)).toBe(true);
  expect(await runsOf(name)).toHaveLength(1);
});

test.each<[string, string, unknown]>([
  ['other arguments', 'increment', [3]],
  ['no arguments', 'increment', []],
  ['another method', 'nothing', []],
])('the same key with %s is rejected', async (name, method, body) => {
  const key = randomUUID();
  await keyed(`SHOP/${name}/increment`, [2], key);
  const other = await keyed(`SHOP/${name}/${method}`, body, key);
  expect(other).toMatchObject({ status: 422, body: { status: 422, code: 'BAD_MESSAGE' } });
  expect((await keyed(`SHOP/${name}/increment`, [2], key)).body).toBe(2);
  expect(await runsOf(name)).toEqual([['increment', 2]]);
});

test('a repetition waits for the first request while it runs', async () => {
  const key = randomUUID();
  const first = keyed('SHOP/waiting/hold', ['gate'], key);
  const client = worker.connect('waiting', { transport: 'http' });
  await until(() => client.isHolding('gate'));
  const others = [1, 2].map(() => keyed('SHOP/waiting/hold', ['gate'], key));
  const different = await keyed('SHOP/waiting/hold', ['other'], key);
  expect(different.status).toBe(422);
  expect(await client.release('gate')).toBe(true);
  expect(await first).toMatchObject({ status: 200, body: 1 });
  for (const other of await Promise.all(others)) {
    expect(other.body).toBe(1);
    expect(isReplayed(other)).toBe(true);
  }
  expect(await runsOf('waiting')).toEqual([['hold', 'gate']]);
});

test('a repetition waits for the first request, even if its caller has gone', async () => {
  const key = randomUUID();
  const gone = new AbortController();
  const first = ask(worker, 'SHOP/gone/hold', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [KEY]: key },
    body: '["gate"]',
    signal: gone.signal,
  });
  const client = worker.connect('gone', { transport: 'http' });
  await until(() => client.isHolding('gate'));
  gone.abort();
  await expect(first).rejects.toThrow();
  const again = keyed('SHOP/gone/hold', ['gate'], key);
  expect(await client.release('gate')).toBe(true);
  expect(await again).toMatchObject({ status: 200, body: 1 });
  expect(await runsOf('gone')).toHaveLength(1);
});

describe('a kill', () => {
  test('keeps the answers', async () => {
    const key = randomUUID();
    expect((await keyed('SHOP/kept/increment', [5], key)).body).toBe(5);
    await worker.restart();
    const again = await keyed('SHOP/kept/increment', [5], key);
    expect(again.body).toBe(5);
    expect(isReplayed(again)).toBe(true);
    expect((await keyed('SHOP/kept/increment', [6], key)).status).toBe(422);
  });

  test('of a call that had begun: it may have run, and never runs again', async () => {
    const key = randomUUID();
    const first = keyed('SHOP/lost/hold', ['gate'], key).catch(() => undefined);
    const client = worker.connect('lost', { transport: 'http' });
    await until(() => client.isHolding('gate'));
    // The object has stored that the call has begun.
    await client.runs();
    client.close();
    await worker.restart();
    await first;
    for (let time = 0; time < 2; time++) {
      const again = await keyed('SHOP/lost/hold', ['gate'], key);
      expect(again).toMatchObject({
        status: 503,
        body: { code: 'DISCONNECTED', maybeExecuted: true },
      });
    }
    expect(await runsOf('lost')).toHaveLength(1);
  });
});

test('an answer outlives its method, and an unlisted method never runs', async () => {
  const send = (prefix: string, key: string, body: unknown): Promise<Answer> =>
    ask(
      worker,
      'SHOP/removed/increment',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', [KEY]: key },
        body: JSON.stringify(body),
      },
      prefix,
    );
  const key = randomUUID();
  expect((await send('/__rpc', key, [3])).body).toBe(3);
  const again = await send('/smaller', key, [3]);
  expect(again).toMatchObject({ status: 200, body: 3 });
  expect(isReplayed(again)).toBe(true);
  for (const other of [key, randomUUID()]) {
    expect(await send('/smaller', other, [4])).toMatchObject({
      status: 404,
      body: { code: 'METHOD_NOT_FOUND', detail: 'The contract lists no method increment' },
    });
  }
  expect(await runsOf('removed')).toEqual([['increment', 3]]);
});

describe('a key stays free', () => {
  test.each<[string, (key: string) => Promise<Answer>, number]>([
    ['after invalid arguments', (key) => keyed('SHOP/free/increment', [0], key), 400],
    ['after too many arguments', (key) => keyed('SHOP/free/increment', [1, 2], key), 400],
    [
      'after a body that is not JSON',
      (key) =>
        ask(worker, 'SHOP/free/increment', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', [KEY]: key },
          body: '[1',
        }),
      400,
    ],
    ['after an unlisted method', (key) => keyed('SHOP/free/secret', [], key), 404],
    [
      'after an answer in another type',
      (key) => keyed('SHOP/free/nothing', [], key, { Accept: 'text/html' }),
      406,
    ],
    ['after a read', (key) => keyed('SHOP/free/getValue', [], key), 200],
  ])('%s', async (name, send, status) => {
    const key = `${name.replaceAll(' ', '-')}-${randomUUID()}`;
    expect((await send(key)).status).toBe(status);
    const then = await keyed('SHOP/free/increment', [1], key);
    expect(then.status).toBe(200);
    expect(isReplayed(then)).toBe(false);
  });
});

test('reads ignore keys', async () => {
  const key = randomUUID();
  expect((await keyed('SHOP/reads/getValue', [], key)).body).toBe(0);
  await keyed('SHOP/reads/increment', [1]);
  const again = await keyed('SHOP/reads/getValue', [], key);
  expect(again.body).toBe(1);
  expect(isReplayed(again)).toBe(false);
  const headers = { [KEY]: 'no valid key' };
  expect((await ask(worker, 'SHOP/reads/getValue', { headers })).status).toBe(200);
});

describe('callers', () => {
  const as = (user: string): Record<string, string> => ({ Authorization: `Bearer ${user}` });

  test('have keys of their own', async () => {
    for (const user of ['ada', 'bob']) {
      const answer = await keyed('SHOP/users/changeAsCaller', [], 'a', as(user));
      expect(answer.body).toEqual({ user });
      expect(isReplayed(answer)).toBe(false);
    }
    const again = await keyed('SHOP/users/changeAsCaller', [], 'a', as('ada'));
    expect(again.body).toEqual({ user: 'ada' });
    expect(isReplayed(again)).toBe(true);
    // An identity and a key that form the same text together are still different.
    const other = await keyed('SHOP/users/changeAsCaller', [], 'aa', as('ad'));
    expect(isReplayed(other)).toBe(false);
  });

  test('do not learn keys by the ids of clients', async () => {
    const key = randomUUID();
    await keyed('SHOP/clients/increment', [1], key);
    for (const client of [key, `key.${key}`]) {
      const answer = await post(worker, 'SHOP/clients/call', 0, { 'lumenize-rpc-client': client });
      expect(answer.body).not.toContainEqual([1, 1]);
    }
  });
});

test.each<[string, string, number]>([
  ['a short key without a caller', 'a'.repeat(21), 400],
  ['a key of the minimum length', randomUUID().slice(0, 22), 200],
  ['a long key', randomUUID() + 'a'.repeat(255 - 36), 200],
  ['a key that is too long', 'a'.repeat(256), 400],
  ['a key with a space', `${randomUUID()} a`, 400],
  ['a key with an umlaut', `${randomUUID()}ä`, 400],
  ['an empty key', '', 400],
])('the header accepts or rejects %s', async (name, key, status) => {
  expect((await keyed(`SHOP/key ${name}/increment`, [1], key)).status).toBe(status);
});

test('an object that stores no answers rejects keys', async () => {
  expect(await keyed('UNJOURNALED/x/increment', [1])).toMatchObject({
    status: 501,
    body: { code: 'UNSUPPORTED' },
  });
  expect((await ask(worker, 'UNJOURNALED/x/runs')).body).toEqual([]);
  expect((await post(worker, 'UNJOURNALED/x/increment', [1])).body).toBe(1);
});
