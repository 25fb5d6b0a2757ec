/** Tests limits at, just under and just over their values, and a client that is slowed down. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RpcClientOptions } from '../../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { CALLS_IN_FLIGHT, FRAME_SIZE } from '../../../src/wire/limits.ts';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { type Binding, type Client, serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import type { Watched } from '../../support/watched.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `object ${++instances}`;
});

const watch = (binding: Binding, options: RpcClientOptions = {}): Watched<Default> =>
  worker.watch(instance, options, binding);

const openRaw = (binding: Binding, client: string = crypto.randomUUID()): Promise<RawConnection> =>
  worker.raw(instance, { binding, client });

/** A WebSocket frame with a reserved opcode. */
const INVALID = Uint8Array.of(0x8b, 0x80, 0, 0, 0, 0);

/** Opens a WebSocket, and returns its TCP connection. */
async function openBroken(binding: Binding): Promise<Duplex> {
  const request = httpRequest({
    port: worker.runtime.port,
    host: '127.0.0.1',
    path: `/__rpc/${binding}/${encodeURIComponent(instance)}/call`,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'Sec-WebSocket-Protocol': 'lumenize-rpc.1',
    },
  });
  request.end();
  const [, socket] = (await once(request, 'upgrade')) as [unknown, Duplex];
  return socket;
}

describe.each(['PAIR', 'RESIDENT_PAIR'] as const)('connections, %s', (binding) => {
  test('a connection beyond the limit is refused, and waits until another closes', async () => {
    using first = watch(binding);
    using second = watch(binding);
    expect(await first.client.add()).toBe(1);
    expect(await second.client.add()).toBe(2);
    using third = watch(binding);
    const call = third.client.add();
    expect(await third.next('reconnecting')).toMatchObject({
      attempt: 1,
      error: { code: 'UNAVAILABLE', status: 503 },
    });
    await third.next('reconnecting');
    first.client.close();
    expect(await call).toBe(3);
    expect(await second.client.count()).toBe(3);
    expect(second.stateNames).toEqual(['connecting', 'open']);
  });

  test('a POST does not count as a connection', async () => {
    using first = watch(binding);
    using second = watch(binding);
    await Promise.all([first.client.add(), second.client.add()]);
    using third = watch(binding, { transport: 'http' });
    expect(await third.client.add()).toBe(3);
  });

  test('a lost connection makes room', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using first = watch(binding, { baseUrl: proxy.url });
    using second = watch(binding);
    await Promise.all([first.client.add(), second.client.add()]);
    proxy.cutAll('reset');
    await first.next('reconnecting');
    expect(await first.client.add()).toBe(3);
    proxy.close();
  });

  test('a connection that broke the WebSocket protocol makes room', async () => {
    using first = watch(binding);
    await first.client.add();
    const broken = await openBroken(binding);
    using third = watch(binding);
    const call = third.client.add();
    await third.next('reconnecting');
    broken.write(INVALID);
    expect(await call).toBe(2);
    broken.destroy();
  });
});

describe.each(['PAIR', 'RESIDENT_PAIR'] as const)('half-open connections, %s', (binding) => {
  test('of a client that connects again are replaced', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using first = watch(binding, { baseUrl: proxy.url });
    using second = watch(binding, { baseUrl: proxy.url });
    await Promise.all([first.client.add(), second.client.add()]);
    // The object does not notice the loss.
    proxy.forget('client');
    expect(await first.client.add()).toBe(3);
    expect(await second.client.add()).toBe(4);
    using third = watch(binding);
    const call = third.client.add();
    expect(await third.next('reconnecting')).toMatchObject({ error: { status: 503 } });
    first.client.close();
    proxy.close();
    expect(await call).toBe(5);
  });

  test('are at most as many as the limit of connections', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using first = watch(binding, { baseUrl: proxy.url });
    for (let times = 1; times <= 4; times++) {
      expect(await first.client.add()).toBe(times);
      if (times < 4) proxy.forget('client');
    }
    proxy.forget('client');
    const call = first.client.add();
    let { error } = await first.next('reconnecting');
    while (error?.status !== 503) ({ error } = await first.next('reconnecting'));
    proxy.cutAll('reset');
    expect(await call).toBe(5);
    proxy.close();
  });
});

