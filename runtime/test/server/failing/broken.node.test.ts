/**
 * Tests objects whose constructor or `blockConcurrencyWhile` throws. The runtime gives a client no
 * reason. Calls wait until the object works again, and no call runs twice.
 */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { until } from '../../../../harness/waiting.mjs';
import { Loop } from '../../features/subscriptions/broadcaster/loops.ts';
import { failureOf } from '../../support/failure-of.ts';
import { fail, leftOf, serve } from './serve.ts';

const worker = await serve();

const TRANSPORTS = ['websocket', 'http'] as const;
const PARTS = ['constructors', 'blocks'] as const;
const CASES = PARTS.flatMap((part) => TRANSPORTS.map((transport) => ({ part, transport })));

/** More often than a client tries within a test. */
const ALWAYS = 1_000_000;

describe.each(CASES)('an object whose $part throw, over $transport', ({ part, transport }) => {
  const name = (what: string): string => `${what} ${part} ${transport}`;

  test('once: the call runs once when the object works again', async () => {
    const instance = name('once');
    await fail(worker, instance, { [part]: 1 });
    using client = worker.connect(instance, { transport });
    expect(await Promise.all([client.add(), client.addLater()])).toEqual([1, 2]);
    expect(await client.count()).toBe(2);
    expect(await leftOf(worker, instance)).toMatchObject({ [part]: 0 });
  });

  test('always: the call rejects at its timeout, and the client goes on when the object works again', async () => {
    const instance = name('always');
    await fail(worker, instance, { [part]: ALWAYS });
    using client = worker.connect(instance, { transport, timeout: 2_000 });
    expect(await failureOf(client.add())).toMatchObject({
      code: 'TIMEOUT',
      // A posted frame may have reached the object.
      maybeExecuted: transport === 'http',
    });
    await fail(worker, instance, { [part]: 0 });
    using patient = worker.connect(instance, { transport });
    expect(await patient.count()).toBe(0);
    expect(await client.add()).toBe(1);
  });

  test('when it is created again with calls on their way: each call runs once', async () => {
    const instance = name('again');
    using client = worker.connect(instance, { transport });
    using other = worker.connect(instance, { transport });
    expect(await client.add()).toBe(1);
    // The method breaks the object, which cannot be created for some time.
    await fail(worker, instance, { [part]: ALWAYS });
    const broken = failureOf(client.addAndBreak());
    await until(async () => ((await leftOf(worker, instance))[part] as number) < ALWAYS);
    const calls = Promise.all([client.add(), other.add(), other.addLater()]);
    await fail(worker, instance, { [part]: 3 });
    expect((await calls).toSorted()).toEqual([3, 4, 5]);
    expect(await broken).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    expect(await client.count()).toBe(5);
  });
});

test.each(PARTS)('a request without a client gets the status 500 if %s throw', async (part) => {
  const instance = `by hand ${part}`;
  const post = async (): Promise<string> => {
    const headers = { 'Content-Type': 'application/json' };
    const body = '[[1,"add"]]';
    const response = await fetch(worker.urlOf(instance), { method: 'POST', headers, body });
    return `${response.status} ${await response.text()}`;
  };
  await fail(worker, instance, { [part]: 1 });
  // The response contains nothing of the error.
  expect(await post()).toBe('500 Internal Server Error');
  expect(await post()).toBe('200 [[1,1]]');
});

describe.each(['DEFAULT', 'RESIDENT'] as const)(
  'a method that breaks its object, %s',
  (binding) => {
    test.each(TRANSPORTS)(
      'over %s: it has run once, and its client is told so',
      async (transport) => {
        const instance = `method ${transport}`;
        using client = worker.connect(instance, { transport }, binding);
        for (const count of [1, 2]) {
          expect(await failureOf(client.addAndBreak())).toMatchObject({
            code: 'DISCONNECTED',
            maybeExecuted: true,
          });
          expect(await client.count()).toBe(count);
        }
      },
    );

    test('subscribers go on, and receive each event once', async () => {
      const instance = 'subscribers';
      using client = worker.connect(instance, {}, binding);
      using listener = worker.connect(instance, {}, binding);
      const said = new Loop(subscribe(listener).said());
      const topics = new Loop(subscribe(listener).topic());
      await topics.has(1);
      await client.say('before');
      await said.has(1);
      await failureOf(client.addAndBreak());
      await client.say('after');
      await client.setTopic('after');
      expect(await said.has(2)).toEqual(['before', 'after']);
      await until(() => topics.heard.at(-1) === 'after');
    });
  },
);
