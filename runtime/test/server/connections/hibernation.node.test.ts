/**
 * Tests hibernation at each moment of a call. Data that an object holds only in memory keeps it
 * awake, and nothing is lost while it sleeps. Nothing runs twice. Each test waits until the object
 * would have been evicted, so all tests wait at once.
 */
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { decodeFrame } from '../../../src/wire/messages.ts';
import { ACK, LAST, MORE, PIECE_SIZE, pieceJoiner } from '../../../src/wire/pieces.ts';
import { type Client, serve } from '../../served/serve.ts';

// The tests do nothing but wait.
vi.setConfig({ maxConcurrency: 80 });

const worker = await serve();

/** The runtime evicts an object that has been idle for about ten seconds. */
const IDLE = 12_500;

const observer = (instance: string): Client => worker.connect(instance, { transport: 'http' });

/** Opens a socket that acknowledges no message until `read`. */
async function unread(instance: string) {
  const protocols = ['lumenize-rpc.1', 'lumenize-rpc-client.unread'];
  const socket = new WebSocket(worker.urlOf(instance).replace(/^http/, 'ws'), protocols);
  const held: string[] = [];
  const answers: unknown[][] = [];
  let mayRead = false;
  const join = pieceJoiner((acknowledgement) => socket.send(acknowledgement));
  const take = (message: string): void => {
    // This message acknowledges a piece.
    if (message === ACK) return;
    const frame = join(message);
    if (frame !== undefined) answers.push(...decodeFrame(String(frame)));
  };
  socket.addEventListener('message', ({ data }) => {
    if (mayRead) take(data as string);
    else held.push(data as string);
  });
  await once(socket, 'open');
  return {
    socket,
    /** The messages that have arrived and were not read. */
    held,
    /** The answers that were read. */
    answers,
    /** Reads the messages that have arrived, and later messages. */
    read(): void {
      mayRead = true;
      for (const message of held.splice(0)) take(message);
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

/** Returns the ids of answers and the lengths of their texts. */
const lengths = (answers: unknown[][]): unknown[][] =>
  answers.map(([id, text]) => [id, (text as string).length]);

test.concurrent('the pieces of an incoming frame keep the object awake, and the call runs once', async () => {
  const instance = 'arriving';
  using client = observer(instance);
  const starts = await client.starts();
  using peer = await unread(instance);
  const frame = `[[1,"length",["${'x'.repeat(2 * PIECE_SIZE)}"]],[2,"add"]]`;
  peer.socket.send(MORE);
  peer.socket.send(frame.slice(0, PIECE_SIZE));
  // The object also stays awake after a mark alone.
  await sleep(IDLE);
  peer.socket.send(MORE);
  await sleep(IDLE);
  peer.socket.send(frame.slice(PIECE_SIZE, 2 * PIECE_SIZE));
  await sleep(IDLE);
  peer.socket.send(LAST);
  peer.socket.send(frame.slice(2 * PIECE_SIZE));
  peer.read();
  await until(() => peer.answers.length === 2);
  expect(peer.answers).toEqual([
    [1, 2 * PIECE_SIZE],
    [2, 1],
  ]);
  expect(await client.starts()).toBe(starts);
});

test.concurrent('the pieces of an unacknowledged answer keep the object awake, and all arrive', async () => {
  const instance = 'leaving';
  using client = observer(instance);
  const starts = await client.starts();
  using peer = await unread(instance);
  peer.socket.send('[[1,"addAndReturn",["x",2000000]]]');
  await until(() => peer.held.length > 0);
  await sleep(IDLE);
  peer.read();
  await until(() => peer.answers.length === 1);
  expect(lengths(peer.answers)).toEqual([[1, 2_000_000]]);
  expect(await client.count()).toBe(1);
  expect(await client.starts()).toBe(starts);
});

test.concurrent('the rest of a paused frame keeps the object awake, and each call runs once', async () => {
  const instance = 'paused';
  using client = observer(instance);
  const starts = await client.starts();
  using peer = await unread(instance);
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  const calls = ids.map((id) => `[${id},"addAndReturn",["x",1000000]]`);
  peer.socket.send(`[${calls.join()}]`);
  await until(async () => (await client.count()) > 0);
  await sleep(IDLE);
  // The client has not read the first answers.
  expect(await client.count()).toBeLessThan(ids.length);
  peer.read();
  await until(() => peer.answers.length === ids.length);
  expect(lengths(peer.answers)).toEqual(ids.map((id) => [id, 1_000_000]));
  expect(await client.count()).toBe(ids.length);
  expect(await client.starts()).toBe(starts);
});

test.concurrent('a waiting call keeps the object awake, and so does a call that takes its result', async () => {
  const instance = 'waiting';
  using client = worker.connect(instance);
  using other = observer(instance);
  const starts = await other.starts();
  const waiting = client.addInTwoTurns('gate');
  const taking = client.plus(waiting as never, 100);
  await until(async () => (await other.count()) === 1);
  await sleep(IDLE);
  await other.openGate('gate');
  expect(await Promise.all([waiting, taking])).toEqual([11, 111]);
  expect(await other.starts()).toBe(starts);
});

describe.concurrent('lets the object sleep:', () => {
  /**
   * Waits until the object has slept, with repetitions if necessary; `act` must not have woken it.
   */
  async function slept(client: Client, begin: () => Promise<unknown>): Promise<void> {
    const starts = await client.starts();
    for (let wait = IDLE; ; wait *= 2) {
      await begin();
      await sleep(wait);
      if ((await client.starts()) > starts) return;
    }
  }

  test.concurrent('answers that are on their way, and arrive once', async () => {
    const instance = 'on their way';
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using client = worker.connect(instance, { baseUrl: proxy.url, heartbeat: Infinity });
    using other = observer(instance);
    const answers: number[] = [await client.add()];
    await slept(other, async () => {
      // An earlier attempt may have ended before the object slept.
      proxy.resume();
      const before = await other.count();
      await until(() => answers.length === before);
      proxy.silence('down');
      const calls = Array.from({ length: 5 }, () => client.add());
      for (const call of calls) void call.then((count) => answers.push(count));
      await until(async () => (await other.count()) === before + 5);
    });
    const count = await other.count();
    proxy.resume();
    await until(() => answers.length === count);
    expect(answers.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
    expect(await other.count()).toBe(count);
    proxy.close();
  });

  test.concurrent('a client that has offered bytes, and sends them later', async () => {
    const instance = 'offered';
    using client = observer(instance);
    using raw = await worker.raw(instance);
    await slept(client, async () => {
      expect(await raw.ask('["bytes"]')).toBe('[["bytes"]]');
    });
    const head = new TextEncoder().encode('[["bytes",2000],[1,"length",["text"]],[2,"add"]]\0');
    const frame = new Uint8Array(head.length + 2_000);
    frame.set(head);
    raw.send(frame);
    expect(await raw.next()).toBe('[[1,4],[2,1]]');
  });

  test.concurrent('a client whose answer is stored, and that asks for it again', async () => {
    const instance = 'stored';
    using client = observer(instance);
    using raw = await worker.raw(instance);
    expect(await raw.ask('[1,"add"],[2,"addAndThrow"]')).toMatch(/^\[\[1,1\],\[2,"error",/);
    await slept(client, async () => {});
    const again = '["awaits",1],["resent",2],[1,"add"],[2,"addAndThrow"],[3,"add"]';
    expect(await raw.ask(again)).toMatch(/^\[\[1,1\],\[2,"error",.*thrown at 2.*,\[3,3\]\]$/);
  });
});

/** Times in milliseconds around the moment at which the runtime evicts an idle object. */
const MOMENTS = Array.from({ length: 40 }, (_, index) => 9_900 + 15 * index);

test.concurrent.each(MOMENTS)('a call after %d ms runs once', async (idle) => {
  const instance = `moment ${idle}`;
  using client = worker.connect(instance);
  expect(await client.add()).toBe(1);
  await sleep(idle);
  // The calls are in separate frames.
  const first = client.add();
  await sleep(0);
  expect(await Promise.all([first, client.addAfterEvent(), client.count()])).toEqual([2, 3, 2]);
  expect(await client.count()).toBe(3);
});
