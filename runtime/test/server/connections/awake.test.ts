/** Timers keep an object awake only while it waits for a client. */
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
  /** The error that the last `note` threw. */
  noted: unknown;

  open(): void {
    this.#gate.resolve();
    this.#gate = Promise.withResolvers<void>();
  }

  ask(asked: () => Promise<number>): Promise<number> {
    return asked();
  }

  /** Asks a second time at once, whether or not the first time fails. */
  async askTwice(asked: () => Promise<number>): Promise<number> {
    await asked().catch(() => {});
    return asked();
  }

  async sum(numbers: AsyncIterable<number>): Promise<number> {
    let sum = 0;
    for await (const number of numbers) sum += number;
    return sum;
  }

  /** Waits for `open` with each item. */
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

/** `expect.poll` would let the fake timers go on. */
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

/**
 * Each row has the message that begins a wait, a pattern that shows the wait, and the message that
 * ends it. `$1` is the text that the pattern captured.
 */
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
  /** Begins a wait, and returns a function that ends it. */
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

  test('keeps the object awake once, and then a second time', async () => {
    const connected = connect();
    for (const id of [1, 2]) {
      const end = await begin(connected, id);
      expect(vi.getTimerCount()).toBe(1);
      await end();
      await until(hasTimers(0));
    }
  });

  // Rows have a timer for each client, but one gate ends them for all clients.
  if (name === 'rows') return;
  test('keeps the object awake for the second of two clients', async () => {
    const instance = new Waiting();
    const [one, other] = [connect(instance), connect(instance)];
    const [end, endOther] = [await begin(one, 1), await begin(other, 1)];
    await end();
    expect(vi.getTimerCount()).toBe(1);
    await endOther();
    await until(hasTimers(0));
  });
});

test('a stream that has ended keeps no timer and is not reported again, although the client does not confirm its end', async () => {
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

  test('keeps the object awake while the client is silent, and the object asks again and again', async () => {
    const { send, received } = connect();
    send(begin('sum'));
    await until(hasTimers(1));
    for (let beat = 1; beat <= 3; beat++) {
      vi.advanceTimersByTime(10_000);
      expect(vi.getTimerCount()).toBe(1);
    }
    await until(() => received().match(/"ack",1,0/g)?.length === 3);
  });

  test('does not keep the object awake while the method is busy with an item', async () => {
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

  test('ends if the client is away for half a minute, and the method is told', async () => {
    const instance = new Waiting();
    const { send, served } = connect(instance);
    send(begin('note'));
    await until(hasTimers(1));
    served.close();
    // The object notices after ten seconds that the client is away.
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

  test('rejects after its own timeout', async () => {
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

  test.each(['answered', 'not answered'])(
    'rejects after its own timeout if the callback before it was %s',
    async (how) => {
      const { send, received } = connect();
      send(call('askTwice'));
      await until(() => /"call",\d+/.test(received()));
      const [, k] = /"call",(\d+)/.exec(received()) as RegExpExecArray;
      if (how === 'answered') send(`[["return",${k},5]]`);
      else await vi.advanceTimersByTimeAsync(30_000);
      await until(() => /"call".*"call"/.test(received()));
      await vi.advanceTimersByTimeAsync(30_000);
      await until(() => received().includes(TIMEOUT));
    },
  );
});

test('a wait without a limit does not wake the object again and again', async () => {
  const { send, received } = connect(new Waiting(), endless);
  send('[[1,"ask","rich",[[[[1]]],["Function",1]]],["subscribe",1,null,"count"]]');
  await until(() => /"call".*"next"/.test(received()));
  expect(vi.getTimerCount()).toBe(2);
  const before = Date.now();
  vi.advanceTimersToNextTimer();
  // The longest possible delay. A timer with a longer delay fires at once.
  expect(Date.now() - before).toBe(2 ** 31 - 1);
});

interface Connected {
  /** Sends a frame. */
  send: (frame: string) => void;
  /** Returns the text that has arrived. */
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
