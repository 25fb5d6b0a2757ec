/** Debug output on demand shows only the chosen client, hides values and ends. A report shows what an object holds. */
import { evictDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  capabilities,
  createRpcClient,
  messagePortTransport,
  type RpcClient,
} from '../../../src/client.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import {
  debugFor,
  debugOnDemand,
  type DebugOnDemandOptions,
  inspect,
  printReport,
} from '../../../src/debug.ts';
import { compileContract, servePort } from '../../../src/server.ts';
import { connect, type ConnectOptions } from '../../../src/testing/connect.ts';
import * as Type from '../../../src/typebox.ts';
import type { TestEnv } from '../../worker.ts';
import { consoleLines } from './console-lines.ts';
import type { Watched } from './watched.ts';

const env = bindings as TestEnv;
const lines = consoleLines();

afterEach(() => void vi.useRealTimers());

const open = (name: string, user: string, options: ConnectOptions = {}): RpcClient<Watched> =>
  connect<Watched>('WATCHED', name, { as: { user }, ...options });

const operator = (name: string): RpcClient<Watched> =>
  connect<Watched>('WATCHED', name, { as: { user: 'op', isOperator: true }, transport: 'http' });

/** Returns the lines of an object, without the parts that differ from run to run. */
const linesOf = (name: string): string[] =>
  lines
    .filter((line) => line.startsWith(`WatchedImpl/${name} `))
    .map((line) => line.replace(/^\S+ \S{8} /, '').replace(/ in \d+\.\d ms$/, ' in T'));

test('nothing is printed before it is switched on, and only an operator can do that', async () => {
  using ada = open('off', 'ada');
  await ada.echo('secret');
  await expect(ada.debug({ minutes: 5 })).rejects.toThrow('Only operators');
  await expect(ada.inspect()).rejects.toThrow('Only operators');
  await ada.echo('secret');
  expect(linesOf('off')).toEqual([]);
});

test.each(['websocket', 'http'] as const)(
  'over %s, calls are shown without values',
  async (transport) => {
    const name = `values-${transport}`;
    using ada = open(name, 'ada', { transport });
    using op = operator(name);
    await op.debug({ minutes: 5, caller: 'ada' });
    await ada.echo('secret');
    await ada.fail('secret').catch(() => {});
    await ada.echo(5 as never).catch(() => {});
    expect(linesOf(name)).toEqual([
      expect.stringMatching(/^up \d+ bytes$/),
      '#1 echo(…) = … in T',
      expect.stringMatching(/^down \d+ bytes$/),
      expect.stringMatching(/^up \d+ bytes$/),
      '#2 fail(…) threw RangeError in T',
      expect.stringMatching(/^down \d+ bytes$/),
      expect.stringMatching(/^up \d+ bytes$/),
      '#3 echo(…) threw RpcError INVALID_ARGUMENTS in T',
      expect.stringMatching(/^down \d+ bytes$/),
    ]);
    expect(lines.join('\n')).not.toContain('secret');
  },
);

test('only the chosen client or caller is shown', async () => {
  using ada = open('meant', 'ada');
  using bob = open('meant', 'bob');
  using op = operator('meant');
  await op.debug({ minutes: 5, caller: 'bob' });
  await ada.echo('a');
  expect(linesOf('meant')).toEqual([]);
  await bob.echo('b');
  expect(linesOf('meant')).toContain('#1 echo(…) = … in T');
  const [, client = ''] = /^\S+ (\S{8}) /.exec(lines[0] ?? '') ?? [];
  (lines as string[]).length = 0;
  await op.debug({ minutes: 5, client });
  await ada.echo('a');
  expect(linesOf('meant')).toEqual([]);
  await bob.echo('b');
  expect(linesOf('meant')).not.toEqual([]);
});

