/** The actions that a client takes by itself, and their times, with a clock that the tests move. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  bindingTransport,
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
  withOptions,
} from '../../src/client.ts';

interface Target {
  ping(): Promise<void>;
}

/** A socket whose other end the test plays. */
class Socket extends EventTarget {
  static made: Socket[] = [];
  readonly sent: string[] = [];
  readonly openedAt: number;
  closedAt = Infinity;

  constructor() {
    super();
    this.openedAt = performance.now();
    Socket.made.push(this);
  }

  send(frame: string): void {
    this.sent.push(frame);
  }

  close(): void {
    this.closedAt = Math.min(this.closedAt, performance.now());
  }

  open(): void {
    this.dispatchEvent(new Event('open'));
  }

  say(frame: string): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: frame }));
  }

  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason: '' }));
  }
}

/** A socket that opens at once. */
class OpenSocket extends Socket {
  constructor() {
    super();
    void Promise.resolve().then(() => this.open());
  }
}

/** The response to each request that asks why a socket was not opened. */
let answer: () => Response;
let told: [string, number | undefined][];

beforeEach(() => {
  vi.useFakeTimers();
  Socket.made = [];
  told = [];
  answer = () => new Response('[]');
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function connect(WebSocket: typeof Socket, options: RpcClientOptions = {}): RpcClient<Target> {
  return createRpcClient<Target>('OBJECT', 'a', {
    baseUrl: 'https://api.example',
    WebSocket,
    fetch: (async () => answer()) as typeof fetch,
    onStateChange: (state, { delay }) => told.push([state, delay]),
    ...options,
  });
}

/** Records the outcome of a call. */
function follow(call: Promise<void>): { code?: string; message?: string } {
  const outcome: { code?: string; message?: string } = {};
  call.then(
    () => Object.assign(outcome, { code: 'answered' }),
    ({ code, message }: { code: string; message: string }) =>
      Object.assign(outcome, { code, message }),
  );
  return outcome;
}

const pass = (time: number): Promise<unknown> => vi.advanceTimersByTimeAsync(time);

const beats = (socket: Socket | undefined): number =>
  socket?.sent.filter((frame) => frame === '[]').length ?? 0;

test('a call times out after 30 s, unless it has a timeout of its own', async () => {
  using client = connect(OpenSocket, { heartbeat: 1_000_000 });
  const own = follow(withOptions(client, { timeout: 40_000 }).ping());
  const call = follow(client.ping());
  const soon = follow(withOptions(client, { timeout: 5_000 }).ping());
  await pass(4_999);
  expect([own, call, soon]).toEqual([{}, {}, {}]);
  await pass(2);
  expect(soon.message).toMatch(/^ping timed out after 5000 ms: /);
  await pass(24_998);
  expect(call).toEqual({});
  await pass(2);
  expect(call.message).toMatch(/^ping timed out after 30000 ms: /);
  await pass(9_998);
  expect(own).toEqual({});
  await pass(2);
  expect(own.message).toMatch(/^ping timed out after 40000 ms: /);
});

test('an attempt to connect ends after 8 s, unless it succeeds', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const asked: number[] = [];
  const start = performance.now();
  const unanswered = (() => {
    asked.push(performance.now() - start);
    return new Promise(() => {});
  }) as typeof fetch;
  using client = connect(Socket, { fetch: unanswered });
  void follow(client.ping());
  await pass(7_999);
  expect(told).toEqual([['connecting', undefined]]);
  expect(asked).toEqual([4_000]);
  await pass(1);
  expect(told).toEqual([
    ['connecting', undefined],
    ['reconnecting', 50],
  ]);
  await pass(50);
  const [, second] = Socket.made;
  second?.open();
  for (let time = 0; time < 20_000; time += 1_000) {
    await pass(1_000);
    second?.say('[]');
  }
  expect(told.at(-1)).toEqual(['open', undefined]);
});

test('an attempt ends as soon as the client knows that upgrades are held back, and requests are not', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  answer = () => new Response('blocked', { status: 426 });
  using client = connect(Socket);
  const call = follow(client.ping());
  await pass(3_999);
  expect(told).toEqual([['connecting', undefined]]);
  await pass(1);
  expect(told.at(-1)).toEqual(['reconnecting', 50]);
  expect(call).toEqual({});
  await pass(5_000);
  expect(call).toEqual({ code: 'UNAVAILABLE', message: expect.stringContaining('426: blocked') });
});

