/**
 * Streams in an object's memory: how long they wait for their clients, and how they release their memory at each
 * kind of end.
 */
import * as Type from '../../../src/typebox.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { compileContract, type ServedPort, servePort, stream } from '../../../src/server.ts';
import type { Limits } from '../../../src/server/base/limits.ts';
import { ClientConnection } from '../../../src/server/connections/client-connection.ts';
import { streamsOf } from '../../../src/features/streams/server/streams.ts';
import { handleSubscriptionMessage } from '../../../src/features/subscriptions/server/subscription-messages.ts';
import { endSubscriptionsOf } from '../../../src/features/subscriptions/server/subscribers.ts';

class Producer {
  *texts(): Generator<string> {
    for (;;) yield 'x'.repeat(1_000);
  }

  *few(): Generator<string> {
    yield 'x';
  }

  *unsendable(): Generator<unknown> {
    yield 'x'.repeat(1_000);
    yield () => {};
  }
}

const unchanging = stream([], { readonly: true });

const contract = compileContract({ texts: unchanging, few: unchanging, unsendable: unchanging });

/** This time is far longer than any machine needs. */
const PATIENT = { timeout: 50_000 };

const send =
  (...messages: string[]) =>
  (port: MessagePort): void =>
    port.postMessage(`[${messages.join()}]`);

test.each([
  ['is left', 'texts', send('["unsubscribe",1]')],
  ['is read in part, and left', 'texts', send('["ack",1,5]', '["unsubscribe",1]')],
  [
    'is replaced by another stream',
    'texts',
    send('["subscribe",1,null,"few"]', '["ack",1,1]', '["unsubscribe",1]'),
  ],
  ['ends with an item that cannot be sent', 'unsendable', send('["unsubscribe",1]')],
  ['loses its connection', 'texts', (_: MessagePort, served: ServedPort) => served.close()],
])('a stream that %s holds nothing afterwards', async (_, method, end) => {
  const { port1: port, port2 } = new MessageChannel();
  const producer = new Producer();
  const served = servePort(port2, producer, contract);
  onTestFinished(() => served.close());
  const held = (): number => streamsOf(producer).held;
  port.postMessage(`[["subscribe",1,null,"${method}"]]`);
  await expect.poll(held, PATIENT).toBeGreaterThan(1_000);
  end(port, served);
  await expect.poll(held, PATIENT).toBe(0);
});

const IDLE_TIME = 60_000;

/** The errors with which producers were ended. */
let ends: unknown[];

/** Streams of different pace. */
class Source {
  readonly gate = Promise.withResolvers<number>();

  /** Never yields an item. */
  idle(): AsyncIterable<number> {
    return iterable({
      next: () => new Promise(() => {}),
      return: async (reason) => ({ done: true, value: ends.push(reason) }),
    });
  }

  /** Yields all numbers at once. */
  count(to: number): Iterable<number> {
    let given = 0;
    return {
      [Symbol.iterator]: () => ({
        next: () => (given === to ? { done: true, value: 0 } : { done: false, value: ++given }),
        return: (reason) => ({ done: true, value: ends.push(reason) }),
      }),
    };
  }

  /** Yields the first number when the gate opens, and then all others at once. */
  *late(to: number): Generator<number | Promise<number>> {
    yield this.gate.promise;
    yield* this.count(to - 1);
  }

  /** Yields an item, and ends when the gate opens. */
  async *ending(): AsyncGenerator<number> {
    yield 1;
    await this.gate.promise;
  }
}

function iterable(iterator: AsyncIterator<number>): AsyncIterable<number> {
  return { [Symbol.asyncIterator]: () => iterator };
}

const integer = stream([Type.Integer()], { readonly: true });

const pace = compileContract(
  { idle: unchanging, count: integer, late: integer, ending: unchanging },
  { limits: { streams: 2 } },
);

class Client {
  readonly frames: string[] = [];
  /** The records that are stored with the connection. */
  stored: readonly unknown[] | undefined;
  readonly peer: ClientConnection;
  readonly #instance: Source;

  constructor(instance: Source, client?: string) {
    this.#instance = instance;
    this.peer = new ClientConnection(
      { client },
      {
        isOpen: true,
        send: (frame) => void this.frames.push(String(frame)),
        storeState: ({ subscriptions }) => (this.stored = subscriptions),
      },
    );
  }