test('the answer to the call that switches it on is printed as the answer to an earlier call', async () => {
  using admin = operator('first');
  await admin.debug({ minutes: 5 });
  expect(linesOf('first')).toEqual([
    '#1 an earlier call = …',
    expect.stringMatching(/^down \d+ bytes$/),
  ]);
});

test('it goes on after an eviction, and shows subscriptions', async () => {
  using ada = open('evicted', 'ada');
  const values = subscribe(ada).value()[Symbol.asyncIterator]();
  await values.next();
  using op = operator('evicted');
  await op.debug({ minutes: 5, caller: 'ada' });
  await evictDurableObject(env.WATCHED.getByName('evicted'));
  await ada.echo('secret');
  expect(linesOf('evicted')).toContain('#1 echo(…) = … in T');
  const others = subscribe(ada).value()[Symbol.asyncIterator]();
  await others.next();
  expect(linesOf('evicted')).toContain('#s2 value() = …');
});

test('it ends when it is switched off, and when its time is over, also after an eviction', async () => {
  using ada = open('ends', 'ada');
  using op = operator('ends');
  await op.debug({ minutes: 5, caller: 'ada' });
  await op.debug({ minutes: 0 });
  await ada.echo('a');
  expect(linesOf('ends')).toEqual([]);
  await op.debug({ minutes: 5, caller: 'ada' });
  await ada.echo('a');
  expect(linesOf('ends')).not.toEqual([]);
  (lines as string[]).length = 0;
  const later = Date.now() + 5 * 60_000;
  vi.spyOn(Date, 'now').mockImplementation(() => later);
  await ada.echo('b');
  await evictDurableObject(env.WATCHED.getByName('ends'));
  await ada.echo('c');
  expect(linesOf('ends')).toEqual([]);
  vi.restoreAllMocks();
});

describe('debug output of an object behind a port', () => {
  class Stock {
    take(count: number): number {
      return 7 - count;
    }
  }

  function serve(options?: DebugOnDemandOptions<unknown>): {
    stock: Stock;
    client: RpcClient<Stock>;
  } {
    const stock = new Stock();
    const use = options ? [debugOnDemand(options)] : [];
    const { port1, port2 } = new MessageChannel();
    servePort(port1, stock, compileContract({ take: [Type.Number()] }, { use }));
    const transport = messagePortTransport(port2);
    const client = createRpcClient<Stock>('STOCK', 'main', { transport });
    return { stock, client };
  }

  test('redact replaces values and frames, and hides them if it throws', async () => {
    const printed: string[] = [];
    const { stock, client } = serve({
      print: (line) => printed.push(line.replace(/^\S+ \S+ /, '')),
      redact: (value, { kind, method }) => {
        if (kind === 'arguments') return [`${method}: ${(value as unknown[]).length} values`];
        if (kind === 'frame') return (value as string).replaceAll(/\d/g, '*');
        throw new Error('No result');
      },
    });
    debugFor(stock, { minutes: 1 });
    expect(await client.take(3)).toBe(4);
    expect(printed.map((line) => line.replace(/ in .*ms/, ''))).toEqual([
      'up 16 bytes [[*,"take",[*]]]',
      '#1 take("take: 1 values") = …',
      'down 7 bytes [[*,*]]',
    ]);
    client.close();
  });

  test('undefined in place of a value prints what is printed by default', async () => {
    const printed: string[] = [];
    const { stock, client } = serve({
      print: (line) => printed.push(line.replace(/^\S+ \S+ /, '')),
      redact: (value, { kind }) => (kind === 'arguments' ? value : undefined),
    });
    debugFor(stock, { minutes: 1 });
    expect(await client.take(3)).toBe(4);
    await client.take('three' as never).catch(() => {});
    expect(printed.map((line) => line.replace(/ in .*ms/, ''))).toEqual([
      'up 16 bytes',
      '#1 take(3) = …',
      'down 7 bytes',
      expect.stringMatching(/^up \d+ bytes$/),
      '#2 take("three") threw RpcError INVALID_ARGUMENTS',
      expect.stringMatching(/^down \d+ bytes$/),
    ]);
    client.close();
  });

  test('a print that throws does not break a call', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { stock, client } = serve({
      print: () => {
        throw new Error('No output');
      },
    });
    debugFor(stock, { minutes: 1 });
    expect(await client.take(3)).toBe(4);
    expect(complaints).toHaveBeenCalled();
    client.close();
  });

  test.each<
    [string, DebugOnDemandOptions<unknown> | undefined, Parameters<typeof debugFor>[1], RegExp]
  >([
    [
      'a class without the feature',
      undefined,
      { minutes: 1 },
      /^TypeError: .*use: \[debugOnDemand\(\)\]/,
    ],
    [
      'a caller without a function that names callers',
      {},
      { minutes: 1, caller: 'a' },
      /^TypeError: .*callerName/,
    ],
    ['a negative time', {}, { minutes: -1 }, /^RangeError: .*0 to 1440 minutes, got -1/],
    ['more than a day', {}, { minutes: 1_441 }, /^RangeError/],
    ['a time that is not a number', {}, { minutes: Number.NaN }, /^RangeError/],
  ])('%s is rejected', async (_, options, asked, problem) => {
    const { stock, client } = serve(options);
    await client.take(1);
    let error: unknown;
    try {
      debugFor(stock, asked);
    } catch (thrown) {
      error = thrown;
    }
    expect(String(error)).toMatch(problem);
    client.close();
  });
});