describe.each(['websocket', 'http'] as const)('calls in flight, over %s', (transport) => {
  test('a call beyond the limit is refused alone, and the others are answered', async () => {
    using watched = watch('SMALL', { transport });
    using other = watch('SMALL', { transport: 'http' });
    const { client } = watched;
    const running = ['a', 'b', 'c'].map((gate) => client.wait(gate));
    const refused = failureOf(client.wait('d'));
    for (const gate of ['a', 'b', 'c']) await other.client.openGate(gate);
    expect(await Promise.all(running)).toEqual(['a', 'b', 'c']);
    expect((await refused).code).toBe('LIMIT_EXCEEDED');
    expect(await client.add()).toBe(1);
  });
});

test('calls in flight up to the limit are also answered over a new connection', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using watched = watch('SMALL', { baseUrl: proxy.url });
  using other = watch('SMALL', { transport: 'http' });
  const running = ['a', 'b', 'c'].map((gate) => watched.client.addInTwoTurns(gate));
  await until(async () => (await other.client.count()) === 3);
  proxy.cutAll('reset');
  await watched.next('reconnecting');
  await watched.next('open');
  for (const gate of ['a', 'b', 'c']) await other.client.openGate(gate);
  expect(await Promise.all(running)).toEqual([13, 23, 33]);
  expect(await watched.client.count()).toBe(33);
  proxy.close();
});

describe.each(['websocket', 'http'] as const)('frame size, over %s', (transport) => {
  /**
   * The number of characters of a frame with one call of `length` beside its text:
   * `[[1,"length",[""]]]`.
   */
  const OVERHEAD = 19;

  test.each([
    { size: 999, isAllowed: true },
    { size: 1000, isAllowed: true },
    { size: 1001, isAllowed: false },
  ])('$size characters if 1000 are allowed', async ({ size, isAllowed }) => {
    using watched = watch('SMALL', { transport });
    const call = watched.client.length('x'.repeat(size - OVERHEAD));
    if (isAllowed) expect(await call).toBe(size - OVERHEAD);
    else expect((await failureOf(call)).code).toBe('LIMIT_EXCEEDED');
    expect(await watched.client.add()).toBe(1);
  });

  test.each([4, 5])('%i calls in a frame if 4 are allowed', async (calls) => {
    using watched = watch('SMALL', { transport });
    const made = Array.from({ length: calls }, () => watched.client.add());
    if (calls === 4) expect(await Promise.all(made)).toEqual([1, 2, 3, 4]);
    else for (const call of made) expect((await failureOf(call)).code).toBe('LIMIT_EXCEEDED');
    expect(await watched.client.add()).toBe(calls === 4 ? 5 : 1);
  });
});

test('a call that was refused for its size is not sent again after a lost connection', async () => {
  using watched = watch('SMALL');
  const { client } = watched;
  expect((await failureOf(client.length('x'.repeat(2_000)))).code).toBe('LIMIT_EXCEEDED');
  await worker.restart();
  await watched.next('reconnecting');
  expect(await client.add()).toBe(1);
  const [, again] = watched.sockets.filter(({ sent }) => sent.length > 0);
  expect(again?.sent.join('')).not.toContain('xxx');
});

describe('a client on a slow line', () => {
  const LARGE = 1_000_000;

  test('holds calls back while much text is waiting, and all calls are answered', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    proxy.rate = 4_000_000;
    using watched = watch('DEFAULT', { baseUrl: proxy.url });
    const { client }: { client: Client } = watched;
    await client.add();
    const text = 'x'.repeat(LARGE);
    const calls = Array.from({ length: 40 }, () => client.length(text));
    await until(() => (watched.sockets[0]?.mostBuffered ?? 0) > FRAME_SIZE);
    const late = client.add();
    proxy.rate = Infinity;
    expect(new Set(await Promise.all(calls))).toEqual(new Set([LARGE]));
    expect(await late).toBe(2);
    // The limit is checked before each frame, so one frame may exceed it.
    expect(watched.sockets[0]?.mostBuffered).toBeLessThan(2 * FRAME_SIZE + LARGE);
    proxy.close();
  });

  test('that makes many calls stays within the default limit of calls in flight', async () => {
    using watched = watch('DEFAULT');
    const calls = Array.from({ length: 2.5 * CALLS_IN_FLIGHT }, () => watched.client.add());
    const answers = await Promise.all(calls);
    expect(answers).toEqual(calls.map((_, index) => index + 1));
  });
});

