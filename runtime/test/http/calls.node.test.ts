/** Calls by plain HTTP: where arguments are, how results and errors are written, and which requests are rejected. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createRpcClient } from '../../src/client.ts';
import { HTTP_STATUS } from '../../src/wire/status.ts';
import { ask, post, serve } from './serve.ts';
import { VALUES } from './values.ts';
import type { Shop } from './worker.ts';

const worker = await serve();

const PROBLEM = 'application/problem+json';

test('a method is called by a POST, and read by a GET', async () => {
  expect(await post(worker, 'SHOP/first/increment', [2])).toMatchObject({
    status: 200,
    type: 'application/json',
    body: 2,
  });
  expect((await ask(worker, 'SHOP/first/increment', { method: 'POST' })).body).toBe(3);
  expect((await ask(worker, 'SHOP/first/getValue')).body).toBe(3);
  expect((await ask(worker, 'shop/first/getValue')).body).toBe(3);
  expect((await ask(worker, 'SHOP/first/getValue', { method: 'POST' })).body).toBe(3);
  expect((await ask(worker, 'SHOP/second/getValue')).body).toBe(0);
});

test('both routers respond for their paths, in either order', async () => {
  for (const prefix of ['/__rpc', '/other-order']) {
    const client = createRpcClient<Shop>('SHOP', 'orders', {
      baseUrl: worker.runtime.url,
      prefix,
      transport: 'http',
    });
    const before = await client.getValue();
    expect(await client.increment(1)).toBe(before + 1);
    expect((await ask(worker, 'SHOP/orders/getValue', {}, prefix)).body).toBe(before + 1);
    expect(await ask(worker, 'HIDDEN/orders/getValue', {}, prefix)).toMatchObject({ status: 404 });
    client.close();
  }
});

describe('arguments', () => {
  test.each<[string, string, unknown, unknown]>([
    ['a list', 'ship', ['Rome', true, 'soon'], ['Rome', true, 'soon']],
    ['a shorter list', 'ship', ['Rome'], ['Rome', false, null]],
    ['an object by names', 'ship', { to: 'Rome', express: true }, ['Rome', true, null]],
    ['an object with a gap', 'ship', { note: 'soon', to: 'Rome' }, ['Rome', false, 'soon']],
    ['an empty object', 'increment', {}, 1],
    ['the one object', 'check', { sku: 'a' }, { sku: 'a' }],
    ['a list of the one object', 'check', [{ sku: 'a', amount: 2 }], { sku: 'a', amount: 2 }],
    ['the one object of another library', 'sized', { size: 5 }, 5],
    ['a text that the schema transforms', 'parse', ['2020-01-02'], '2020-01-02T00:00:00.000Z'],
    ['a list with digits', 'pair', ['12345678', 5], ['12345678', 5]],
  ])('in the body: %s', async (name, method, body, result) => {
    expect(await post(worker, `SHOP/body ${name}/${method}`, body)).toMatchObject({
      status: 200,
      body: result,
    });
  });

  test.each<[string, string, unknown]>([
    ['search?text=5&limit=5&isExact=true', 'texts and JSON', ['5', 5, true, null]],
    ['search?text=a%26b&tags=%5B%22x%22%5D', 'a list', ['a&b', null, null, ['x']]],
    ['search?text=', 'an empty text', ['', null, null, null]],
    ['search?args=%5B%22a%22,1%5D', 'args', ['a', 1, null, null]],
    ['search?input=%7B%22text%22:%22a%22%7D', 'input by names', ['a', null, null, null]],
    ['check?sku=5&amount=5', 'the properties of the one object', { sku: '5', amount: 5 }],
    ['check?input=%7B%22sku%22:%22a%22%7D', 'input as the one object', { sku: 'a' }],
    ['sized?size=5', 'the properties of another library', 5],
    ['sized?input=%7B%22size%22:5%7D', 'input of another library', 5],
    ['pair?args=%5B%22a%22,1%5D', 'args without names', ['a', 1]],
    ['parse?args=%5B%222020-01-02%22%5D', 'a text', '2020-01-02T00:00:00.000Z'],
  ])('in the query %s: %s', async (path, _, result) => {
    expect(await ask(worker, `SHOP/query/${path}`)).toMatchObject({ status: 200, body: result });
  });

  test.each<[string, number, string, string]>([
    [
      'search?text=a&text=b',
      400,
      'BAD_MESSAGE',
      'The query has text twice: send each argument once',
    ],
    ['search?word=a', 400, 'BAD_MESSAGE', 'There is no argument "word": use text, limit'],
    ['search?text=a&limit=x', 400, 'BAD_MESSAGE', 'limit is not JSON'],
    ['search?args=5', 400, 'BAD_MESSAGE', 'args must be a JSON list of the arguments'],
    ['search?input=5', 400, 'BAD_MESSAGE', 'input must be a JSON object'],
    ['search?args=[]&text=a', 400, 'BAD_MESSAGE', 'There is no argument "args"'],
    ['search?args=[', 400, 'BAD_MESSAGE', 'args is not JSON'],
    ['search?args=[]', 400, 'INVALID_ARGUMENTS', 'text'],
    ['pair?first=a', 400, 'BAD_MESSAGE', 'no names'],
    ['check?input={"sku":5}', 400, 'INVALID_ARGUMENTS', 'sku'],
    ['check?__proto__=5', 400, 'BAD_MESSAGE', 'There is no argument "__proto__"'],
    ['getValue?a=1', 400, 'BAD_MESSAGE', 'There is no argument "a": use none'],
  ])('the query %s is rejected', async (path, status, code, detail) => {
    const answer = await ask(worker, `SHOP/query/${path}`);
    expect(answer).toMatchObject({ status, type: PROBLEM, body: { status, code, title: code } });
    expect((answer.body as { detail: string }).detail).toContain(detail);
  });
});

describe('results', () => {
  test.each(Object.entries(VALUES))('%s', async (name, { json }) => {
    const answer = await post(worker, 'SHOP/values/value', [name]);
    if (json === undefined) expect(answer).toMatchObject({ status: 204, body: '' });
    else expect(answer).toMatchObject({ status: 200, type: 'application/json', body: json });
  });
});

describe('errors', () => {
  test.each<[string, { status: number } & Record<string, unknown>]>([
    ['range', { status: 500, title: 'RangeError', detail: 'It is out of range' }],
    ['code', { status: 500, title: 'Error', detail: 'It is sold out', code: 'SOLD_OUT' }],
    ['rpc', { status: 403, code: 'FORBIDDEN', detail: 'It is not yours', path: '.owner' }],
    ['busy', { status: 503, code: 'UNAVAILABLE' }],
    ['unknown', { status: 500, code: '__proto__' }],
    ['a text', { status: 500, detail: 'a text' }],
  ])('that the method throws: %s', async (name, problem) => {
    const answer = await post(worker, 'SHOP/errors/fail', [name]);
    expect(answer).toMatchObject({ type: PROBLEM, status: problem.status, body: problem });
    expect(answer.headers.get('Retry-After')).toBe(name === 'busy' ? '1' : null);
    expect(answer.body).not.toHaveProperty('stack');
  });

  test('of arguments have the path, and no method has run', async () => {
    expect((await post(worker, 'SHOP/invalid/buy', { sku: 5 })).body).toMatchObject({
      status: HTTP_STATUS.INVALID_ARGUMENTS,
      code: 'INVALID_ARGUMENTS',
      path: '[0].sku',
    });
    expect((await post(worker, 'SHOP/invalid/increment', [1, 2])).status).toBe(400);
    expect((await ask(worker, 'SHOP/invalid/runs')).body).toEqual([]);
  });

  test.each<[string, string, RequestInit, number, Record<string, string | null>]>([
    ['an unlisted method', 'SHOP/x/secret', {}, 404, {}],
    ['a method that each object has', 'SHOP/x/toString', {}, 404, {}],
    ['the method of the door', 'SHOP/x/__rpcFrame', {}, 404, {}],
    ['a longer path', 'SHOP/x/getValue/more', {}, 404, {}],
    ['a malformed segment', 'SHOP/x/%FF', {}, 404, {}],
    ['a malformed instance', 'SHOP/%FF/getValue', {}, 400, {}],
    ['no instance', 'SHOP//getValue', {}, 400, {}],
    ['an instance of the library', 'SHOP/__rpc-relay/getValue', {}, 400, {}],
    ['an id of another class', `SHOP/${'0'.repeat(64)}/getValue`, {}, 400, {}],
    ['a class that is not wrapped', 'BARE/x/getValue', {}, 500, {}],
    ['an object of another class', 'OTHER/x/getValue', {}, 501, {}],
    [
      'a GET of a method that changes the object',
      'SHOP/x/increment',
      {},
      405,
      { Allow: 'POST, OPTIONS' },
    ],
    ['PUT', 'SHOP/x/getValue', { method: 'PUT' }, 405, { Allow: 'GET, HEAD, POST, OPTIONS' }],
    ['a POST of a feed', 'SHOP/x/news', { method: 'POST' }, 405, { Allow: 'GET, HEAD, OPTIONS' }],
    ['a GET of a feed', 'SHOP/x/news', {}, 406, {}],
    ['another type', 'SHOP/x/getValue', { headers: { Accept: 'text/html' } }, 406, {}],
    [
      'JSON with the weight 0',
      'SHOP/x/getValue',
      { headers: { Accept: 'application/json;q=0, text/html' } },
      406,
      {},
    ],
  ])('for %s', async (_, path, init, status, headers) => {
    const answer = await ask(worker, path, init);
    expect(answer).toMatchObject({ status, type: PROBLEM, body: { status } });
    for (const [name, value] of Object.entries(headers)) {
      expect(answer.headers.get(name)).toBe(value);
    }
  });

  test.each<[string, RequestInit, number]>([
    ['another type', { headers: { 'Content-Type': 'text/plain' }, body: '[1]' }, 415],
    ['a form', { body: new URLSearchParams({ by: '1' }) }, 415],
    ['a body without a type', { body: new Uint8Array([91, 93]) }, 415],
    [
      'another charset',
      { headers: { 'Content-Type': 'application/json; charset=latin1' }, body: '[1]' },
      415,
    ],
    [
      'an encoding',
      { headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, body: '[1]' },
      415,
    ],
    [
      'no UTF-8',
      {
        headers: { 'Content-Type': 'application/json' },
        body: new Uint8Array([91, 34, 255, 34, 93]),
      },
      415,
    ],
    ['no JSON', { headers: { 'Content-Type': 'application/json' }, body: '[1' }, 400],
    ['a number', { headers: { 'Content-Type': 'application/json' }, body: '1' }, 400],
    [
      'two frames',
      { headers: { 'Content-Type': 'application/json' }, body: '[1]],[2,"nothing"' },
      400,
    ],
    ['nothing', { headers: { 'Content-Type': 'application/json' }, body: '' }, 400],
    [
      'too much',
      { headers: { 'Content-Type': 'application/json' }, body: `["${'a'.repeat(400_000)}"]` },
      413,
    ],
    [
      'too much for a frame',
      { headers: { 'Content-Type': 'application/json' }, body: `["${'a'.repeat(100_000)}"]` },
      413,
    ],
  ])('for a body with %s', async (name, init, status) => {
    const path = `SHOP/${name}`;
    const answer = await ask(worker, `${path}/increment`, { method: 'POST', ...init });
    expect(answer).toMatchObject({ status, type: PROBLEM, body: { status } });
    expect((await ask(worker, `${path}/runs`)).body).toEqual([]);
  });

  test('for a POST with a query', async () => {
    const answer = await ask(worker, 'SHOP/x/increment?by=5', { method: 'POST' });
    expect(answer.status).toBe(400);
  });
});

test.each(['*/*', 'application/*', 'text/html, application/json;q=0.1', 'Application/JSON'])(
  'the header Accept can be %s',
  async (Accept) => {
    expect((await ask(worker, 'SHOP/x/getValue', { headers: { Accept } })).status).toBe(200);
  },
);

test('HEAD and OPTIONS do not run a method that changes the object', async () => {
  expect(await ask(worker, 'SHOP/head/getValue', { method: 'HEAD' })).toMatchObject({
    status: 200,
  });
  expect(await ask(worker, 'SHOP/head/increment', { method: 'HEAD' })).toMatchObject({
    status: 405,
  });
  const options = await ask(worker, 'SHOP/head/increment', { method: 'OPTIONS' });
  expect(options.status).toBe(204);
  expect(options.headers.get('Allow')).toBe('POST, OPTIONS');
  expect((await ask(worker, 'SHOP/head/runs')).body).toEqual([]);
});

describe('hooks and origins', () => {
  const authorized = (user: string): RequestInit => ({
    headers: { Authorization: `Bearer ${user}` },
  });

  test('only a hook can set the caller', async () => {
    expect((await ask(worker, 'SHOP/x/caller', authorized('ada'))).body).toEqual({ user: 'ada' });
    expect((await ask(worker, 'SHOP/x/caller')).body).toBeNull();
    const headers = { lumenizeRpcCaller: '{"user":"eve"}', 'lumenize-rpc-client': 'eve' };
    expect((await ask(worker, 'SHOP/x/caller', { headers })).body).toBeNull();
  });

  test('a hook can reject', async () => {
    const answer = await ask(worker, 'SHOP/x/getValue', authorized('nobody'));
    expect(answer).toMatchObject({ status: 401, body: 'No' });
    const broken = await ask(worker, 'SHOP/x/getValue', authorized('broken'));
    expect(broken).toMatchObject({ status: 500, type: PROBLEM });
    // The hook rejects before the names of methods are known.
    expect((await ask(worker, 'SHOP/x/secret', authorized('nobody'))).status).toBe(401);
  });

  test('a probe and an upgrade do not bypass the hook of requests', async () => {
    const probe = { 'lumenize-rpc-probe': 'lumenize-rpc.1', Authorization: 'Bearer nobody' };
    expect((await post(worker, 'SHOP/probe/increment', [1], probe)).status).toBe(400);
    const url = `${worker.runtime.url}/__rpc/SHOP/probe/getValue`.replace('http', 'ws');
    const [event] = (await once(new WebSocket(url, 'lumenize-rpc.1'), 'error')) as [ErrorEvent];
    expect(event.type).toBe('error');
    expect((await ask(worker, 'SHOP/probe/runs')).body).toEqual([]);
  });

  test('a page of an allowed origin can read answers', async () => {
    const Origin = 'https://friend.example';
    const asked = 'authorization, idempotency-key, last-event-id, traceparent';
    const preflight = await ask(worker, 'SHOP/x/increment', {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': asked,
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('GET, POST');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe(asked);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    const answer = await ask(worker, 'SHOP/x/getValue', { headers: { Origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('Idempotency-Replayed');
  });

  test.each<[string, Record<string, string>]>([
    ['a page of another origin', { Origin: 'https://evil.example' }],
    ['a page without an origin', { Origin: 'null' }],
    ['a form of another site', { 'Sec-Fetch-Site': 'cross-site', Cookie: 'session=1' }],
    ['a link with a login', { 'Sec-Fetch-Site': 'cross-site', Authorization: 'Basic YTpi' }],
  ])('%s is rejected by both routers', async (name, headers) => {
    const answer = await ask(worker, `SHOP/${name}/increment`, { method: 'POST', headers });
    expect(answer).toMatchObject({ status: 403, type: PROBLEM, body: { code: 'FORBIDDEN' } });
    const call = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
    const body = '[[1,"increment"]]';
    expect((await ask(worker, `SHOP/${name}/call`, { ...call, body })).status).toBe(403);
    expect((await ask(worker, `SHOP/${name}/runs`)).body).toEqual([]);
  });

  test('a link of another site without a cookie is answered', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await ask(worker, 'SHOP/x/getValue', { headers })).status).toBe(200);
  });
});
