/** Requests of strangers to MCP: they call only listed methods, and cannot set a caller. */
import { describe, expect, test } from 'vitest';
import { call, endpoint, request, send, serve } from './serve.ts';

const worker = await serve();

const shop = (instance: string): URL => endpoint(worker, instance);

/** Returns the runs of an object. */
async function runs(url: URL): Promise<unknown> {
  const { content } = (await call(url, 'runs')) as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
}

const message = (method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('a name that is not a tool is rejected', () => {
  const names = [
    // These names are not listed, or are names of every object, of the runtime, of the door or of the path.
    'secret toString __proto__ constructor hasOwnProperty fetch alarm __rpcFrame call mcp tools/list',
    // These methods are listed, but JSON cannot call them.
    'desk ask news digits',
  ];
  test.each(names.join(' ').split(' '))('%s', async (name) => {
    const url = shop(`names ${encodeURIComponent(name)}`);
    expect(await call(url, name)).toMatchObject({ code: -32602 });
    expect(await runs(url)).toEqual([]);
  });

  test.each(['', 'a'.repeat(10_000), '../increment', 'increment\n', '%69ncrement'])(
    'if it is a strange text',
    async (name) => {
      const answer = await call(shop('strange'), name);
      expect(answer).toMatchObject({ code: -32602 });
      expect(JSON.stringify(answer).length).toBeLessThan(300);
    },
  );
});

describe('resources', () => {
  test.each(['live:secret', 'live:runs', 'live:above', 'live:__proto__', 'file:///etc/passwd', ''])(
    '%s is not a resource',
    async (uri) => {
      const { message: answer } = await request(shop('resources'), 'resources/read', { uri });
      expect(answer.error).toMatchObject({ code: -32602 });
    },
  );
});

describe('a body', () => {
  const increment = JSON.parse(message('tools/call', { name: 'increment' })) as object;
  const nested = (count: number): string => '['.repeat(count) + ']'.repeat(count);
  const withArgs = (args: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"increment","arguments":${args}}}`;

  test.each<[string, string, RequestInit, number]>([
    ['empty', '', {}, 400],
    ['that is not JSON', '{', {}, 400],
    ['null', 'null', {}, 400],
    ['a number', '5', {}, 400],
    ['a text', '"a"', {}, 400],
    ['an object without a version', '{}', {}, 400],
    ['a list of calls', JSON.stringify([increment, increment]), {}, 400],
    ['an empty list', '[]', {}, 400],
    ['of lists within lists', nested(60_000), {}, 400],
    ['that is too long', withArgs(`{"by":"${'a'.repeat(150_001)}"}`), {}, 413],
    [
      'of another type',
      JSON.stringify(increment),
      { headers: { 'Content-Type': 'text/plain' } },
      415,
    ],
  ])('%s runs nothing', async (name, body, init, status) => {
    const url = shop(`bodies ${name}`);
    expect(await send(url, body, init)).toMatchObject({ status });
    expect(await runs(url)).toEqual([]);
  });

  test.each<[string, string]>([
    ['a constructor', '{"constructor":{"prototype":{"by":5}}}'],
    ['lists within lists', `{"by":${nested(20_000)}}`],
    ['more than a frame has', `{"by":"${'a'.repeat(60_000)}"}`],
    ['a list', '[5]'],
    ['null', 'null'],
    ['a text', '"by"'],
  ])('arguments: %s', async (name, args) => {
    const url = shop(`arguments ${name}`);
    const { message: answer } = await send(url, withArgs(args));
    expect(answer.error ?? answer.result).toMatchObject(
      answer.error ? { code: expect.any(Number) as number } : { isError: true },
    );
    expect(await runs(url)).toEqual([]);
  });

  test('loses the prototype of its arguments', async () => {
    const { message: answer } = await send(shop('prototype'), withArgs('{"__proto__":{"by":5}}'));
    expect(answer.result).toMatchObject({ structuredContent: { result: 1 } });
  });

  test.each<[string, unknown]>([
    ['not a text', { a: 1 }],
    ['too long', 'a'.repeat(300)],
    ['empty', ''],
    ['guessable', 'a'],
    ['full of characters that no header has', 'ключ\n'.repeat(10)],
  ])('with a key that is %s runs nothing', async (_, key) => {
    const url = shop('keys');
    const meta = { 'lumenize-rpc/idempotency-key': key };
    const { message: answer } = await request(url, 'tools/call', {
      name: 'increment',
      ['_meta']: meta,
    });
    expect(answer.result).toMatchObject({
      isError: true,
      structuredContent: { code: 'BAD_MESSAGE' },
    });
    expect(await runs(url)).toEqual([]);
  });
});

describe('a caller', () => {
  test.each<[string, Record<string, string>]>([
    ['a session', { 'Mcp-Session-Id': 'ada' }],
    ['a caller', { 'X-Caller': '{"user":"ada"}', CF: '{"caller":"ada"}' }],
    ['another protocol', { 'MCP-Protocol-Version': '2025-06-18' }],
    ['an event', { 'Last-Event-ID': '5' }],
    ['a page of this Worker', { Origin: worker.runtime.url }],
    ['a page that may call', { Origin: 'https://friend.example' }],
  ])('is not set by headers with %s', async (_, headers) => {
    const answer = await request(shop('forged'), 'tools/call', { name: 'caller' }, headers);
    expect(answer.message.result).toMatchObject({ content: [{ text: 'null' }] });
    expect(answer.headers.get('Mcp-Session-Id')).toBe(null);
  });

  test.each<[string, Record<string, string>, number]>([
    ['whom the hook rejects', { Authorization: 'Bearer nobody' }, 401],
    ['from a page of another origin', { Origin: 'https://foe.example' }, 403],
    ['from a page of no origin', { Origin: 'null' }, 403],
    ['with a cookie, from another site', { Cookie: 'a=1', 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['of an unknown protocol', { 'MCP-Protocol-Version': '1999-01-01' }, 400],
  ])('%s calls nothing', async (_, headers, status) => {
    const url = shop('strangers');
    const answer = await request(url, 'tools/call', { name: 'increment' }, headers);
    expect(answer.status).toBe(status);
    expect(await runs(url)).toEqual([]);
  });

  test('is not set by the metadata of a client', async () => {
    const params = {
      name: 'caller',
      ['_meta']: {
        caller: { user: 'ada' },
        'io.modelcontextprotocol/clientInfo': { name: 'ada', version: '1' },
        progressToken: '__proto__',
      },
    };
    const { message: answer } = await request(shop('meta'), 'tools/call', params);
    expect(JSON.stringify(answer)).not.toContain('ada');
  });
});

describe('the path', () => {
  test.each<[string, string, number]>([
    ['of a class without MCP', 'PLAIN/x/mcp', 404],
    ['of a binding that is not reachable', 'HIDDEN/x/mcp', 404],
    ['with more after it', 'SHOP/x/mcp/tools', 404],
    ['of no instance', 'SHOP//mcp', 400],
    ['of an instance of the library', 'SHOP/__rpc-relay/mcp', 400],
  ])('%s is rejected', async (_, path, status) => {
    const url = new URL(`${worker.runtime.url}/__rpc/${path}`);
    expect(await send(url, message('tools/list'))).toMatchObject({ status });
  });

  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('has no session to act on: %s', async (method) => {
    const response = await fetch(shop('verbs'), {
      method,
      headers: { Accept: 'application/json, text/event-stream' },
    });
    expect(response.status).toBe(405);
    await response.body?.cancel();
  });

  test('is routed by both routers in either order, even beside other paths', async () => {
    const url = new URL(`${worker.runtime.url}/other-order/SHOP/order/mcp`);
    expect(await call(url, 'increment')).toMatchObject({ structuredContent: { result: 1 } });
    const plain = new URL(`${worker.runtime.url}/other-order/PLAIN/order/mcp`);
    expect(await send(plain, message('tools/list'))).toMatchObject({ status: 404 });
  });
});
