/** The requests that a client sends over HTTP, and its reaction to each response. */
import { expect, test } from 'vitest';
import { createRpcClient, type RpcClientOptions } from '../../src/client.ts';
import { bytes } from '../../src/features/bytes/client/bytes.ts';
import { BINARY_TYPE } from '../../src/wire/messages.ts';

interface Target {
  ping(): void;
}

const ADDRESS = 'http://localhost:8787/__rpc/OBJECT/a/call';

/** Returns the error of a call if each request gets this response. */
async function failureOf(response: () => Response, options: RpcClientOptions = {}) {
  const answer = (async () => response()) as typeof fetch;
  const all: RpcClientOptions = { transport: 'http', fetch: answer, reconnect: false, ...options };
  using client = createRpcClient<Target>('OBJECT', 'a', all);
  return await client.ping().then(
    () => 'It was answered',
    (error: unknown) => error,
  );
}

test.each([
  ['no text', 404, '', 'NOT_FOUND', `The server answered 404 (${ADDRESS})`],
  ['a text', 403, 'no', 'FORBIDDEN', `The server answered 403: no (${ADDRESS})`],
  [
    'a text of 200 characters',
    500,
    'x'.repeat(200),
    'UNAVAILABLE',
    `The server answered 500: ${'x'.repeat(200)} (${ADDRESS})`,
  ],
  [
    'a longer text',
    599,
    'x'.repeat(201),
    'UNAVAILABLE',
    `The server answered 599: ${'x'.repeat(200)} (${ADDRESS})`,
  ],
  [
    'a text like a frame',
    503,
    '[[1]]',
    'UNAVAILABLE',
    `The server answered 503: [[1]] (${ADDRESS})`,
  ],
  ['a page', 200, '<html>', 'BAD_RESPONSE', `The server answered 200: <html> (${ADDRESS})`],
  ['a list', 200, '["a"]', 'BAD_RESPONSE', `The server answered 200: ["a"] (${ADDRESS})`],
  ['half a frame', 200, '[[1', 'BAD_RESPONSE', `The server answered 200: [[1 (${ADDRESS})`],
  ['an unknown status', 499, 'odd', 'BAD_RESPONSE', `The server answered 499: odd (${ADDRESS})`],
])('a call rejects after %s', async (_, status, text, code, message) => {
  const error = await failureOf(() => new Response(text, { status }));
  // The request was sent, so the call may have run, unless the status means that it was rejected before.
  const maybeExecuted = status < 400 || status >= 500;
  expect(error).toMatchObject({ code, status, message, maybeExecuted });
});

test.each<[string, RpcClientOptions, BodyInit, string]>([
  ['a list of another service', {}, '[{"id":1}]', '[{"id":1}]'],
  ['bytes that are not a frame', { bytes }, new Uint8Array([9, 9, 9]), '[object ArrayBuffer]'],
])('a call is not sent again after %s', async (_, options, body, shown) => {
  let requests = 0;
  const answer = (): Response => {
    requests++;
    const type = typeof body === 'string' ? 'application/json' : BINARY_TYPE;
    return new Response(body, { headers: { 'Content-Type': type } });
  };
  const error = await failureOf(answer, { reconnect: {}, ...options });
  const message = `The server answered 200: ${shown} (${ADDRESS})`;
  expect(error).toMatchObject({ code: 'BAD_RESPONSE', status: 200, message, maybeExecuted: true });
  expect(requests).toBe(1);
});

test('headers of the options are sent, and do not replace headers of the runtime', async () => {
  const asked: Headers[] = [];
  const recording = (async (_: unknown, init?: RequestInit) => {
    asked.push(new Headers(init?.headers));
    return new Response('[[1]]');
  }) as typeof fetch;
  const headers = { 'Content-Type': 'text/html', 'lumenize-rpc-client': 'me', Authorization: 'me' };
  using client = createRpcClient<Target>('OBJECT', 'a', {
    transport: 'http',
    fetch: recording,
    headers,
  });
  await client.ping();
  expect(asked.map((one) => [one.get('Content-Type'), one.get('Authorization')])).toEqual([
    ['application/json', 'me'],
  ]);
  expect(asked[0]?.get('lumenize-rpc-client')).not.toBe('me');
});