describe('running methods', () => {
  test('count until they end, even if they are cancelled', async () => {
    const socket = await openRaw('SMALL');
    socket.send('[[1,"wait",["a"]],[2,"wait",["a"]],[3,"wait",["a"]]]');
    socket.send('[["cancel",1,2,3]]');
    expect(await socket.ask('[4,"count"]')).toContain('"LIMIT_EXCEEDED"');
    using other = watch('SMALL');
    await other.client.openGate('a');
    await until(async () => (await socket.ask('[5,"count"]')) === '[[5,0]]');
    socket.close();
  });
});

describe('calls in a second', () => {
  test('beyond the limit are refused before the object handles them', async () => {
    const socket = await openRaw('RATED');
    const calls = Array.from({ length: 8 }, (_, index) => `[${index + 1},"add"]`);
    // The object does not look for other errors in the refused calls.
    const answers = JSON.parse(await socket.ask(`${calls},[9,"nope"],[10]`)) as unknown[][];
    expect(answers.slice(0, 5)).toEqual([1, 2, 3, 4, 5].map((id) => [id, id]));
    for (const refused of answers.slice(5)) {
      expect(JSON.stringify(refused)).toContain('callsPerSecond is at most 5');
    }
    using other = watch('RATED');
    expect(await other.client.count()).toBe(5);
    // The allowance grows again.
    await until(async () => (await socket.ask('[11,"count"]')) === '[[11,5]]');
    socket.close();
  });

  test('do not apply to calls that have run and are sent again', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch('RATED', { baseUrl: proxy.url });
    using other = watch('RATED', { transport: 'http' });
    expect(await watched.client.count()).toBe(0);
    proxy.silence('down');
    const calls: Promise<number>[] = [];
    for (const count of [4, 8]) {
      while (calls.length < count) calls.push(watched.client.add());
      await until(async () => (await other.client.count()) === count);
      // The allowance grows again.
      await sleep(1_000);
    }
    proxy.cutAll('reset');
    await watched.next('reconnecting');
    proxy.resume();
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await other.client.count()).toBe(8);
    proxy.close();
  });

  test('apply to calls that are sent again and have not run, or are readonly', async () => {
    const socket = await openRaw('RATED');
    const codesOf = (answers: string): unknown[] =>
      (JSON.parse(answers) as unknown[][]).map((answer) =>
        answer.length > 2 ? /"code":"(\w+)"/.exec(JSON.stringify(answer))?.[1] : answer[1],
      );
    const calls = (from: number, method: string): string =>
      Array.from({ length: 6 }, (_, index) => `[${from + index},"${method}"]`).join();
    const exceeded = 'LIMIT_EXCEEDED';
    const added = await socket.ask(`["resent",6,0],${calls(1, 'add')}`);
    expect(codesOf(added)).toEqual([1, 2, 3, 4, 5, exceeded]);
    // These ids belong to calls that have run.
    const read = codesOf(await socket.ask(`["resent",6,0],${calls(1, 'count')}`));
    expect(read.at(-1)).toBe(exceeded);
    socket.close();
  });

  test('without a client id are refused when they are sent again, because they may have run', async () => {
    const socket = await openRaw('RATED', '');
    const calls = Array.from({ length: 6 }, (_, index) => `[${index + 1},"add"]`);
    const answers = JSON.parse(await socket.ask(`["resent",6,0],${calls}`)) as unknown[];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toMatch(/"code":"DISCONNECTED","maybeExecuted":true/);
    }
    socket.close();
  });

  test('close a connection that sends the same calls again and again', async () => {
    const socket = await openRaw('RATED');
    const calls = '["resent",5,0],[1,"add"],[2,"add"],[3,"add"],[4,"add"],[5,"add"]';
    await socket.ask(calls);
    for (let times = 0; times < 2_500; times++) socket.sendMessages(calls);
    let next: string;
    do next = await socket.next();
    while (!next.startsWith('closed'));
    expect(next).toMatch(/^closed 4429/);
  });
});