  send(message: string, limits: Partial<Limits> = {}): void {
    const limited = { ...pace, limits: { ...pace.limits, ...limits } };
    const target = { instance: this.#instance, contract: limited };
    handleSubscriptionMessage(JSON.parse(message) as unknown[], {
      ...target,
      connection: this.peer,
      results: undefined,
      frame: { metadataOf: () => undefined, setMetadata: () => {} },
    });
  }

  leave(isFinal = false): void {
    endSubscriptionsOf(this.#instance, this.peer, isFinal);
  }

  /** Returns the last frame. */
  get last(): string | undefined {
    return this.frames.at(-1);
  }

  /** Returns the cursor after `event` items. */
  cursorAt(event: number): string {
    return `"${event}.${/"0\.(\w+)"/.exec(this.frames.join())?.[1]}"`;
  }
}

describe('a client that reads nothing', () => {
  let source: Source;
  let client: Client;
  const open = (): number => streamsOf(source).all.length;

  /** Checks that the stream ends after this time, and not before. */
  async function endsAfter(time: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(time - 1);
    expect(open()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(open()).toBe(0);
  }

  beforeEach(() => {
    vi.useFakeTimers();
    ends = [];
    source = new Source();
    client = new Client(source, 'a client');
  });

  afterEach(() => void vi.useRealTimers());

  test('has the full time after it has left, whatever the producer has done', async () => {
    client.send('["subscribe",1,null,"idle"]');
    await vi.advanceTimersByTimeAsync(50_000);
    client.leave();
    await endsAfter(IDLE_TIME);
    expect(ends).toEqual([expect.objectContaining({ code: 'TIMEOUT' })]);
  });

  test('has the full time after an item for which it waited', async () => {
    client.send('["subscribe",1,null,"late",[100]]');
    await vi.advanceTimersByTimeAsync(100_000);
    source.gate.resolve(0);
    await endsAfter(IDLE_TIME);
    expect(client.last).toContain('late: the client did not read the stream for 60000 ms');
  });

  test('has the full time after the end for which it waited', async () => {
    client.send('["subscribe",1,null,"ending"]');
    await vi.advanceTimersByTimeAsync(100_000);
    source.gate.resolve(0);
    await endsAfter(IDLE_TIME);
    expect(client.last).toContain('"complete"');
    expect(client.last).not.toContain('TIMEOUT');
  });

  test('has the full time after its last acknowledgement', async () => {
    client.send('["subscribe",1,null,"count",[10]]');
    await vi.advanceTimersByTimeAsync(50_000);
    client.send('["ack",1,5]');
    await endsAfter(IDLE_TIME);
  });

  test('gets an error when its time is over, and can subscribe to something else', async () => {
    client.send('["subscribe",1,null,"count",[100]]');
    await endsAfter(IDLE_TIME);
    expect(client.last).toContain('count: the client did not read the stream for 60000 ms');
    expect(client.stored).toEqual([]);
    client.send('["subscribe",2,null,"count",[1]]', { subscriptions: 1 });
    expect(client.last).toBe('[["complete",2]]');
  });

  test('has its own time beside another client', async () => {
    const other = new Client(source, 'another client');
    for (const one of [client, other]) one.send('["subscribe",1,null,"count",[100]]');
    await vi.advanceTimersByTimeAsync(50_000);
    client.send('["ack",1,10]');
    await vi.advanceTimersByTimeAsync(5_000);
    other.send('["ack",1,10]');
    await vi.advanceTimersByTimeAsync(54_999);
    expect(open()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await endsAfter(5_000);
    expect(client.last).toContain('TIMEOUT');
    expect(other.last).toContain('TIMEOUT');
  });
});

describe('a client that has left', () => {
  let source: Source;
  const held = (): number => streamsOf(source).held;

  beforeEach(() => {
    ends = [];
    source = new Source();
  });

  test('and begins another stream under the same number loses the first', () => {
    const client = new Client(source, 'a client');
    client.send('["subscribe",1,null,"count",[100]]');
    client.leave();
    const back = new Client(source, 'a client');
    back.send('["subscribe",1,null,"count",[3]]');
    expect(ends).toHaveLength(1);
    back.send('["unsubscribe",1]');
    expect(held()).toBe(0);
    expect(streamsOf(source).all).toEqual([]);
  });

  test('keeps its stream on its next connection, even if the first connection ends later', () => {
    const client = new Client(source, 'a client');
    client.send('["subscribe",1,null,"count",[100]]');
    client.leave();
    const back = new Client(source, 'a client');
    back.send(`["subscribe",1,${client.cursorAt(0)},"count",[100]]`);
    client.leave();
    back.send('["ack",1,64]');
    expect(back.frames.join()).toContain('["next",1,100,100]');
    back.send('["unsubscribe",1]');
    expect(held()).toBe(0);
  });

  test.each([
    ['for good', 'a client', true],
    ['and has no id', undefined, false],
  ])('%s loses its streams at once', (_, id, isFinal) => {
    const client = new Client(source, id);
    client.send('["subscribe",1,null,"count",[100]]');
    client.leave(isFinal);
    expect(ends).toEqual([expect.objectContaining({ code: 'ABORTED' })]);
    expect(streamsOf(source).all).toEqual([]);
  });
});

test('clients without an id have separate streams, even of the same number', () => {
  ends = [];
  const source = new Source();
  const clients = [1, 2, 3].map(() => new Client(source));
  for (const client of clients) client.send('["subscribe",1,null,"count",[100]]');
  expect(clients[2]?.last).toContain('streams is at most 2');
  for (const client of clients) client.send('["ack",1,64]');
  expect(clients.map(({ frames }) => frames.join().includes('["next",1,100,100]'))).toEqual([
    true,
    true,
    false,
  ]);
  clients[0]?.leave();
  clients[2]?.send('["subscribe",1,null,"count",[1]]');
  expect(clients[2]?.last).toBe('[["complete",1]]');
  for (const client of clients) client.leave();
});
