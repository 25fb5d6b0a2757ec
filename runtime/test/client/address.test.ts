/** The address to which a client sends its calls, by its options. */
import { expect, test } from 'vitest';
import { createRpcClient, type RpcClientOptions } from '../../src/client.ts';

interface Target {
  ping(): void;
}

test.each<[options: RpcClientOptions, instance: string, address: string]>([
  [{}, 'a', 'http://localhost:8787/__rpc/OBJECT/a/call'],
  [{ baseUrl: 'https://example.com' }, 'a', 'https://example.com/__rpc/OBJECT/a/call'],
  [{ baseUrl: 'https://example.com//' }, 'a', 'https://example.com/__rpc/OBJECT/a/call'],
  [{ baseUrl: 'https://example.com/app/' }, 'a', 'https://example.com/app/__rpc/OBJECT/a/call'],
  [{ prefix: 'api/v1/' }, 'a', 'http://localhost:8787/api/v1/OBJECT/a/call'],
  [{ prefix: '' }, 'a', 'http://localhost:8787/OBJECT/a/call'],
  [{}, 'a/b?c#d é', 'http://localhost:8787/__rpc/OBJECT/a%2Fb%3Fc%23d%20%C3%A9/call'],
])('%j, %s: %s', async (options, instance, address) => {
  const asked: unknown[] = [];
  const recording = (async (url: unknown) => {
    asked.push(url);
    return new Response('[[1]]');
  }) as typeof fetch;
  const all: RpcClientOptions = { ...options, transport: 'http', fetch: recording };
  using client = createRpcClient<Target>('OBJECT', instance, all);
  await client.ping();
  expect(asked).toEqual([address]);
});

test.each([
  ['localhost:8787'],
  ['127.0.0.1:8787'],
  ['example.com'],
  ['//example.com'],
  ['http:example.com'],
  ['ws://localhost:8787'],
  ['/'],
  [''],
  // A page from a file has this origin.
  ['null'],
])('an address without http:// or https:// is rejected at once: %j', (baseUrl) => {
  const error = new TypeError(`baseUrl '${baseUrl}' must begin with http:// or https://`);
  for (const transport of ['websocket', 'http'] as const) {
    expect(() => createRpcClient<Target>('OBJECT', 'a', { baseUrl, transport })).toThrow(error);
  }
});
