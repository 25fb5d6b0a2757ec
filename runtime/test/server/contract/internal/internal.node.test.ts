/**
 * Internal methods: objects and Workers call them with checked arguments, and no client can call
 * them.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { capabilities, type RpcClient, subscribe } from '../../../../src/client.ts';
import { failureOf } from '../../../support/failure-of.ts';
import { TestWorker } from '../../../support/test-worker.ts';
import type { Meter } from './worker.ts';

const BINDINGS = { METER: 'Meter', SHARD: 'Shard' } as const;
const options = { clients: { capabilities }, fence: 'total' };
const worker = await TestWorker.forTests<Meter, keyof typeof BINDINGS>(
  import.meta.dirname,
  BINDINGS,
  options,
);
/** At this date, native RPC keeps only the message of an error. */
const older = await TestWorker.forTests<Meter, keyof typeof BINDINGS>(
  import.meta.dirname,
  BINDINGS,
  { ...options, compatibilityDate: '2026-03-01' },
);

let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `meter ${++instances}`;
});

/** Calls `report` from the Worker. */
async function report(way: string, args: unknown[], { runtime } = worker): Promise<unknown> {
  const call = JSON.stringify({ instance, args });
  return (await fetch(`${runtime.url}/report/${way}?${new URLSearchParams({ call })}`)).json();
}

describe.each(['worker', 'object'])('a native call from the %s', (way) => {
  test('runs, and live values are sent', async () => {
    using client = worker.connect(instance);
    const totals = subscribe(client).total()[Symbol.asyncIterator]();
    expect((await totals.next()).value).toBe(0);
    expect(await report(way, ['a', 5])).toEqual({ result: 'a 5' });
    expect((await totals.next()).value).toBe(5);
  });

  test.each([
    ['a value that does not match', ['a', 0], '[1]', 'argument [1] must be >= 1, got 0'],
    ['a text that is too long', ['a'.repeat(11), 1], '[0]', 'argument [0]'],
    ['another type', ['a', '1'], '[1]', 'argument [1] must be integer'],
    ['too few arguments', ['a'], '[1]', 'argument [1]'],
    ['too many arguments', ['a', 1, 2], '[2]', 'takes 2 arguments, got 3'],
  ])('rejects %s', async (_, args, path, problem) => {
    const error = { isError: true, message: expect.stringContaining(`report: ${problem}`) };
    expect(await report(way, args)).toEqual({
      ...error,
      name: 'RpcError',
      code: 'INVALID_ARGUMENTS',
      path,
    });
    expect(await report(way, args, older)).toEqual({ ...error, name: 'Error' });
    using client = worker.connect(instance);
    expect(await client.total()).toBe(0);
  });
});

/** The client with a method that its type does not have. */
type Untyped = RpcClient<{ report(...args: unknown[]): string; total(): number }>;

const ARGS = ['a', 5];
const NOT_FOUND = { code: 'METHOD_NOT_FOUND', message: 'The contract lists no method report' };

describe('a client that calls it receives the error of an unknown method', () => {
  test.each(['websocket', 'http'] as const)('over %s', async (transport) => {
    using client = worker.connect(instance, { transport }) as unknown as Untyped;
    expect(await failureOf(client.report(...ARGS))).toMatchObject(NOT_FOUND);
    expect(await client.total()).toBe(0);
  });

  test.each(['post', 'socket'])('through a binding: %s', async (way) => {
    expect(await report(way, ARGS)).toMatchObject(NOT_FOUND);
  });

  test('by a subscription', async () => {
    using client = worker.connect(instance);
    const loop = subscribe(client) as unknown as Record<string, () => AsyncIterable<unknown>>;
    const first = loop['report']!()[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject(NOT_FOUND);
    expect(await report('subscription', ARGS)).toMatchObject(NOT_FOUND);
  });

  test.each([
    ['on the result of a call', '[1,"dial"],[2,["report",1],["a",5]]'],
    ['on a capability of another class', '[2,["report","Meter","1"],["a",5]]'],
    ['with inherited names', '[2,"report.constructor",["a",5]]'],
    ['in the rich form', '[2,"report","rich",[[["a",5]]]]'],
    ['as a repeated call', '["resent",2,0],[2,"report",["a",5]]'],
    ['as a call with a key', '["key"],[2,"report",["a",5]]'],
  ])('%s', async (_, messages) => {
    using raw = await worker.raw(instance);
    const answers = await raw.exchange(messages);
    const [, form, thrown] = answers.find(([id]) => id === 2) as [number, string, unknown];
    expect(form).toBe('error');
    expect(JSON.stringify(thrown)).toMatch(/METHOD_NOT_FOUND|FORBIDDEN/);
    using client = worker.connect(instance);
    expect(await client.total()).toBe(0);
  });

  test.each(['POST', 'GET', 'PUT', 'OPTIONS'])('by plain HTTP: %s', async (method) => {
    const url = `${worker.runtime.url}/__rpc/METER/${encodeURIComponent(instance)}/report`;
    const init =
      method === 'POST' ? { body: '["a",5]', headers: { 'Content-Type': 'application/json' } } : {};
    const response = await fetch(url, { method, ...init });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });
});

test('a description of the API does not list it', async () => {
  const { url } = worker.runtime;
  const document = await (await fetch(`${url}/__rpc/openapi.json`)).text();
  expect(document).toContain('/METER/{instance}/add');
  expect(document).not.toContain('report');
  const response = await fetch(`${url}/__rpc/METER/${encodeURIComponent(instance)}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
  });
  const tools = await response.text();
  expect(tools).toContain('"name":"add"');
  expect(tools).not.toContain('report');
});
