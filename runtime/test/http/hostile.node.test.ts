/** Requests of strangers: they call only listed methods, set no caller, and store nothing. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { until } from '../../../harness/waiting.mjs';
import { ask, post, serve } from './serve.ts';

const worker = await serve();

/** The limit of the objects, in characters. */
const FRAME = 100_000;

const KEY = 'Idempotency-Key';
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Returns the runs of an object. */
async function runsOf(instance: string): Promise<unknown> {
  return (await ask(worker, `SHOP/${instance}/runs`)).body;
}

/** Returns the code of a problem. */
function codeOf(body: unknown): unknown {
  return (body as { code?: unknown }).code;
}

describe('a name', () => {
  test.each(
    [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'fetch',
      'alarm',
      'webSocketMessage',
      'ctx',
      'env',
      'secret',
      'call%00',
      'mcp',
      '__rpcFrame',
      '%E2%80%AE',
      'increment%2F',
      ' increment',
      'INCREMENT',
    ].flatMap((name) => [
      [name, 'a POST', undefined] as const,
      [name, 'a POST with a key', randomUUID()] as const,
    ]),
  )('%s is not a method: %s', async (name, _, key) => {
    const instance = `named ${name} ${key === undefined}`;
    const headers: Record<string, string> = key === undefined ? {} : { [KEY]: key };
    const answer = await post(worker, `SHOP/${encodeURIComponent(instance)}/${name}`, [], headers);
    expect(answer).toMatchObject({ status: 404, type: 'application/problem+json' });
    expect(await runsOf(encodeURIComponent(instance))).toEqual([]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'HIDDEN', 'classes', 'SHOP.', '*'])(
    '%s is not a binding',
    async (name) => {
      const answer = await ask(worker, `${name}/x/getValue`);
      expect(answer.status).toBe(404);
    },
  );
});

describe('a body', () => {
  /** Each body, and the code with which a method that takes a number rejects it. */
  const BODIES: [string, string, string][] = [
    ['nested deeply', nested(40_000), 'LIMIT_EXCEEDED'],
    ['of brackets', '['.repeat(90_000), 'BAD_MESSAGE'],
    ['that closes the frame', '[1]],[2,"nothing"', 'BAD_MESSAGE'],
    ['that closes the list', '[1],[2]', 'BAD_MESSAGE'],
    ['of two values', '[1] [2]', 'BAD_MESSAGE'],
    ['with the form of a message', '["rich",[]]', 'INVALID_ARGUMENTS'],
    ['with a number that JSON lacks', '[NaN]', 'BAD_MESSAGE'],
    ['with a prototype', '[{"__proto__":{"sku":"a"}}]', 'BAD_MESSAGE'],
    ['with a prototype for names', '{"__proto__":{"sku":"a"}}', 'BAD_MESSAGE'],
    ['with many values', `[[${'0,'.repeat(40_000)}0]]`, 'INVALID_ARGUMENTS'],
    ['of too many arguments', `[${'0,'.repeat(40_000)}0]`, 'LIMIT_EXCEEDED'],
  ];

  test.each(BODIES)('%s runs nothing', async (name, body, code) => {
    const send = async (method: string, own: Record<string, string>): Promise<unknown> => {
      const headers = { 'Content-Type': 'application/json', ...own };
      const path = `SHOP/body ${name}/${method}`;
      const answer = await ask(worker, path, { method: 'POST', headers, body });
      // These statuses are not errors of the server.
      expect([400, 429]).toContain(answer.status);
      return codeOf(answer.body);
    };
    expect(await send('increment', {})).toBe(code);
    await send('increment', { [KEY]: randomUUID() });
    await send('buy', {});
    await send('buy', { [KEY]: randomUUID() });
    expect(await runsOf(`body ${name}`)).toEqual([]);
  });

  test('with names that every object has is rejected', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const answer = await ask(worker, `SHOP/unknown/ship`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"to":"Rome",${JSON.stringify(name)}:1}`,
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_MESSAGE' } });
    }
    expect(await runsOf('unknown')).toEqual([]);
  });

  test('with texts of digits is parsed exactly', async () => {
    const digits = Array.from({ length: 1_000 }, (_, index) => `${10_000_000 + index}`);
    expect((await post(worker, 'SHOP/x/search', ['a', 1, true, digits])).body).toEqual([
      'a',
      1,
      true,
      digits,
    ]);
    const query = new URLSearchParams({ text: '#12345678', tags: '["12345678","#12345678"]' });
    expect((await ask(worker, `SHOP/x/search?${query}`)).body).toEqual([
      '#12345678',
      null,
      null,
      ['12345678', '#12345678'],
    ]);
  });

  test('without an end is read only up to the limit', async () => {
    await using socket = await Request.open('increment', 'endless');
    const chunk = 'a'.repeat(50_000);
    let sent = 0;
    // The response arrives although the body has not ended.
    while (!socket.text.includes('\r\n\r\n') && !socket.isClosed) {
      await socket.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      sent += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // A system can drop a response that was not read when the connection is reset.
    if (socket.text) expect(socket.text).toMatch(/^HTTP\/1.1 413 /);
    expect(sent).toBeGreaterThan(3 * FRAME);
    expect(await runsOf('endless')).toEqual([]);
  });

  test('that stops in the middle does not affect other requests', async () => {
    const waiting = await Promise.all(
      Array.from({ length: 50 }, () => Request.open('increment', 'slow')),
    );
    for (const socket of waiting) await socket.send('2\r\n[1\r\n');
    expect((await post(worker, 'SHOP/slow/increment', [2])).body).toBe(2);
    for (const socket of waiting) await socket[Symbol.asyncDispose]();
    expect(await runsOf('slow')).toEqual([['increment', 2]]);
  });
});

test('bodies that do not end share a limit of the Worker', async () => {
  // These bodies have more than 32 MiB together.
  const size = 3 * FRAME - 10_000;
  const count = Math.ceil((40 * 1024 * 1024) / size);
  const waiting = await Promise.all(
    Array.from({ length: count }, () => Request.open('increment', 'held')),
  );
  const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
  for (const socket of waiting) void socket.send(chunk);
  const refused = (): Request[] => waiting.filter(({ text }) => /^HTTP\/1.1 503 /.test(text));
  await until(() => refused().length > 0);
  expect(refused().length).toBeLessThan(count / 2);
  expect((await post(worker, 'SHOP/held/increment', [2])).body).toBe(2);
  for (const socket of waiting) await socket[Symbol.asyncDispose]();
  expect(await runsOf('held')).toEqual([['increment', 2]]);
});

describe('a query', () => {
  test.each([
    `input=${encodeURIComponent('{"__proto__":{"sku":"a"}}')}`,
    'sku=a&__proto__=1',
    'sku=a&constructor=1',
    'sku[__proto__]=a',
    `input=${encodeURIComponent(`{"sku":${nested(2_000)}}`)}`,
    `args=${encodeURIComponent(nested(2_000))}`,
    `args=${encodeURIComponent('[1]],[2,"increment"')}`,
    Array.from({ length: 500 }, (_, index) => `name${index}=1`).join('&'),
  ])('%s is rejected', async (query) => {
    const answer = await ask(worker, `SHOP/x/check?${query}`);
    expect(answer).toMatchObject({ status: 400, type: 'application/problem+json' });
  });

  test('does not reach a method that changes the object', async () => {
    for (const init of [{}, { method: 'HEAD' }, { method: 'DELETE' }]) {
      expect((await ask(worker, 'SHOP/changed/increment?by=1', init)).status).toBe(405);
    }
    expect(await runsOf('changed')).toEqual([]);
  });
});

describe('a header', () => {
  test.each<[string, Record<string, string>]>([
    ['of the router', { 'lumenize-rpc-path': '/__rpc/SHOP/other' }],
    ['of a client', { 'lumenize-rpc-client': 'other' }],
    ['of another method', { 'X-HTTP-Method-Override': 'GET' }],
    ['of a caller', { lumenizeRpcCaller: '{"caller":{"user":"eve"},"owner":"eve"}' }],
    ['with data of the edge', { 'MF-CF-Blob': '{"lumenizeRpcCaller":{"caller":1,"owner":"eve"}}' }],
    ['of a long type', { Accept: `text/${'a'.repeat(10_000)}, */*` }],
    ['of many types', { Accept: `${'text/html;q=0.1,'.repeat(1_000)}application/json` }],
  ])('%s sets no caller', async (name, headers) => {
    expect((await post(worker, `SHOP/header ${name}/changeAsCaller`, [], headers)).body).toBeNull();
  });

  test.each([
    ['two keys', `${randomUUID()}, ${randomUUID()}`],
    ['too many quotes', '"'.repeat(300)],
  ])('with %s runs nothing', async (name, key) => {
    const answer = await post(worker, `SHOP/keys ${name}/increment`, [1], { [KEY]: key });
    expect(answer.status).toBe(400);
    expect(await runsOf(`keys ${name}`)).toEqual([]);
  });
});

test('rejected calls with keys store nothing', async () => {
  const size = async (): Promise<unknown> => (await ask(worker, 'SHOP/small/size')).body;
  await post(worker, 'SHOP/small/increment', [1], { [KEY]: randomUUID() });
  const before = await size();
  for (let times = 0; times < 50; times++) {
    const headers = { [KEY]: randomUUID() };
    expect((await post(worker, 'SHOP/small/increment', [0], headers)).status).toBe(400);
    expect((await post(worker, 'SHOP/small/secret', [0], headers)).status).toBe(404);
    expect((await post(worker, 'SHOP/small/getValue', [], headers)).status).toBe(200);
  }
  expect(await size()).toBe(before);
});

/** A POST whose body is sent in pieces. */
class Request implements AsyncDisposable {
  /** The text of the response. */
  text = '';
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => (this.text += chunk.toString('latin1')));
    socket.on('error', () => {});
  }

  static async open(method: string, instance: string): Promise<Request> {
    const socket = connect(worker.runtime.port, '127.0.0.1');
    await once(socket, 'connect');
    const request = new Request(socket);
    await request.send(
      `POST /__rpc/SHOP/${instance}/${method} HTTP/1.1\r\nHost: localhost\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    return request;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Resolves when the system has accepted the text. */
  async send(text: string): Promise<void> {
    if (this.#socket.destroyed) return;
    await new Promise((resolve) => this.#socket.write(text, resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await until(() => this.#socket.closed);
  }
}
