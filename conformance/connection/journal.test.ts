/** Each call once, on the bare runtime: through kills, repeats and the limits of what is remembered. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RpcClientOptions } from '../../template/src/rpc/client.ts';
import { decodeAnswer, decodeFrame } from '../../template/src/rpc/wire/messages.ts';
import { Proxy as NetworkProxy } from '../../torture/proxy.ts';
import { until } from '../../harness/waiting.mjs';
import { Server } from './server.ts';
import { type Binding, failureOf, Watched } from './watched.ts';

let server: Server;
let instance = '';
let instances = 0;

beforeAll(async () => {
  server = await Server.make();
});

afterAll(() => server?.stop());

beforeEach(() => {
  instance = `object ${++instances}`;
});

const watch = (options: RpcClientOptions = {}, binding: Binding = 'DEFAULT'): Watched =>
  new Watched(binding, instance, { baseUrl: server.url, ...options });

/** A POST of a frame, as a client of that id makes it. */
async function post(client: string, frame: string, binding: Binding = 'DEFAULT'): Promise<string> {
  const response = await fetch(
    `${server.url}/__rpc/${binding}/${encodeURIComponent(instance)}/call`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'lumenize-rpc-client': client },
      body: frame,
    },
  );
  return response.text();
}

/** What a frame's only answer threw. */
function thrownIn(frame: string): unknown {
  const [message] = decodeFrame(frame);
  const answer = decodeAnswer(message as Parameters<typeof decodeAnswer>[0]);
  return 'thrown' in answer ? answer.thrown : undefined;
}

const INTERRUPTED = { code: 'DISCONNECTED', maybeExecuted: true };

test('a POST that is repeated while the first is running waits for it: one execution', async () => {
  using other = watch({ transport: 'http' });
  const frame = '[[1,"addInTwoTurns",["gate"]]]';
  const first = post('repeating', frame);
  await until(async () => (await other.client.count()) === 1);
  const second = post('repeating', frame);
  await until(async () => (await other.client.requests()).length > 3);
  await other.client.openGate('gate');
  expect(await Promise.all([first, second])).toEqual(['[[1,11]]', '[[1,11]]']);
  expect(await other.client.count()).toBe(11);
  expect(await post('repeating', frame)).toBe('[[1,11]]');
});

test.each(['websocket', 'http'] as const)(
  'an asynchronous method that is stopped between its turns is not run again, over %s',
  async (transport) => {
    using watched = watch({ transport });
    const call = failureOf(watched.client.addInTwoTurns('gate'));
    using other = watch({ transport: 'http' });
    await until(async () => (await other.client.count()) === 1);
    await server.restart();
    expect(await call).toMatchObject(INTERRUPTED);
    expect(await watched.client.count()).toBe(1);
    expect(await watched.client.add()).toBe(2);
  },
);

test('an asynchronous method that goes on while its client is away answers it once it is back', async () => {
  const proxy = await new NetworkProxy(server.port).listen();
  using watched = watch({ baseUrl: proxy.url });
  using other = watch({ transport: 'http' });
  const call = watched.client.addInTwoTurns('gate');
  await until(async () => (await other.client.count()) === 1);
  proxy.silence('up', 'down');
  proxy.cutAll('reset');
  await other.client.openGate('gate');
  await until(async () => (await other.client.count()) === 11);
  proxy.resume();
  expect(await call).toBe(11);
  expect(await watched.client.count()).toBe(11);
  proxy.close();
});

describe('a method that throws', () => {
  test('ran once, and is answered as thrown again; what it wrote stays', async () => {
    const proxy = await new NetworkProxy(server.port).listen();
    using watched = watch({ baseUrl: proxy.url });
    using other = watch({ transport: 'http' });
    expect(await watched.client.add()).toBe(1);
    proxy.silence('down');
    const call = watched.client.addAndThrow();
    await until(async () => (await other.client.count()) === 2);
    proxy.cutAll('reset');
    await server.restart();
    proxy.resume();
    await expect(call).rejects.toThrow(new RangeError('thrown at 2'));
    expect(await watched.client.count()).toBe(2);
    proxy.close();
  });

  test('within transactionSync leaves nothing, and ran once all the same', async () => {
    const frame = '[[1,"addAllOrNothing"]]';
    const answer = await post('all or nothing', frame);
    expect(thrownIn(answer)).toEqual(new RangeError('thrown at 1'));
    expect(await post('all or nothing', '[["awaits",1],[2,"add"]]')).toBe('[[2,1]]');
    expect(await post('all or nothing', frame)).toBe(answer);
    expect(await post('all or nothing', '[[3,"count"]]')).toBe('[[3,1]]');
  });
});

