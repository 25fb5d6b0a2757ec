/** Calls of many callers in different ticks can leave together. */
import { beforeEach, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../harness/network-proxy.ts';
import { until } from '../../../harness/waiting.mjs';
import type { RpcClientOptions } from '../../src/client.ts';
import { serve } from '../served/serve.ts';
import type { Default } from '../served/worker.ts';
import { failureOf } from '../support/failure-of.ts';
import type { Watched } from '../support/watched.ts';

const worker = await serve();
let instance = '';
let instances = 0;
let posts = 0;

beforeEach(() => {
  instance = `callers ${++instances}`;
  posts = 0;
});

const countingFetch: typeof fetch = (input, init) => {
  posts++;
  return fetch(input, init);
};

const watch = (options?: RpcClientOptions): Watched<Default> =>
  worker.watch(instance, { fetch: countingFetch, ...options });

/** Returns how many frames with calls have been sent. */
const framesOf = ({ sockets }: Watched<Default>): number =>
  posts + sockets.flatMap(({ sent }) => sent).filter((frame) => frame !== '[]').length;

/** Makes calls that are not answered. */
async function occupy(watched: Watched<Default>, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++) void failureOf(watched.client.wait('never'));
  await until(() => framesOf(watched) > 0);
}

/** Makes `calls` calls, each in another tick. */
async function callApart({ client }: Watched<Default>, calls: number): Promise<number[]> {
  const answers: Promise<number>[] = [];
  for (let call = 0; call < calls; call++) {
    answers.push(client.add());
    // These ticks are more than a frame needs to leave.
    for (let tick = 0; tick < 5; tick++) await undefined;
  }
  return Promise.all(answers);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('a call leaves at the end of its tick while fewer than 8 are in flight', async () => {
  using watched = watch();
  await occupy(watched, 4);
  expect(await callApart(watched, 3)).toEqual(upTo(3));
  expect(framesOf(watched)).toBe(1 + 3);
});

test('while 8 are in flight, later calls wait for each other', async () => {
  using watched = watch();
  await occupy(watched, 8);
  expect(await callApart(watched, 20)).toEqual(upTo(20));
  expect(framesOf(watched)).toBe(1 + 1);
});

test('calls that are answered in one turn make their next calls leave together', async () => {
  using watched = watch();
  await occupy(watched, 1);
  const caller = async (): Promise<void> => {
    for (let call = 0; call < 10; call++) await watched.client.add();
  };
  const callers = upTo(50).map(async (number) => {
    for (let tick = 0; tick < 5 * number; tick++) await undefined;
    await caller();
  });
  await Promise.all(callers);
  expect(await watched.client.add()).toBe(501);
  expect(framesOf(watched)).toBeLessThan(250);
});

test('a call does not wait after many calls have been answered', async () => {
  using watched = watch();
  await occupy(watched, 3);
  await Promise.all(upTo(50).map(() => watched.client.add()));
  const before = framesOf(watched);
  await callApart(watched, 3);
  expect(framesOf(watched)).toBe(before + 3);
});

test('a call does not wait because of calls of a lost connection', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using watched = watch({ baseUrl: proxy.url });
  await occupy(watched, 4);
  proxy.cutAll('reset');
  await watched.next('reconnecting');
  await watched.next('open');
  const before = framesOf(watched);
  expect(await callApart(watched, 3)).toEqual(upTo(3));
  expect(framesOf(watched)).toBe(before + 3);
  proxy.close();
});

test('a call that waits for others is rejected when the client is closed', async () => {
  using watched = watch();
  await occupy(watched, 8);
  const call = failureOf(watched.client.add());
  for (let tick = 0; tick < 5; tick++) await undefined;
  watched.client.close();
  expect((await call).code).toBe('CLOSED');
});

// Requests that share a client of a Worker have no timers in common.
test('over HTTP each call is a request of its own', async () => {
  using watched = watch({ transport: 'http' });
  await occupy(watched, 8);
  await callApart(watched, 10);
  expect(framesOf(watched)).toBe(1 + 10);
});