describe('the report on an object', () => {
  test('has connections, subscriptions, memory, journal, feeds and capabilities, and no secret', async () => {
    using ada = open('report', 'ada', { capabilities });
    using op = operator('report');
    const value = subscribe(ada).value()[Symbol.asyncIterator]();
    await value.next();
    const chat = subscribe(ada).chat()[Symbol.asyncIterator]();
    void chat.next();
    for (const text of ['secret 1', 'secret 2']) await ada.say(text);
    for (const name of ['secret 1', 'secret 2', 'secret 2']) await ada.box(name);
    const report = await op.inspect();
    const client = expect.stringMatching(/^.{8}$/) as string;
    expect(report).toEqual({
      class: 'WatchedImpl',
      object: 'report',
      connections: {
        count: 1,
        list: [{ client, caller: 'ada', calls: 0, subscriptions: { live: 1, events: 1 } }],
      },
      memory: {
        held: expect.any(Number) as number,
        limit: 16_777_216,
        clients: expect.any(Array) as object[],
      },
      journal: { clients: 1 },
      features: {
        feeds: [{ name: 'chat', first: 1, last: 2 }],
        capabilities: { Box: 2 },
        debugUntil: undefined,
      },
    });
    expect(JSON.stringify(report)).not.toContain('secret');
    printReport(report);
    expect(linesOf('report').length + lines.length).toBeGreaterThan(0);
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^WatchedImpl\/report holds \d+ of 16777216 bytes for 1 connections$/),
      expect.stringMatching(/^WatchedImpl\/report .{8} ada: 0 calls run, subscriptions \{/),
    ]);
    expect(lines).toContain('WatchedImpl/report feeds: [{name: "chat", first: 1, last: 2}]');
  });

  test('changes nothing: it lists a subscription of an evicted object, which goes on', async () => {
    using ada = open('asleep', 'ada');
    const values = subscribe(ada).value()[Symbol.asyncIterator]();
    await values.next();
    await evictDurableObject(env.WATCHED.getByName('asleep'));
    using op = operator('asleep');
    expect((await op.inspect()).connections.list).toMatchObject([{ subscriptions: { live: 1 } }]);
    expect((await op.inspect()).connections.list).toMatchObject([{ subscriptions: { live: 1 } }]);
    expect(await ada.echo('a')).toBe('a');
  });

  test('needs an object with a contract', () => {
    expect(() => inspect({})).toThrow(TypeError);
  });
});
