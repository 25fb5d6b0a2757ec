/** Timers keep an object awake while it waits for a client, and no longer. */
import * as Type from '../../../src/typebox.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  callback,
  compileContract,
  rows,
  type ServedPort,
  servePort,
  stream,
  streamOf,
} from '../../../src/server.ts';

class Waiting {
  #gate = Promise.withResolvers<void>();
  /** What the last `note` threw. */
  noted: unknown;

  open(): void {
    this.#gate.resolve();
    this.#gate = Promise.withResolvers<void>();
  }

  ask(asked: () => Promise<number>): Promise<number> {
    return asked();
  }

  /** Asks again at once, whatever comes of the first time. */
  async askTwice(asked: () => Promise<number>): Promise<number> {
    await asked().catch(() => {});
    return asked();
  }

  async sum(numbers: AsyncIterable<number>): Promise<number> {
    let sum = 0;
    for await (const number of numbers) sum += number;
    return sum;
  }

  /** Is busy with each item until `open`. */
  async sumSlowly(numbers: AsyncIterable<number>): Promise<number> {
    let sum = 0;
    for await (const number of numbers) {
      await this.#gate.promise;
      sum += number;
    }
    return sum;
  }

  async note(numbers: AsyncIterable<number>): Promise<void> {
    await this.sum(numbers).catch((thrown: unknown) => (this.noted = thrown));
  }

  async *count(): AsyncGenerator<number> {
    yield 1;
    await this.#gate.promise;
  }

  async *rows(after = 0): AsyncGenerator<{ id: number }> {
    await this.#gate.promise;
    if (after === 0) yield { id: 1 };
  }
}

const { setTimeout: wait } = globalThis;

/** `expect.poll` would let the timers of the test go on. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => wait(resolve, 1));
}

const hasTimers = (count: number) => (): boolean => vi.getTimerCount() === count;

const methods = {
  open: [],
  ask: [callback([], Type.Integer())],
  askTwice: [callback([], Type.Integer())],
  sum: [streamOf(Type.Integer())],
  sumSlowly: [streamOf(Type.Integer())],
  note: [streamOf(Type.Integer())],
  count: stream([], { readonly: true }),
  rows: rows('id', [Type.Optional(Type.Integer())]),
} as const;
const contract = compileContract(methods);
const endless = compileContract(methods, { callbackTimeout: Infinity, streamTimeout: Infinity });

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
});

afterEach(() => void vi.useRealTimers());

/** What waits: how it begins, what tells that it waits, and how it ends; `$1` is what that captured. */
const WAITS: [string, (id: number) => string, RegExp | undefined, (id: number) => string][] = [
  [
    'a callback',
    (id) => `[${id},"ask","rich",[[[[1]]],["Function",1]]]`,
    /"call",(\d+)/,
    () => '["return",$1,5]',
  ],
  [
    'a stream',
    () => '["subscribe",1,null,"count"]',
    /"next"/,
    (id) => `[${id},"open"],["unsubscribe",1]`,
  ],
  ['rows', () => '["subscribe",1,null,"rows"]', /"subscribed"/, (id) => `[${id},"open"]`],
  [
    'the stream of an argument',
    (id) => `[${id},"sum","rich",[[[[1]]],["Stream",1]]],["item",1,1,5]`,
    undefined,
    () => '["end",1,1]',
  ],
];

describe.each(WAITS)('%s', (name, begins, hears, ends) => {
  /** Waits, and says that it has ended. */
  async function begin({ send, received }: Connected, id: number): Promise<() => Promise<void>> {
    const before = received().length;
    const news = (): string => received().slice(before);
    send(`[${begins(id)}]`);
    if (hears) await until(() => hears.test(news()));
    else await until(() => vi.getTimerCount() > 0);
    const [, k = ''] = hears?.exec(news()) ?? [];
    return async () => {
      send(`[${ends(id).replace('$1', k)}]`);
      await until(() => /\[\d+,5\]|\[\d+\]|"complete",1/.test(news()));
    };
  }

  test('once, and once more', async () => {
    const connected = connect();
    for (const id of [1, 2]) {
      const end = await begin(connected, id);
      expect(vi.getTimerCount()).toBe(1);
      await end();
      await until(hasTimers(0));
    }
  });

  // Rows have a timer for each client, and the gate that ends them is one for both.
  if (name === 'rows') return;
  test('for one of two clients still', async () => {
    const instance = new Waiting();
    const [one, other] = [connect(instance), connect(instance)];
    const [end, endOther] = [await begin(one, 1), await begin(other, 1)];
    await end();
    expect(vi.getTimerCount()).toBe(1);
    await endOther();
    await until(hasTimers(0));
  });
});

