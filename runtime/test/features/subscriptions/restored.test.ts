/** Subscriptions of an object that was evicted: which are restored, and where they go on. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { compileContract, handleRpcClose, handleRpcMessage, live } from '../../../src/server.ts';
import { ofKind, thrownBy } from '../../support/messages.ts';
import { openSocket } from '../../support/open-socket.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import type { TestEnv } from '../../worker.ts';

const { HIBERNATING } = bindings as TestEnv;

let raw: RawConnection;
let other: RawConnection;
let instance = '';
let instances = 0;

const object = () => HIBERNATING.getByName(instance);
const evict = (): Promise<void> => evictDurableObject(object());

beforeEach(async () => {
  instance = `restored ${++instances}`;
  raw = await RawConnection.socket(await openSocket('HIBERNATING', instance, 'one'), 'runs');
  other = await RawConnection.socket(await openSocket('HIBERNATING', instance, 'other'), 'runs');
});

const eventsIn = (messages: unknown[][]): unknown[] =>
  ofKind(messages, 'next').map(([, n, , event]) => [n, event]);

const numbersIn = (messages: unknown[][]): number[] =>
  ofKind(messages, 'next').flatMap(([, , , list]) =>
    (list as { number: number }[]).map(({ number }) => number),
  );

/** Returns the class, the number and the address of a capability, as a call has them. */
async function sealOf(owner: string): Promise<string> {
  const [answer] = await other.exchange(`[1,"desk",["${owner}"]]`);
  return /"Desk".*(?=\]\]\]$)/.exec(JSON.stringify(answer))?.[0] ?? '';
}

/** Replaces the stored record of the only subscription. */
async function storeInstead(record: unknown[]): Promise<void> {
  await runInDurableObject(object(), (_, ctx) => {
    for (const socket of ctx.getWebSockets()) {
      const identity = socket.deserializeAttachment() as { subscriptions?: unknown[] };
      if (!identity.subscriptions?.length) continue;
      socket.serializeAttachment({ ...identity, subscriptions: [record] });
    }
  });
}

describe('after an eviction, there is no', () => {
  test('subscription whose number was used again without success', async () => {
    await raw.exchange('["subscribe",1,null,"news"]');
    await raw.exchange('["subscribe",1,null,"nothing"]');
    await evict();
    await other.exchange('[1001,"tell",["a"]]');
    expect(await raw.exchange()).toEqual([]);
  });

  test('subscription that had ended', async () => {
    const desk = await sealOf('ann');
    await raw.exchange(`["subscribe",1,null,["news",${desk}]]`);
    await other.exchange('[1001,"closeDesk",["ann"]]');
    expect(ofKind(await raw.exchange(), 'complete')).toHaveLength(1);
    await evict();
    await other.exchange('[2001,"tell",["a"]]');
    expect(await raw.exchange()).toEqual([]);
  });

  test.each([
    ['readonly', true],
    ['not readonly', false],
  ])('stream, whose loss is reported once: its method is %s', async (_, isReadonly) => {
    await raw.exchange('["subscribe",1,null,"news"]');
    await storeInstead([1, 'stream', isReadonly]);
    await evict();
    const [complete, ...more] = await raw.exchange();
    const lost = { code: 'DISCONNECTED', maybeExecuted: !isReadonly };
    expect(thrownBy(complete)).toMatchObject(lost);
    expect(more).toEqual([]);
    await evict();
    expect(await raw.exchange()).toEqual([]);
  });
});

test('a subscription through a capability ends when the capability is revoked', async () => {
  const desk = await sealOf('ann');
  await raw.exchange(`["subscribe",1,null,["news",${desk}]]`);
  await evict();
  await other.exchange('[1001,"closeDesk",["ann"]]');
  const [complete] = ofKind(await raw.exchange(), 'complete');
  expect(thrownBy(complete)).toMatchObject({ code: 'FORBIDDEN' });
});