test.each([
  ['heartbeat', { heartbeat: 0 }],
  ['heartbeat', { heartbeat: -1 }],
  ['heartbeat', { heartbeat: Number.NaN }],
  ['timeout', { timeout: 0, heartbeat: Infinity }],
] as const)('%s is off, with %j', async (_, options) => {
  using client = connect(OpenSocket, options);
  const call = follow(client.ping());
  await pass(20_000);
  expect(Socket.made).toHaveLength(1);
  expect(beats(Socket.made[0])).toBeLessThan(5);
  expect(call.code).toBeUndefined();
});

test.each([
  { connectTimeout: 0 },
  { connectTimeout: Number.NaN },
  { reconnect: { minDelay: 0 } },
  { reconnect: { maxDelay: 0 } },
  { reconnect: { minDelay: 0, maxDelay: 0 } },
  { reconnect: { minDelay: -5, maxDelay: Number.NaN } },
])('%j makes no client connect without a pause', async (options) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  using client = connect(Socket, options);
  void follow(client.ping());
  await pass(0);
  Socket.made[0]?.end(1006);
  await pass(20);
  expect(Socket.made.length).toBe(1);
});

test('delays begin below 100 ms, double, and are at most 10 s', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  using client = connect(Socket);
  void follow(withOptions(client, { timeout: 1e9 }).ping());
  for (let attempt = 0; attempt < 9; attempt++) {
    await pass(0);
    Socket.made.at(-1)?.end(1006);
    await pass(0);
    await pass(told.at(-1)?.[1] ?? 0);
  }
  const delays = told.slice(1).map(([, delay]) => delay);
  expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
});

describe('heartbeats', () => {
  test('are sent every 15 s, and every 5 s while a call waits', async () => {
    using client = connect(OpenSocket);
    client.reconnect();
    await pass(0);
    const [socket] = Socket.made;
    for (const [time, count] of [
      [14_999, 0],
      [1, 1],
      [14_999, 1],
      [1, 2],
    ] as const) {
      await pass(time);
      expect(beats(socket)).toBe(count);
      socket?.say('[]');
    }
    void follow(client.ping());
    for (let count = 3; count < 6; count++) {
      await pass(5_000);
      expect(beats(socket)).toBe(count);
      socket?.say('[]');
    }
  });

  test('without an answer are awaited longer each time, up to two minutes', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    using client = connect(OpenSocket);
    void follow(withOptions(client, { timeout: 1e9 }).ping());
    await pass(1_000_000);
    const waits = Socket.made
      .filter(({ closedAt }) => closedAt < Infinity)
      // The first 5 s pass before the heartbeat.
      .map(({ openedAt, closedAt }) => Math.round((closedAt - openedAt) / 1_000) - 5);
    expect(waits.slice(0, 7)).toEqual([5, 10, 20, 40, 80, 120, 120]);
    // A frame ends the longer waits.
    Socket.made.at(-1)?.say('[[1000000,1]]');
    const { length } = Socket.made;
    await pass(15_000);
    expect(Socket.made).toHaveLength(length + 1);
  });

  test.each([
    ['that leave less than 5 s late keep the connection', 4_999, 1],
    ['that leave more than 5 s late replace the connection', 5_002, 2],
  ])('%s', async (_, late, sockets) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    using client = connect(OpenSocket);
    void follow(client.ping());
    await pass(4_999);
    vi.setSystemTime(Date.now() + late);
    await pass(2);
    expect(Socket.made).toHaveLength(sockets);
  });

  test('that leave once a minute, as in a hidden page, keep the connection while they are answered', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const page = { hidden: true };
    vi.stubGlobal('document', page);
    onTestFinished(() => void vi.unstubAllGlobals());
    using client = connect(OpenSocket);
    void follow(withOptions(client, { timeout: 1e9 }).ping());
    const passMinute = async (): Promise<void> => {
      vi.setSystemTime(Date.now() + 55_000);
      await pass(5_000);
    };
    for (let minute = 0; minute < 10; minute++) {
      await passMinute();
      Socket.made.at(-1)?.say('[]');
    }
    expect(Socket.made).toHaveLength(1);
    // A silence is still noticed.
    await passMinute();
    await passMinute();
    await pass(1);
    expect(Socket.made).toHaveLength(2);
  });
});