test('a stream whose end the client does not confirm, and of which it hears no more', async () => {
  const { send, received } = connect();
  send('[["subscribe",1,null,"count"]]');
  await until(() => received().includes('"next"'));
  send('[[1,"open"]]');
  await until(() => received().includes('"complete",1'));
  for (let minute = 0; minute < 3; minute++) vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  send('[[2,"open"]]');
  await until(() => received().includes('[2]'));
  expect(received().match(/"complete"/g)).toHaveLength(1);
});

describe('the stream of an argument', () => {
  const begin = (method: string): string => `[[1,"${method}","rich",[[[[1]]],["Stream",1]]]]`;

  test('of a client that says nothing, which is asked again and again', async () => {
    const { send, received } = connect();
    send(begin('sum'));
    await until(hasTimers(1));
    for (let beat = 1; beat <= 3; beat++) {
      vi.advanceTimersByTime(10_000);
      expect(vi.getTimerCount()).toBe(1);
    }
    await until(() => received().match(/"ack",1,0/g)?.length === 3);
  });

  test('not while the method is busy with an item', async () => {
    const { send, received } = connect();
    send(begin('sumSlowly'));
    await until(hasTimers(1));
    send('[["item",1,1,5],[2,"ask"]]');
    await until(() => received().includes('[2,'));
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
    send('[[3,"open"]]');
    await until(hasTimers(1));
  });

  test('of a client that is away for half a minute: the method is told', async () => {
    const instance = new Waiting();
    const { send, served } = connect(instance);
    send(begin('note'));
    await until(hasTimers(1));
    served.close();
    // It is found to be away after ten seconds.
    await vi.advanceTimersByTimeAsync(39_999);
    expect(instance.noted).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await until(() => instance.noted !== undefined);
    expect(instance.noted).toMatchObject({
      code: 'DISCONNECTED',
      message: 'The client of stream 1 has been disconnected for 30000 ms',
      maybeExecuted: true,
    });
    await until(hasTimers(0));
  });
});

describe('a callback that is not answered', () => {
  const call = (method: string): string => `[[1,"${method}","rich",[[[[1]]],["Function",1]]]]`;
  const TIMEOUT = '"TIMEOUT"';

  test('rejects after its own time', async () => {
    const instance = new Waiting();
    const { send, received } = connect(instance);
    const { send: sendOther, received: otherReceived } = connect(instance);
    send(call('ask'));
    await until(() => received().includes('"call"'));
    vi.advanceTimersByTime(10_000);
    sendOther(call('ask'));
    await until(() => otherReceived().includes('"call"'));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(received()).not.toContain(TIMEOUT);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => received().includes(TIMEOUT));
    expect(received()).toContain('ask: the callback [0] timed out after 30000 ms');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(otherReceived()).not.toContain(TIMEOUT);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => otherReceived().includes(TIMEOUT));
    await until(hasTimers(0));
  });

  test.each(['answered', 'not answered'])('also when the one before it was %s', async (how) => {
    const { send, received } = connect();
    send(call('askTwice'));
    await until(() => /"call",\d+/.test(received()));
    const [, k] = /"call",(\d+)/.exec(received()) as RegExpExecArray;
    if (how === 'answered') send(`[["return",${k},5]]`);
    else await vi.advanceTimersByTimeAsync(30_000);
    await until(() => /"call".*"call"/.test(received()));
    await vi.advanceTimersByTimeAsync(30_000);
    await until(() => received().includes(TIMEOUT));
  });
});

test('what may wait for ever does not wake up again and again', async () => {
  const { send, received } = connect(new Waiting(), endless);
  send('[[1,"ask","rich",[[[[1]]],["Function",1]]],["subscribe",1,null,"count"]]');
  await until(() => /"call".*"next"/.test(received()));
  expect(vi.getTimerCount()).toBe(2);
  const before = Date.now();
  vi.advanceTimersToNextTimer();
  // The longest delay that there is. A timer with a longer one fires at once.
  expect(Date.now() - before).toBe(2 ** 31 - 1);
});

interface Connected {
  /** Sends a frame. */
  send: (frame: string) => void;
  /** What has arrived there. */
  received: () => string;
  served: ServedPort;
}

function connect(instance = new Waiting(), compiled = contract): Connected {
  const { port1: port, port2 } = new MessageChannel();
  const served = servePort(port2, instance, compiled);
  onTestFinished(() => served.close());
  let received = '';
  port.addEventListener('message', (event) => {
    received += String((event as MessageEvent).data);
  });
  port.start();
  return { send: (frame) => port.postMessage(frame), received: () => received, served };
}
