/** Methods as tools: which are listed, with which schemas, how they are called, and how they fail. */
import { describe, expect, test } from 'vitest';
import { call, endpoint, request, serve } from './serve.ts';

const worker = await serve();

const shop = (instance: string): URL => endpoint(worker, instance);

interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: object;
}

async function listTools(): Promise<Map<string, ListedTool>> {
  const { message } = await request(shop('list'), 'tools/list');
  const { tools } = message.result as { tools: ListedTool[] };
  return new Map(tools.map((tool) => [tool.name, tool]));
}

describe('the list of tools', () => {
  test('has the methods that JSON can call, and no others', async () => {
    const names = [...(await listTools()).keys()];
    expect(names.toSorted()).toEqual(
      'abort above broken buy caller clear deep fail find increment lend pair runs ship sockets stock'.split(
        ' ',
      ),
    );
  });

  test('stays as long as it was, however often it is read', async () => {
    const { text } = await request(shop('list'), 'tools/list');
    await request(shop('other'), 'tools/list');
    expect((await request(shop('list'), 'tools/list')).text).toBe(text);
  });

  const nothing = { type: 'object', additionalProperties: false };
  const integer = { type: 'integer' };
  const item = {
    type: 'object',
    required: ['sku', 'parts'],
    properties: {
      sku: { type: 'string' },
      parts: { type: 'array', items: { $ref: '#/$defs/Item' } },
    },
  };
  const date = { type: 'string', format: 'date-time' };

  test.each<[string, Partial<ListedTool>]>([
    [
      'increment',
      {
        title: 'Increment',
        description: 'Adds to the stock.',
        inputSchema: {
          ...nothing,
          properties: {
            by: { ...integer, title: 'by', minimum: 1, description: 'How many more.' },
          },
        },
        outputSchema: { ...nothing, properties: { result: integer }, required: ['result'] },
        annotations: { readOnlyHint: false, idempotentHint: false },
      },
    ],
    [
      'stock',
      {
        description: 'Reads stock of SHOP.',
        inputSchema: nothing,
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
    ],
    [
      'ship',
      {
        description: 'Calls ship of SHOP, with to, express.',
        inputSchema: {
          ...nothing,
          properties: {
            to: { type: 'string', title: 'to' },
            express: { type: 'boolean', title: 'express' },
          },
          required: ['to'],
        },
      },
    ],
    [
      'pair',
      {
        description: 'Reads pair of SHOP.',
        inputSchema: {
          ...nothing,
          properties: {
            arguments: {
              type: 'array',
              prefixItems: [{ type: 'string' }, integer],
              minItems: 1,
              maxItems: 2,
            },
          },
          required: ['arguments'],
        },
      },
    ],
    [
      'buy',
      {
        inputSchema: { type: 'object', $ref: '#/$defs/Item', $defs: { Item: item } },
        outputSchema: { type: 'object', $ref: '#/$defs/Item', $defs: { Item: item } },
      },
    ],
    [
      'lend',
      {
        inputSchema: { type: 'object', properties: { until: date }, required: ['until'] },
        outputSchema: {
          type: 'object',
          properties: { until: date, fee: { type: 'string', pattern: '^-?\\d+$' } },
          required: ['until', 'fee'],
        },
      },
    ],
    [
      'find',
      {
        outputSchema: {
          ...nothing,
          properties: { result: { $ref: '#/$defs/Item' } },
          $defs: { Item: item },
        },
      },
    ],
  ])('%s', async (name, tool) => {
    expect((await listTools()).get(name)).toMatchObject(tool);
  });

  test('has no schema for a result without one', async () => {
    const tools = await listTools();
    for (const name of ['pair', 'clear', 'deep']) {
      expect(tools.get(name)).not.toHaveProperty('outputSchema');
    }
  });
});

const text = (content: string): object[] => [{ type: 'text', text: content }];

describe('a call', () => {
  test.each<[string, unknown, object]>([
    ['increment', { by: 2 }, { content: text('2'), structuredContent: { result: 2 } }],
    ['increment', {}, { content: text('1'), structuredContent: { result: 1 } }],
    ['increment', undefined, { content: text('1') }],
    ['ship', { to: 'Rome' }, { content: text('to Rome') }],
    ['ship', { express: true, to: 'Rome' }, { structuredContent: { result: 'to Rome, express' } }],
    ['pair', { arguments: ['a', 2] }, { content: text('["a",2]') }],
    ['buy', { sku: 'a', parts: [] }, { structuredContent: { sku: 'a', parts: [] } }],
    ['clear', {}, { content: [] }],
    ['find', { sku: 'a' }, { structuredContent: { result: { sku: 'a', parts: [] } } }],
    ['find', { sku: 'b' }, { content: [], structuredContent: {} }],
    ['above', { least: -1 }, { content: text('true') }],
    ['deep', {}, { content: text('{"when":"1970-01-01T00:00:00.000Z","who":[["a",1]]}') }],
    [
      'lend',
      { until: '2030-01-02' },
      { structuredContent: { until: '2030-01-02T00:00:00.000Z', fee: '12345678901234567890' } },
    ],
  ])('%s of %j', async (name, args, result) => {
    const answer = await call(shop(`call ${name} ${JSON.stringify(args)}`), name, args);
    expect(answer).toMatchObject(result);
    expect(answer).not.toHaveProperty('isError');
  });

  test('has the caller that the hook has set', async () => {
    const url = shop('callers');
    const ada = { Authorization: 'Bearer ada' };
    expect(await call(url, 'caller', {}, ada)).toMatchObject({ content: text('{"user":"ada"}') });
    expect(await call(url, 'caller')).toMatchObject({ content: text('null') });
  });

  test('with a key in its metadata runs once', async () => {
    const url = shop('keys');
    const key = 'b7c1b9d2-5d0e-4a43-8f0c-0e3b6f6d3a10';
    const meta = { 'lumenize-rpc/idempotency-key': key };
    const again = (by: number) =>
      request(url, 'tools/call', { name: 'increment', arguments: { by }, ['_meta']: meta });
    const first = await again(2);
    expect(first.message.result).toMatchObject({ structuredContent: { result: 2 } });
    expect((await again(2)).message.result).toEqual(first.message.result);
    expect((await again(3)).message.result).toMatchObject({
      isError: true,
      structuredContent: { status: 422 },
    });
    expect(await call(url, 'runs')).toMatchObject({ content: text('["increment"]') });
  });
});

describe('a failure', () => {
  test.each<[string, unknown, object]>([
    ['fail', {}, { code: 'FORBIDDEN', path: '.owner', detail: 'It is not yours' }],
    ['broken', {}, { title: 'RangeError', detail: 'It is out of range' }],
    ['increment', { by: 'x' }, { code: 'INVALID_ARGUMENTS', path: '[0]' }],
    ['increment', { by: 0 }, { code: 'INVALID_ARGUMENTS', path: '[0]' }],
    ['increment', { to: 1 }, { code: 'BAD_MESSAGE' }],
    ['buy', { sku: 'a' }, { code: 'INVALID_ARGUMENTS', path: '[0].parts' }],
    ['ship', {}, { code: 'INVALID_ARGUMENTS' }],
    ['pair', { first: 'a' }, { code: 'BAD_MESSAGE' }],
    ['pair', { arguments: 'a' }, { code: 'BAD_MESSAGE' }],
    ['pair', { arguments: ['a'], more: 1 }, { code: 'BAD_MESSAGE' }],
  ])('of %s with %j is an error of the tool', async (name, args, problem) => {
    const answer = await call(shop(`fail ${name}`), name, args);
    expect(answer).toMatchObject({ isError: true, structuredContent: problem });
    const { content, structuredContent } = answer as {
      content: { text: string }[];
      structuredContent: unknown;
    };
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });
});
