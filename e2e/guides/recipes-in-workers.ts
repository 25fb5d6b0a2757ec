/** Tests that run inside a project with the recipes: see `recipes.slow.test.mjs`. */
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Counter } from '../src/counter.ts';
import worker from '../src/index.ts';
import { logs } from '../src/logs.ts';
import type { Room } from '../src/rooms.ts';
import { spans, traced } from '../src/spans.ts';
import { MIGRATIONS, TasksImpl } from '../src/tasks.ts';
import type { Visit } from '../src/visits.ts';
import { createRpcClient, messagePortTransport, traceCalls } from 'lumenize-rpc/client';
import { compileContract, migrate, servePort } from 'lumenize-rpc/server';
import { connect } from 'lumenize-rpc/testing';

afterEach(() => void vi.restoreAllMocks());

describe('a queue', () => {
  const deliver = async (
    ...messages: Parameters<typeof createMessageBatch<Visit>>[1][number][]
  ) => {
    const batch = createMessageBatch<Visit>('visits', messages);
    const context = createExecutionContext();
    await worker.queue(batch, env);
    return getQueueResult(batch, context);
  };

  test('counts each message once, also a message that arrives twice', async () => {
    const [id, timestamp, body] = ['visit-1', new Date(), { page: 'queue' }];
    const first = await deliver({ id, timestamp, attempts: 1, body });
    expect(first.explicitAcks).toEqual([id]);
    await deliver({ id, timestamp, attempts: 2, body });
    await deliver({ id: 'visit-2', timestamp, attempts: 1, body });
    expect(await env.COUNTER.getByName('queue').getValue()).toBe(2);
  });

  test('receives a message again that was not counted', async () => {
    await env.COUNTER.getByName('full').increment(1_000_000);
    await runInDurableObject(env.COUNTER.getByName('full'), (_, { storage }) =>
      storage.kv.put('value', 1_000_000_000),
    );
    const message = { id: 'visit-3', timestamp: new Date(), attempts: 1, body: { page: 'full' } };
    const result = await deliver(message);
    expect(result.retryMessages).toEqual([{ msgId: 'visit-3' }]);
  });
});

test('a cron counts', async () => {
  const before = await env.COUNTER.getByName('days').getValue();
  await worker.scheduled({ scheduledTime: 0, cron: '0 3 * * *', noRetry() {} }, env);
  expect(await env.COUNTER.getByName('days').getValue()).toBe(before + 1);
});

test('an object that was idle during a migration has its old rows in the new form', async () => {
  await runInDurableObject(env.COUNTER.getByName('tasks'), (_, state) => {
    migrate(state.storage, MIGRATIONS.slice(0, 1));
    state.storage.sql.exec("INSERT INTO tasks VALUES ('1', 'Write')");
    const tasks = new TasksImpl(state, env);
    expect(tasks.list()).toEqual([{ id: '1', title: 'Write', due: null }]);
    const id = tasks.add('Read', 7);
    expect(new TasksImpl(state, env).list()).toContainEqual({ id, title: 'Read', due: 7 });
  });
});

describe.each(['websocket', 'http'] as const)('calls over %s', (transport) => {
  test('are written to Analytics Engine, and failed calls to the console', async () => {
    const points = vi.spyOn(env.METRICS, 'writeDataPoint');
    const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
    using counter = connect<Counter>('COUNTER', `observed-${transport}`, { transport });
    await counter.increment();
    await counter.increment(0).catch(() => {});
    const sizes = [expect.any(Number), expect.any(Number), expect.any(Number)];
    expect(points.mock.calls).toEqual(
      ['ok', 'INVALID_ARGUMENTS'].map((outcome) => [
        {
          indexes: ['CounterImpl'],
          blobs: ['CounterImpl', 'increment', outcome, 'call'],
          doubles: sizes,
        },
      ]),
    );
    const texts = lines.mock.calls.map(([text]) => JSON.parse(String(text)) as object);
    expect(texts).toMatchObject([{ method: 'increment', outcome: 'INVALID_ARGUMENTS' }]);
  });
});