test('a capability is revoked for all clients, even if the new state of one of them does not fit', async () => {
  const desk = await sealOf('ann');
  for (const one of [raw, other]) await one.exchange(`["subscribe",1,null,["news",${desk}]]`);
  // The key of the row is part of the state that is stored with the socket.
  const ended = ofKind(await raw.exchange('["subscribe",2,null,"grab",["ann",20000]]'), 'complete');
  expect(ended.map((complete) => [complete[1], thrownBy(complete)])).toEqual([
    [1, expect.objectContaining({ code: 'FORBIDDEN' })],
    [2, expect.objectContaining({ code: 'LIMIT_EXCEEDED' })],
  ]);
  const [complete] = ofKind(await other.exchange('[3001,"tell",["a secret"]]'), 'complete');
  expect(thrownBy(complete)).toMatchObject({ code: 'FORBIDDEN' });
  await evict();
  await other.exchange('[4001,"tell",["another"]]');
  for (const one of [raw, other]) expect(ofKind(await one.exchange(), 'next')).toEqual([]);
});

test('rows go on, and each comes once', async () => {
  const upTo = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const first = await raw.exchange('["subscribe",1,null,"shelf",[5000]]');
  expect(numbersIn(first)).toEqual(upTo(1, 2_048));
  await raw.exchange('["ack",1,500]');
  await evict();
  expect(numbersIn(await raw.exchange('["ack",1,1023]'))).toEqual([]);
  expect(numbersIn(await raw.exchange('["ack",1,1024]'))).toEqual(upTo(2_049, 3_072));
  await evict();
  expect(numbersIn(await raw.exchange('["ack",1,3072]'))).toEqual(upTo(3_073, 5_000));
});

describe('a log that is restored to an earlier time, and then has other events', () => {
  /** Returns the pages of the feed. */
  const pages = (): Promise<[string, unknown][]> =>
    runInDurableObject(object(), (_, { storage }) => [
      ...storage.kv.list({ prefix: '__rpc_feed:news:' }),
    ]);

  async function restore(stored: [string, unknown][]): Promise<void> {
    await runInDurableObject(object(), (_, { storage }) => {
      for (const [key, value] of stored) storage.kv.put(key, value);
    });
  }

  let call = 0;
  const tell = async (...news: string[]): Promise<void> => {
    call += 1_000;
    await other.exchange(...news.map((one, index) => `[${call - 999 + index},"tell",["${one}"]]`));
  };

  /** Returns the cursor after each event that arrived, as a client makes it. */
  function cursorsIn(messages: unknown[][]): string[] {
    let epoch: unknown;
    return messages.flatMap(([kind, , event, next]) => {
      if (kind === 'epoch') epoch = next;
      return kind === 'next' ? `${event}.${epoch}` : [];
    });
  }

  beforeEach(() => (call = 0));

  test.each([
    ['with fewer events than were sent', ['d']],
    ['with as many events', ['d', 'e']],
    ['with more events', ['d', 'e', 'f']],
  ])('expires for a subscriber, %s', async (_, news) => {
    await raw.exchange('["subscribe",1,null,"news"]');
    await tell('a');
    const stored = await pages();
    await tell('b', 'c');
    expect(eventsIn(await raw.exchange())).toEqual(['a', 'b', 'c'].map((event) => [1, event]));
    await restore(stored);
    await tell(...news);
    const [complete, ...more] = await raw.exchange();
    expect(thrownBy(complete)).toMatchObject({ code: 'CURSOR_EXPIRED' });
    expect(more).toEqual([]);
  });

  test('expires for a subscriber that was sent as many events, after a transaction that was rolled back', async () => {
    await raw.exchange('["subscribe",1,null,"news"]');
    await tell('a');
    const stored = await pages();
    await tell('ghost');
    expect(eventsIn(await raw.exchange())).toHaveLength(2);
    await restore(stored);
    // The text is equal, so the contents of a page cannot distinguish the two events.
    await tell('ghost');
    expect(thrownBy((await raw.exchange())[0])).toMatchObject({ code: 'CURSOR_EXPIRED' });
  });

  test.each([
    ['in the same life of the object', () => Promise.resolve()],
    ['in another life', evict],
  ])('expires the cursors of events that are gone, and no others, %s', async (_, between) => {
    await raw.exchange('["subscribe",1,null,"news"]');
    await tell('a');
    // Hibernation expires no cursor.
    await evict();
    await tell('b');
    const stored = await pages();
    await evict();
    await tell('c', 'd');
    const cursors = cursorsIn(await raw.exchange());
    expect(new Set(cursors.map((cursor) => cursor.split('.')[1])).size).toBe(3);
    await restore(stored);
    await between();
    await tell('e', 'f', 'g');
    const outcome = async (cursor: string): Promise<unknown> => {
      const messages = await other.exchange(`["subscribe",9,"${cursor}","news"]`);
      const [complete] = ofKind(messages, 'complete');
      return complete ? thrownBy(complete) : eventsIn(messages).map((one) => (one as unknown[])[1]);
    };
    expect(await outcome('0.')).toEqual(['a', 'b', 'e', 'f', 'g']);
    expect(await outcome(cursors[0] as string)).toEqual(['b', 'e', 'f', 'g']);
    expect(await outcome(cursors[1] as string)).toEqual(['e', 'f', 'g']);
    for (const cursor of cursors.slice(2)) {
      expect(await outcome(cursor)).toMatchObject({ code: 'CURSOR_EXPIRED' });
    }
  });

  test('tells a subscriber from before hibernation where it goes on', async () => {
    await raw.exchange('["subscribe",1,null,"news"]');
    await tell('a');
    const stored = await pages();
    await tell('b', 'c');
    await raw.exchange();
    await evict();
    await restore(stored);
    await evict();
    await tell('d');
    // The client has event 3, so it notices the difference.
    expect(await raw.exchange()).toEqual([
      ['epoch', 1, 1, expect.any(String)],
      ['next', 1, 2, 'd'],
    ]);
  });

  test('ends a subscriber from before hibernation that has acknowledged events that are gone', async () => {
    await raw.exchange('["subscribe",1,null,"news"]');
    await tell('a');
    const stored = await pages();
    await tell('b', 'c');
    await raw.exchange('["ack",1,2]');
    await restore(stored);
    await evict();
    await tell('d', 'e', 'f');
    const [complete, ...more] = await raw.exchange();
    expect(thrownBy(complete)).toMatchObject({ code: 'CURSOR_EXPIRED' });
    expect(more).toEqual([]);
  });
});