test.each(['DEFAULT', 'RESIDENT'] as const)(
  'a client whose calls are refused lets other clients go first: %s',
  async (binding) => {
    const abuser = await openRaw(binding);
    const other = await openRaw(binding);
    const nextOf = (id: number): string =>
      JSON.stringify(Array.from({ length: 100 }, (_, index) => [id + index, 'add', ['one']]));
    let sent = 0;
    let refused = 0;
    const send = (): void => abuser.send(nextOf(1 + 100 * sent++));
    const flood = (async () => {
      // Four frames are always on their way.
      for (; refused < 90; refused++) {
        await abuser.next();
        if (sent < 90) send();
      }
    })();
    for (let ahead = 0; ahead < 4; ahead++) send();
    let answered = 0;
    const isFlooded = (): boolean => refused < 90;
    while (isFlooded()) expect(await other.ask(`[${++answered},"count"]`)).toContain('0]]');
    await flood;
    expect(answered).toBeGreaterThan(20);
    // The answers are in order, also of frames that waited.
    abuser.send('[[100000,"add"]]');
    expect(await abuser.ask('[100001,"add"]')).toBe('[[100000,1]]');
    expect(await abuser.next()).toBe('[[100001,2]]');
    abuser.close();
    other.close();
  },
);

describe('a frame that is refused as a whole', () => {
  test('rejects only its own calls, and no running or later call', async () => {
    using watched = watch('SMALL');
    using other = watch('SMALL', { transport: 'http' });
    const { client } = watched;
    const running = client.addInTwoTurns('gate');
    await until(async () => (await other.client.count()) === 1);
    const tooLarge = [client.length('x'.repeat(900)), client.length('x'.repeat(900))];
    await Promise.resolve();
    await Promise.resolve();
    const later = client.add();
    const refused = { code: 'LIMIT_EXCEEDED', maybeExecuted: false };
    for (const call of tooLarge) expect(await failureOf(call)).toMatchObject(refused);
    expect(await later).toBe(2);
    const tooMany = Array.from({ length: 5 }, () => client.add());
    for (const call of tooMany) expect(await failureOf(call)).toMatchObject(refused);
    await other.client.openGate('gate');
    expect(await running).toBe(12);
  });

  test('rejects only its own calls if it comes in pieces', async () => {
    using watched = watch('SMALL');
    using other = watch('SMALL', { transport: 'http' });
    const { client } = watched;
    const running = client.addInTwoTurns('gate');
    await until(async () => (await other.client.count()) === 1);
    expect((await failureOf(client.length('x'.repeat(600_000)))).code).toBe('LIMIT_EXCEEDED');
    await other.client.openGate('gate');
    expect(await running).toBe(11);
  });

  test.each([
    ['too large', `[[7,"length",["${'x'.repeat(1_000)}"]]]`, 7],
    [
      'with messages about calls',
      `[["awaits",3,5],["resent",8,20],[7,"length",["${'x'.repeat(1_000)}"]]]`,
      7,
    ],
    ['with too many calls', `[${[7, 8, 9, 10, 11].map((id) => `[${id},"add"]`)}]`, 7],
    ['malformed', '[[7,"add"],[8', 7],
    ['too large, with a subscription', `[["subscribe",7,null,"${'x'.repeat(1_000)}"]]`, -1],
    ['too large, without a known message', `"${'x'.repeat(1_000)}"`, undefined],
  ])('%s: the rejection names its first call', async (_, frame, first) => {
    const raw = await openRaw('SMALL');
    raw.send(frame);
    const [message] = JSON.parse(await raw.next()) as [unknown[]];
    expect([message[0], message[2]]).toEqual(['error', first]);
    const binary = new TextEncoder().encode(`${frame}\0`);
    raw.send(frame.length > 1_000 ? Buffer.concat([binary, Buffer.alloc(3_000)]) : binary);
    const [again] = JSON.parse(await raw.next()) as [unknown[]];
    expect([again[0], again[2]]).toEqual(['error', first]);
    raw.close();
  });

  test('is not a frame whose first calls have run', async () => {
    const raw = await openRaw('SMALL');
    const frame = JSON.parse(await raw.ask('[1,"add"]', '["nonsense"]')) as unknown[][];
    expect(frame.map((message) => message.length)).toEqual([2, 2]);
    raw.close();
  });
});