test('calls are lines of JSON, with their errors and callers', async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
  class Stock {
    take(): number {
      return 7;
    }
    fail(): void {
      throw new RangeError('It failed');
    }
  }
  const { port1, port2 } = new MessageChannel();
  const contract = compileContract({ take: [], fail: [] }, { onCall: logs });
  const served = servePort(port1, new Stock(), contract, { caller: { user: 'ada' } });
  using stock = createRpcClient<Stock>('STOCK', 'main', { transport: messagePortTransport(port2) });
  await stock.take();
  await stock.fail().catch(() => {});
  await (stock as unknown as { other(): Promise<void> }).other().catch(() => {});
  served.close();
  const at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
  type Written = Record<string, string>;
  const about = { at, class: 'Stock', kind: 'call', caller: 'ada', duration: expect.any(Number) };
  const written = lines.mock.calls.map(([line]) => JSON.parse(String(line)) as Written);
  expect(written).toMatchObject([
    { ...about, id: 1, method: 'take', outcome: 'ok' },
    { ...about, id: 2, method: 'fail', outcome: 'RangeError' },
    { ...about, id: 3, outcome: 'METHOD_NOT_FOUND' },
  ]);
  const [, failed, refused] = written;
  expect(failed?.['error']).toMatch(/^RangeError: It failed\n +at Stock\.fail/);
  expect(refused?.['error']).toMatch(/^RpcError: [^\n]+$/);
});

test('a page, an object and the object that it calls are one tree of spans', async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
  const open = <Served extends object>(binding: string, served: Served, method: string) => {
    const { port1, port2 } = new MessageChannel();
    servePort(port1, served, compileContract({ [method]: [] }, { use: [traced] }));
    const transport = messagePortTransport(port2);
    return createRpcClient<Served>(binding, 'main', { transport, tracing: traceCalls(spans) });
  };
  class Shelf {
    keep(): number {
      return 7;
    }
  }
  using shelf = open('SHELF', new Shelf(), 'keep');
  class Stock {
    async take(): Promise<number> {
      await Promise.resolve();
      return shelf.keep();
    }
  }
  using stock = open('STOCK', new Stock(), 'take');
  expect(await stock.take()).toBe(7);
  const ended = lines.mock.calls.map(
    ([line]) => JSON.parse(String(line)) as Record<string, string>,
  );
  const names = new Map(ended.map(({ id = '', name }) => [id, name]));
  expect(ended.map(({ name, parentId = '' }) => [name, names.get(parentId)])).toEqual([
    ['Shelf.keep', 'SHELF.keep'],
    ['SHELF.keep', 'Stock.take'],
    ['Stock.take', 'STOCK.take'],
    ['STOCK.take', undefined],
  ]);
  expect(new Set(ended.map(({ trace }) => trace)).size).toBe(1);
});

test('an operator sees the arguments of one user in an object, and its rows', async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
  const open = (user: string, isOperator = false) =>
    connect<Room>('ROOM', 'main', { as: { user, isOperator } });
  using op = open('op', true);
  using ada = open('ada');
  using bob = open('bob');
  await expect(bob.debug(10)).rejects.toThrow('Only operators');
  await expect(bob.stored()).rejects.toThrow('Only operators');
  await op.debug(10, 'ada');
  await bob.post('secret');
  await ada.post('hello');
  const about = /^RoomImpl\/main \S{8} /;
  expect(lines.mock.calls.map(([line]) => String(line).replace(about, ''))).toEqual([
    'up 22 bytes',
    expect.stringMatching(/^#1 post\("hello"\) = … in \d+\.\d ms$/),
    'down 13 bytes',
  ]);
  const stored = await op.stored();
  expect(stored.map(([, text]) => text).toSorted()).toEqual(['hello', 'secret']);
  const [[first = ''] = []] = stored;
  expect(await op.stored(first)).toEqual(stored.slice(1));
});