test('a method that is no longer live ends its subscription', async () => {
  await raw.exchange('["subscribe",1,null,"count"]');
  // Another deployment would find this record.
  await storeInstead([1, 'live', [1, 'runs'], false]);
  await evict();
  await other.exchange('[1,"run",["a"]]');
  const [complete] = ofKind(await raw.exchange(), 'complete');
  expect(thrownBy(complete)).toMatchObject({
    code: 'METHOD_NOT_FOUND',
    message: 'runs is no longer live',
  });
});

describe('the first event of an isolate, for a class that calls the handlers itself', () => {
  const contract = compileContract({
    value: live(),
    increment: [],
  });

  test.each([
    [
      'can be a message, and a changed live value is sent',
      (socket: WebSocket, own: object) =>
        handleRpcMessage(socket, '[[1,"increment"]]', own, contract),
      '[[1,1],["value",1,1]]',
    ],
    [
      'can be the end of another connection, and live methods run again',
      (_: WebSocket, own: object, ended: WebSocket) =>
        handleRpcClose(ended, 1000, '', own, contract),
      '[["value",1,0]]',
    ],
  ])('%s', async (name, happen, expected) => {
    await runInDurableObject(HIBERNATING.getByName(name), async (_, ctx) => {
      // The runtime does not know the contract of this class, because no request has arrived.
      class Own {
        readonly ctx = ctx;
        #value = 0;
        value = (): number => this.#value;
        increment = (): number => ++this.#value;
      }
      const { 0: client, 1: socket } = new WebSocketPair();
      const { 1: ended } = new WebSocketPair();
      for (const accepted of [socket, ended]) {
        ctx.acceptWebSocket(accepted, ['lumenize-rpc.1']);
        accepted.serializeAttachment({});
      }
      socket.serializeAttachment({ subscriptions: [[1, 'live', [1, 'value'], false]] });
      const heard: unknown[] = [];
      client.addEventListener('message', ({ data }) => void heard.push(data));
      client.accept();
      const own = new Own();
      happen(socket, own, ended);
      await scheduler.wait(0);
      handleRpcMessage(socket, '[]', own, contract);
      await vi.waitUntil(() => heard.at(-1) === '[]', { timeout: 50_000 });
      expect(heard.join('')).toBe(`${expected}[]`);
      client.close();
    });
  });
});
