/** Debug output at each end, and calls that work as they do without it. */
import { runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterAll, describe, expect, test } from 'vitest';
import type { Transport, TransportEvents } from '../../../src/client/transport.ts';
import { debug } from '../../../src/features/debug/client/debug.ts';
import { RpcError } from '../../../src/wire/errors.ts';
import { connect } from '../../../src/testing/connect.ts';
import { casesOf } from '../../calls/case.ts';
import { subjects, wiring } from '../../calls/cases/subjects.ts';
import type { Platform } from '../../calls/caller.ts';
import { Callers } from '../../calls/callers.ts';
import { isThorough } from '../../support/effort.ts';
import { workersPlatform } from '../../calls/workers-platform.ts';
import type { Shown, TestEnv } from '../../worker.ts';
import { consoleLines } from './console-lines.ts';

const env = bindings as TestEnv;
const PATIENCE = { timeout: 50_000 };

const platform: Platform = { ...workersPlatform, debug };

const lines = consoleLines();

/** Returns the lines of one end, without the parts that differ from run to run. */
function linesOf(end: 'client' | 'object', instance: string): string[] {
  const before = { client: `SHOWN/${instance} client `, object: `Subject/${instance} ` }[end];
  return lines
    .filter((line) => line.startsWith(before))
    .map((line) => line.slice(before.length).replace(/^([0-9a-f]{8}|\?) /, ''))
    .map((line) => line.replace(/ in \d+\.\d ms$/, ' in T'));
}

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  test('both ends show frames and calls', async () => {
    const instance = `frames-${transport}`;
    using client = connect<Shown>('SHOWN', instance, { transport, debug, connectTimeout: 50_000 });
    const sum = client.add(1, 2);
    const refused = client.add('x' as never, 2).catch(() => {});
    await Promise.all([sum, client.add(sum, 4), refused, client.run('nothing')]);
    const exchange = [
      expect.stringMatching(
        /^up \d+ bytes \[\[1,"add",\[1,2\]\],\[2,"add",\["x",2\]\],\[3,"add","rich",/,
      ),
      '#1 add(1, 2) = 3 in T',
      '#2 add("x", 2) threw RpcError INVALID_ARGUMENTS: add: argument [0] must be number, got a string of 1 character in T',
      '#3 add(#1, 4) = 7 in T',
      '#4 run("nothing") = undefined in T',
      expect.stringMatching(/^down \d+ bytes \[\[1,3\],\[2,"error",/),
    ];
    expect(linesOf('object', instance)).toEqual(exchange);
    expect(linesOf('client', instance)).toEqual(['connects', 'is connected', ...exchange]);
  });

  test('a late answer is shown when it arrives', async () => {
    const instance = `late-${transport}`;
    using client = connect<Shown>('SHOWN', instance, { transport, debug });
    await Promise.all([client.runLater('late', 1), client.run('at once', 2)]);
    expect(linesOf('object', instance)).toContain('#1 runLater("late", 1) = 1 in T');
    expect(linesOf('client', instance)).toContain('#1 runLater("late", 1) = 1 in T');
  });
});

test.each([
  ['a long text', 'x'.repeat(10_000)],
  ['a long list', Array.from({ length: 10_000 }, (_, index) => index)],
  ['a deep object', { a: { b: { c: { d: { e: { f: 'x'.repeat(1000) } } } } } }],
  ['long keys', { ['k'.repeat(5_000)]: 1 }],
  ['a Map', new Map([['key', 'x'.repeat(5_000)]])],
  ['a long message', new Error('x'.repeat(5_000))],
])('%s is shortened', async (name, value) => {
  using client = connect<Shown>('SHOWN', name, { debug });
  await client.run('value', value);
  expect(linesOf('object', name)).toHaveLength(3);
  // The line has two values and some text around them.
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(500);
});

const circular: unknown[] = [1];
circular.push(circular);

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);

test.each([
  ['-0', -0, '-0'],
  ['a bigint', 12n, '12n'],
  ['null', null, 'null'],
  ['undefined', [undefined], '[undefined]'],
  ['an object', { a: [1, 'two'], b: {} }, '{a: [1, "two"], b: {}}'],
  ['a Map', new Map([['a', new Set([1])]]), 'Map {"a" => Set {1}}'],
  ['a Date', new Date(Number.NaN), 'Date(Invalid Date)'],
  ['a RegExp', /x/g, 'RegExp(/x/g)'],
  ['bytes', new Uint8Array(5), 'Uint8Array(5 bytes)'],
  ['an error', new TypeError('no'), 'TypeError: no'],
  ['a cycle', circular, '[1, [1, [1, [1, …]]]]'],
  ['a list of twenty', numbers(20), `[${numbers(20).join(', ')}]`],
  ['a longer list', numbers(21), `[${numbers(20).join(', ')}, …]`],
])('%s is shown', async (name, value, text) => {
  using client = connect<Shown>('SHOWN', name);
  await client.map(value);
  expect(linesOf('object', name)[1]).toBe(`#1 map(${text}) = ${text} in T`);
});

test.each([
  '[[1,"run",["x"],',
  '[[1,"run","rich",7]]',
  '[[1,7]]',
  '[["odd"]]',
  '[[1,"map",["x"],7]]',
])('%s, which is not a frame, is shown as it is, and rejected', async (frame) => {
  const address = `${platform.baseUrl}/__rpc/SHOWN/damaged/call`;
  const headers = { 'Content-Type': 'application/json' };
  const response = await platform.fetch(address, { method: 'POST', headers, body: frame });
  expect(await response.text()).toContain('BAD_MESSAGE');
  expect(linesOf('object', 'damaged')[0]).toBe(`up ${frame.length} bytes ${frame}`);
  expect(linesOf('object', 'damaged').at(-1)).toMatch(/^down /);
});

test('a lost connection is shown', async () => {
  using client = connect<Shown>('SHOWN', 'lost', { debug });
  await client.run('before');
  await runInDurableObject(env.SHOWN.getByName('lost'), (_, state) => {
    for (const socket of state.getWebSockets()) socket.close(1012, 'restarting');
  });
  await expect
    .poll(() => linesOf('client', 'lost'), PATIENCE)
    .toContainEqual(expect.stringMatching(/^lost the connection: .*1012 restarting/));
});

test('a rejection is shown', async () => {
  const worker = { fetch: () => new Response('No', { status: 403 }) };
  using client = connect<Shown>('SHOWN', 'refused', { transport: 'http', debug, worker });
  await expect(client.run('never')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(linesOf('client', 'refused').at(-1)).toMatch(/^is refused: .*403/);
  client.close();
});

describe('a transport with debug output', () => {
  /** A transport whose events the test causes. */
  class Told implements Transport {
    address = 'https://example.com';
    since = 5;
    isDuplex = true;
    isClosed = false;
    events: TransportEvents | undefined;
    isCongested = (): boolean => true;
    connect(events: TransportEvents): void {
      this.events = events;
    }
    send(): void {}
    close(): void {
      this.isClosed = true;
    }
  }

  const quiet: TransportEvents = {
    opened() {},
    received() {},
    lost() {},
    isAwaiting: () => false,
  };

  test('has the properties of the transport without debug output', () => {
    const shown = debug(new Told(), 'SHOWN', 'same');
    expect(shown).toMatchObject({ address: 'https://example.com', isDuplex: true, since: 5 });
    expect(shown.isCongested?.()).toBe(true);
  });

  test('hides heartbeats, and shows an answer without a call as such', () => {
    const told = new Told();
    const shown = debug(told, 'SHOWN', 'told');
    shown.connect(quiet);
    shown.send('[[1,"add",[1,2]]]');
    for (const frame of ['[]', '[[1,3]]', '[[1,3]]']) told.events?.received(frame);
    expect(linesOf('client', 'told')).toEqual([
      'connects',
      'up 17 bytes [[1,"add",[1,2]]]',
      '#1 add(1, 2) = 3 in T',
      'down 7 bytes [[1,3]]',
      '#1 an earlier call = 3',
      'down 7 bytes [[1,3]]',
    ]);
  });

  test('is closed with its connection, and shows it', () => {
    const told = new Told();
    const shown = debug(told, 'SHOWN', 'closed');
    shown.connect(quiet);
    shown.send('[[1,"add",[1,2]]]');
    shown.close();
    expect(told.isClosed).toBe(true);
    told.events?.received('[[1,3]]');
    expect(linesOf('client', 'closed').slice(2, 4)).toEqual(['closes', '#1 an earlier call = 3']);
  });

  test('forgets the unanswered calls of a lost connection', () => {
    const told = new Told();
    const shown = debug(told, 'SHOWN', 'forgotten');
    shown.connect(quiet);
    shown.send('[[1,"add",[1,2]]]');
    told.events?.lost(new RpcError('DISCONNECTED', 'cut'));
    told.events?.received('[[1,3]]');
    expect(linesOf('client', 'forgotten').slice(2, 4)).toEqual([
      'lost the connection: cut',
      '#1 an earlier call = 3',
    ]);
  });
});

test('without debug output, nothing is printed', async () => {
  using client = connect<Shown>('HIBERNATING', 'silent');
  await client.run('quiet');
  expect(lines).toEqual([]);
});

describe('every call works as without debug output', () => {
  const way = { name: 'debug output', transport: 'websocket', binding: 'SHOWN' } as const;
  const callers = new Callers(platform, way);
  afterAll(() => callers[Symbol.dispose]());

  const { 'passing streams': passing, 'reading streams': reading } = subjects;
  const part = { ...wiring, 'passing streams': passing, 'reading streams': reading };
  for (const [subject, cases = []] of Object.entries(isThorough ? subjects : part)) {
    // Values have a test above, and their tables are too long to run them again.
    if (subject === 'values') continue;
    for (const one of casesOf(cases, way)) {
      test(`${subject}: ${one.name}`, () => callers.run(one));
    }
  }
});