describe('journal: false', () => {
  test('what was sent and not answered is refused; what reads is answered; neither runs twice', async () => {
    const proxy = await new NetworkProxy(server.port).listen();
    using watched = watch({ baseUrl: proxy.url }, 'UNJOURNALED');
    using other = watch({ transport: 'http' }, 'UNJOURNALED');
    expect(await watched.client.add()).toBe(1);
    proxy.silence('down');
    const writing = failureOf(watched.client.add());
    const reading = watched.client.count();
    await until(async () => (await other.client.count()) === 2);
    proxy.cutAll('reset');
    await watched.next('reconnecting');
    const unsent = watched.client.add();
    proxy.resume();
    expect(await writing).toMatchObject(INTERRUPTED);
    expect(await reading).toBe(2);
    expect(await unsent).toBe(3);
    expect(await watched.client.count()).toBe(3);
    proxy.close();
  });

  test('over a killed server', async () => {
    using watched = watch({}, 'UNJOURNALED');
    using other = watch({ transport: 'http' }, 'UNJOURNALED');
    const running = failureOf(watched.client.addInTwoTurns('gate'));
    await until(async () => (await other.client.count()) === 1);
    await server.restart();
    expect(await running).toMatchObject(INTERRUPTED);
    expect(await watched.client.add()).toBe(2);
  });
});

test('a method that deletes all storage leaves the journal at work', async () => {
  expect(await post('deleting', '[[1,"add"],[2,"add"]]')).toBe('[[1,1],[2,2]]');
  expect(await post('deleting', '[[3,"deleteAndAdd"]]')).toBe('[[3,1]]');
  expect(await post('deleting', '[[3,"deleteAndAdd"]]')).toBe('[[3,1]]');
  expect(await post('deleting', '[[4,"add"]]')).toBe('[[4,2]]');
  expect(await post('deleting', '[[4,"add"]]')).toBe('[[4,2]]');
  using watched = watch();
  expect(await watched.client.deleteAndAdd()).toBe(1);
  expect(await watched.client.add()).toBe(2);
  expect(await watched.client.deleteAndAdd()).toBe(1);
});

describe('an answer too large for a row', () => {
  test.each([
    ['ASCII', 'x', 3_000_000],
    ['three bytes a character', '\u20ac', 900_000],
    ['four bytes a pair', '\u{1f600}', 450_000],
  ])('in %s arrives, and the call is not run again', async (_, character, times) => {
    const frame = `[[1,"addAndReturn",["${character}",${times}]]]`;
    const answer = await post('large', frame);
    expect(answer.length).toBeGreaterThan(character.length * times);
    const again = await post('large', frame);
    if (again !== answer) expect(thrownIn(again)).toMatchObject(INTERRUPTED);
    expect(await post('large', '[[2,"add"]]')).toBe('[[2,2]]');
    expect(await post('large', '[[2,"add"]]')).toBe('[[2,2]]');
  });

  test('and many that are too large together', async () => {
    using watched = watch();
    const calls = Array.from({ length: 20 }, () => watched.client.addAndReturn('\u20ac', 200_000));
    for (const answer of await Promise.all(calls)) expect(answer).toHaveLength(200_000);
    expect(await watched.client.count()).toBe(20);
    expect(await watched.client.add()).toBe(21);
  });

  test('does not make calls forgotten that have not come yet', async () => {
    expect(await post('later', '[["awaits",1],[2,"addAndReturn",["x",2000000]]]')).toContain('xxx');
    expect(await post('later', '[[1,"add"]]')).toBe('[[1,2]]');
  });
});

describe.each([
  { name: 'an object that stays', restarts: false },
  // So often that in no life it meets as many new clients as it takes to tidy up.
  { name: 'an object that is restarted again and again', restarts: true },
])('more clients than are remembered with their answers, $name', ({ restarts }) => {
  test('late repeats of the oldest are refused and never run; of the newest answered', async () => {
    const CLIENTS = 1_300;
    for (let first = 0; first < CLIENTS; first += 50) {
      const batch = Array.from({ length: 50 }, (_, index) =>
        post(`client ${first + index}`, '[[1,"add"]]'),
      );
      await Promise.all(batch);
      if (restarts) await server.restart();
    }
    expect(await post('client 0', '[[2,"count"]]')).toBe(`[[2,${CLIENTS}]]`);
    expect(thrownIn(await post('client 0', '[[1,"add"]]'))).toMatchObject(INTERRUPTED);
    expect(thrownIn(await post('client 0', '[["resent",1],[1,"add"]]'))).toMatchObject(INTERRUPTED);
    expect(await post(`client ${CLIENTS - 1}`, '[[1,"add"]]')).toMatch(/^\[\[1,\d+\]\]$/);
    expect(await post('client 0', '[[3,"add"]]')).toBe(`[[3,${CLIENTS + 1}]]`);
  });
});