test('a rejection is believed after 5 s, if the client was connected before', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  using client = connect(Socket, { reconnect: { minDelay: 1_000, maxDelay: 1_000 } });
  const call = follow(withOptions(client, { timeout: 1e9 }).ping());
  await pass(0);
  Socket.made[0]?.open();
  Socket.made[0]?.end(1012);
  answer = () => new Response('no', { status: 403 });
  const refuse = async (): Promise<void> => {
    await pass(500);
    Socket.made.at(-1)?.end(1006);
    await pass(0);
  };
  // The first rejection comes after half a second.
  for (let time = 500; time < 5_500; time += 500) {
    await refuse();
    expect(call).toEqual({});
  }
  await refuse();
  expect(call).toMatchObject({ code: 'FORBIDDEN' });
  expect(told.at(-1)?.[0]).toBe('closed');
});

test('100 000 calls may wait, and no more', async () => {
  // The client is not closed, because the rejection of so many calls takes seconds.
  const client = connect(Socket);
  const patient = withOptions(client, { timeout: 1e9 });
  void patient.ping();
  await pass(0);
  Socket.made[0]?.end(1006);
  await pass(0);
  expect(told.at(-1)?.[0]).toBe('reconnecting');
  for (let count = 2; count < 100_000; count++) void patient.ping();
  const [last, oneMore] = [follow(patient.ping()), follow(patient.ping())];
  await pass(0);
  expect(last).toEqual({});
  expect(oneMore).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'maxQueue is at most 100000',
  });
});

describe('close', () => {
  test.each([
    ['connecting', async () => {}],
    ['open', async () => Socket.made[0]?.open()],
    [
      'reconnecting',
      async () => {
        Socket.made[0]?.end(1006);
        await pass(0);
      },
    ],
  ])('leaves no timer of a client that is %s', async (state, come) => {
    const client = connect(Socket);
    void follow(client.ping());
    await pass(0);
    await come();
    expect(told.at(-1)?.[0]).toBe(state);
    client.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each(['websocket', 'http'] as const)('a first connection over %s', (transport) => {
  const down = (() => Promise.reject(new TypeError('down'))) as typeof fetch;

  test('that fails rejects calls with the last failure before 8 s, and the client goes on', async () => {
    using client = connect(Socket, { transport, fetch: down });
    const call = follow(client.ping());
    const hasEnded = setInterval(() => Socket.made.at(-1)?.end(1006), 10);
    await pass(8_000);
    expect(call).toEqual({
      code: 'DISCONNECTED',
      message: expect.stringMatching(/^TypeError: down \(.*https:\/\/api.example\/.*\/call\)$/),
    });
    expect(told.at(-1)?.[0]).toBe(transport === 'http' ? told.at(-1)?.[0] : 'reconnecting');
    const { length } = told;
    await pass(30_000);
    expect(told.length).toBeGreaterThan(length);
    clearInterval(hasEnded);
  });

  test('that fails does not reject a delivery before its timeout, because a program repeats it', async () => {
    const delivery = { id: 'x', since: Date.now() };
    const stub = { fetch: () => Promise.reject(new Error('down')) };
    const binding = bindingTransport(stub, { delivery, socket: transport === 'websocket' });
    using client = connect(Socket, { transport: binding });
    const call = follow(client.ping());
    await pass(29_000);
    expect(call).toEqual({});
    await pass(1_001);
    expect(call.code).toBe('TIMEOUT');
  });

  test('that fails rejects a call with a shorter timeout after that timeout', async () => {
    using client = connect(Socket, { transport, fetch: down });
    const call = follow(withOptions(client, { timeout: 1_000 }).ping());
    const hasEnded = setInterval(() => Socket.made.at(-1)?.end(1006), 10);
    await pass(1_001);
    expect(call.code).toBe('TIMEOUT');
    clearInterval(hasEnded);
  });
});

test('reconnect resets the state, the count of attempts and the last failure', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  using client = connect(Socket);
  const call = follow(withOptions(client, { timeout: 1_000 }).ping());
  for (let attempt = 0; attempt < 3; attempt++) {
    await pass(100 * attempt);
    Socket.made.at(-1)?.end(1006);
    await pass(0);
  }
  client.reconnect();
  expect(told.map(([state]) => state)).toEqual([
    'connecting',
    'reconnecting',
    'reconnecting',
    'reconnecting',
    'connecting',
  ]);
  await pass(1_000);
  // Nothing has failed since then.
  expect(call.message).toMatch(/^ping timed out after 1000 ms: no answer from [^,]*$/);
  Socket.made.at(-1)?.end(1006);
  await pass(0);
  expect(told.at(-1)).toEqual(['reconnecting', 100]);
});
