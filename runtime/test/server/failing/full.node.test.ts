/**
 * Tests an object whose storage is full, for the class and for the journal. A call that changes
 * something rejects, says that it may have run, and does not run twice. Everything else goes on,
 * and the object recovers when there is room again.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Loop } from '../../features/subscriptions/broadcaster/loops.ts';
import { failureOf } from '../../support/failure-of.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { fail, leftOf, serve } from './serve.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `object ${++instances}`;
});

const TRANSPORTS = ['websocket', 'http'] as const;
const REFUSED = { code: 'UNAVAILABLE', maybeExecuted: true };

const fill = (isFull: boolean): Promise<void> => fail(worker, instance, { isFull });
const runs = async (): Promise<number> => (await leftOf(worker, instance)).runs;

/** Larger than the row of a client. */
const LARGE = 'x'.repeat(20_000);

describe.each(TRANSPORTS)('over %s', (transport) => {
  test('calls that change something say that they may have run, and other calls are answered', async () => {
    using client = worker.connect(instance, { transport });
    expect(await client.add()).toBe(1);
    await fill(true);
    const calls = [client.add(), client.addLater(), client.say('a')];
    const works = [client.work(''), client.work(LARGE), client.workLater('')];
    const reads = [client.count(), client.one()];
    const failures = await Promise.all([...calls, ...works].map((call) => failureOf(call)));
    for (const failure of failures) expect(failure).toMatchObject(REFUSED);
    expect(await Promise.all(reads)).toEqual([1, 1]);
    expect(await runs()).toBe(3);
    await fill(false);
    expect(await client.add()).toBe(2);
    expect(await client.work(LARGE)).toBe(LARGE);
  });

  test('in the frame in which the storage becomes full, no change is answered', async () => {
    using client = worker.connect(instance, { transport });
    expect(await client.add()).toBe(1);
    // A frame has one write of the journal, so no answer of it is stored.
    const [add, , work] = [client.add(), client.fill(true), client.work('')];
    for (const failure of await Promise.all([failureOf(add), failureOf(work)])) {
      expect(failure).toMatchObject(REFUSED);
    }
    expect(await client.fill(false)).toBe(false);
    expect(await client.count()).toBe(2);
    expect(await client.add()).toBe(3);
    expect(await runs()).toBe(1);
  });
});

describe('a call whose answer is lost with its connection', () => {
  const WORKS = ['work', 'workLater'].map((method) => `[2,"${method}",["done"]]`);
  const BEFORE = '[[1,"add"]]';
  /** The calls from 2 on are sent again. */
  const again = (work: string): string => `[["awaits",2],["resent",2],${work}]`;

  test.each(WORKS)('does not run again over a WebSocket: %s', async (work) => {
    const open = (): Promise<RawConnection> => worker.raw(instance, { client: 'one-client' });
    using first = await open();
    first.send(BEFORE);
    expect(await first.next()).toBe('[[1,1]]');
    await fill(true);
    first.send(`[${work}]`);
    expect(await first.next()).toMatch(/^\[\[2,"error",.*"UNAVAILABLE","maybeExecuted":true/);
    await first.close();
    for (let time = 0; time < 2; time++) {
      using next = await open();
      next.send(again(work));
      expect(await next.next()).toMatch(/^\[\[2,"error",.*"maybeExecuted":true/);
      await next.close();
    }
    expect(await runs()).toBe(1);
    // The answer is stored as soon as there is room.
    await fill(false);
    using last = await open();
    last.send(again(work));
    expect(await last.next()).toMatch(/^\[\[2,"error",.*"maybeExecuted":true/);
    expect(await runs()).toBe(1);
    await worker.restart();
    using other = await open();
    other.send(again(work));
    expect(await other.next()).toMatch(/^\[\[2,"error",.*"maybeExecuted":true/);
  });

  test.each(WORKS)('does not run again by POST: %s', async (work) => {
    const post = RawConnection.post(worker.urlOf(instance), { client: 'one-client' });
    post.send(BEFORE);
    expect(await post.next()).toBe('[[1,1]]');
    await fill(true);
    post.send(`[${work}]`);
    expect(await post.next()).toMatch(/^\[\[2,"error",.*"UNAVAILABLE","maybeExecuted":true/);
    for (const isFull of [true, false, true]) {
      await fill(isFull);
      post.send(again(work));
      expect(await post.next()).toMatch(/^\[\[2,"error",.*"maybeExecuted":true/);
    }
    expect(await runs()).toBe(1);
  });

  test.each(WORKS)('of a client without stored answers: %s', async (work) => {
    const post = RawConnection.post(worker.urlOf(instance), { client: 'one-client' });
    await fill(true);
    post.send(`[${work}]`);
    expect(await post.next()).toMatch(/^\[\[2,"error",.*"UNAVAILABLE","maybeExecuted":true/);
    post.send(again(work));
    expect(await post.next()).toMatch(/^\[\[2,"error",.*"maybeExecuted":true/);
    expect(await runs()).toBe(1);
  });
});

test('refused rows of disconnected clients are stored when another client calls', async () => {
  await fill(true);
  for (const client of ['one', 'two', 'three']) {
    const post = RawConnection.post(worker.urlOf(instance), { client });
    post.send('[[1,"work",["done"]]]');
    expect(await post.next()).toMatch(/^\[\[1,"error",.*"UNAVAILABLE","maybeExecuted":true/);
  }
  await fill(false);
  using other = worker.connect(instance);
  expect(await other.add()).toBe(1);
  await worker.restart();
  for (const client of ['one', 'two', 'three']) {
    const post = RawConnection.post(worker.urlOf(instance), { client });
    post.send('[["awaits",1],["resent",1],[1,"work",["done"]]]');
    expect(await post.next()).toMatch(/^\[\[1,"error",.*"DISCONNECTED","maybeExecuted":true/);
  }
  // A Worker that has restarted counts from 0.
  expect(await runs()).toBe(0);
});

test('subscribers keep their subscriptions, and receive later values when there is room again', async () => {
  using client = worker.connect(instance);
  using listener = worker.connect(instance);
  const said = new Loop(subscribe(listener).said());
  const topics = new Loop(subscribe(listener).topic());
  await topics.has(1);
  await client.say('a');
  await said.has(1);
  await fill(true);
  expect(await failureOf(client.say('lost'))).toMatchObject(REFUSED);
  expect(await failureOf(client.setTopic('lost'))).toMatchObject(REFUSED);
  // A new connection receives both events.
  using late = worker.connect(instance);
  const lateTopics = new Loop(subscribe(late).topic());
  expect(await lateTopics.has(1)).toEqual(['']);
  await fill(false);
  await client.say('b');
  await client.setTopic('b');
  expect(await said.has(2)).toEqual(['a', 'b']);
  expect(await topics.has(2)).toEqual(['', 'b']);
});
