/** Tests the hooks of features that users pass in `use`: `around`, `onFrame` and `request`. */
import { env as bindings, exports } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  capabilities,
  type RpcClientOptions,
  createRpcClient,
  messagePortTransport,
  type RpcClient,
} from '../../../src/client.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import {
  capability,
  compileContract,
  type ContractOptions,
  events,
  feed,
  live,
  reportCalls,
  routeDORequest,
  servePort,
  stream,
  withCaller,
} from '../../../src/server.ts';
import type { TestEnv } from '../../worker.ts';
import type { Around, CallContext, Connection, Feature } from '../../../src/server/feature.ts';

const env = bindings as TestEnv;

const FEATURE = { name: 'test', version: 1 } as const;

class KeyImpl {
  constructor(_object: object, name: string) {
    if (name === 'lost') throw new RangeError('No such key');
  }

  turn(): string {
    return 'turned';
  }
}
const Key = capability(KeyImpl, [Type.String()], { turn: [] });

class Door {
  greet(name: string): string {
    return `Hello ${name}`;
  }
  async later(name: string): Promise<string> {
    await Promise.resolve();
    return this.greet(name);
  }
  fail(): never {
    throw new RangeError('It failed');
  }
  value(): number {
    return 1;
  }
  log(): unknown {
    return feed(this, 'log', {
      snapshot: () => {
        throw new RangeError('No snapshot');
      },
    });
  }
  *broken(): Iterable<number> {
    yield 1;
    throw new RangeError('No second item');
  }
  key(name: string): InstanceType<typeof Key> {
    return new Key(this, name);
  }
}

const ENTRIES = {
  greet: [Type.String()],
  later: [Type.String()],
  fail: [],
  value: live(),
  log: events(),
  broken: stream(),
  key: { input: [Type.String()], returns: Key },
};

/** Opens a client of the object with options. */
function openDoor(options: ContractOptions, own: RpcClientOptions = {}): RpcClient<Door> {
  const { port1, port2 } = new MessageChannel();
  servePort(port1, new Door(), compileContract(ENTRIES, options), {
    caller: { user: 'ada' },
  });
  return createRpcClient<Door>('DOOR', 'front', {
    transport: messagePortTransport(port2),
    ...own,
  });
}

function using(...features: Omit<Feature, 'name' | 'version'>[]): ContractOptions {
  return {
    use: features.map((feature, index) => ({
      '~feature': { ...FEATURE, name: `test ${index}`, ...feature },
    })),
  };
}

async function outcomeOf(work: PromiseLike<unknown>): Promise<unknown> {
  const [settled] = await Promise.allSettled([work]);
  return settled.status === 'fulfilled' ? settled.value : String(settled.reason);
}

async function firstOf(items: AsyncIterable<unknown>): Promise<unknown> {
  const all: unknown[] = [];
  for await (const item of items) {
    all.push(item);
    if (all.length === 2) break;
  }
  return all;
}

describe('around', () => {
  const seen: string[] = [];
  beforeEach(() => void (seen.length = 0));
  afterEach(() => void vi.restoreAllMocks());

  /** Records the start and the end of each call. */
  const noting =
    (name = ''): Around =>
    ({ kind, method, caller }, run) => {
      const about = `${name}${kind} ${method} ${(caller as { user: string }).user}`;
      seen.push(`${about} begins`);
      const ended = (how: string): void => void seen.push(`${about} ${how}`);
      let result: unknown;
      try {
        result = run();
      } catch (error) {
        ended(String(error));
        throw error;
      }
      if (result instanceof Promise) {
        return result.then(
          (value: unknown) => {
            ended('ends later');
            return value;
          },
          (error: unknown) => {
            ended(`${String(error)} later`);
            throw error;
          },
        );
      }
      ended('ends');
      return result;
    };

  const client = (...features: Parameters<typeof using>) => openDoor(using(...features));

  test.each<[string, (door: RpcClient<Door>) => PromiseLike<unknown>, unknown, string[]]>([
    [
      'a call',
      (door) => door.greet('Bo'),
      'Hello Bo',
      ['call greet begins', 'run greet begins', 'run greet ends', 'call greet ends'],
    ],
    [
      'a call that awaits',
      (door) => door.later('Bo'),
      'Hello Bo',
      ['call later begins', 'run later begins', 'run later ends later', 'call later ends later'],
    ],
    [
      'a method that throws',
      (door) => door.fail(),
      'RangeError: It failed',
      [
        'call fail begins',
        'run fail begins',
        'run fail RangeError: It failed',
        'call fail RangeError: It failed',
      ],
    ],
    [
      'wrong arguments',
      (door) => door.greet(1 as never),
      expect.stringContaining('greet: argument [0]'),
      ['call greet begins', expect.stringContaining('call greet RpcError: greet: argument [0]')],
    ],
    [
      'a method that is not listed',
      (door) => (door as unknown as { none(): Promise<void> }).none(),
      expect.stringContaining('The contract lists no method none'),
      ['call  begins', expect.stringContaining('The contract lists no method none')],
    ],
    [
      'a live value',
      (door) => firstOf(take(subscribe(door).value(), 1)),
      [1],
      [
        'subscription value begins',
        'run value begins',
        'run value ends',
        'subscription value ends',
      ],
    ],
    [
      'a snapshot that throws',
      (door) => firstOf(subscribe(door).log()),
      'RangeError: No snapshot',
      [
        'subscription log begins',
        'run log begins',
        'run log ends',
        'run log begins',
        'run log RangeError: No snapshot',
        'subscription log RangeError: No snapshot',
      ],
    ],
    [
      'a stream that fails later',
      (door) => firstOf(subscribe(door).broken()),
      'RangeError: No second item',
      [
        'subscription broken begins',
        'run broken begins',
        'run broken ends',
        'run broken begins',
        'run broken RangeError: No second item',
        'subscription broken ends',
      ],
    ],
  ])('surrounds %s', async (_, use, outcome, expected) => {
    using door = client({ around: noting() });
    expect(await outcomeOf(use(door))).toEqual(outcome);
    const withoutCaller = seen.map((line) => line.replace(' ada', ''));
    expect(withoutCaller).toEqual(expected);
  });

  test('nests features in their order, inside of onCall and outside of onError', async () => {
    const onCall = reportCalls(
      () =>
        ({ outcome }) =>
          void seen.push(`told ${outcome}`),
    );
    const onError = (): Error => new SyntaxError('replaced');
    using door = openDoor({
      ...using({ around: noting('1 ') }, { around: noting('2 ') }),
      onCall,
      onError,
    });
    expect(await outcomeOf(door.fail())).toBe('SyntaxError: replaced');
    expect(seen).toEqual([
      '1 call fail ada begins',
      '2 call fail ada begins',
      '1 run fail ada begins',
      '2 run fail ada begins',
      '2 run fail ada SyntaxError: replaced',
      '1 run fail ada SyntaxError: replaced',
      '2 call fail ada SyntaxError: replaced',
      '1 call fail ada SyntaxError: replaced',
      'told SyntaxError',
    ]);
  });

  test('receives the caller, the method, the time and the size', async () => {
    const told: CallContext[] = [];
    using door = client({
      around: (call, run) => {
        told.push(call);
        return run();
      },
    });
    await Promise.all([door.greet('Bo'), door.greet('Cy')]);
    const frame = '[[1,"greet",["Bo"]],[2,"greet",["Cy"]]]';
    const about = { method: 'greet', caller: { user: 'ada' }, instance: expect.any(Door) as Door };
    const call = {
      ...about,
      kind: 'call',
      connection: expect.objectContaining({
        client: expect.stringMatching(/\d/) as string,
      }) as Connection,
      arrivedAt: expect.any(Number) as number,
      bytesIn: frame.length / 2,
    };
    const run = { ...about, kind: 'run' };
    expect(told).toEqual([{ ...call, id: 1 }, run, { ...call, id: 2 }, run]);
  });

  test.each<[string, Around, unknown]>([
    [
      'can replace a result of the class',
      ({ kind }, run) => (run(), kind === 'run' ? 'other' : 1),
      'other',
    ],
    [
      'cannot replace an answer',
      ({ kind }, run) => (kind === 'call' ? (run(), '[9,9]') : run()),
      'Hello Bo',
    ],
    [
      'can be asynchronous',
      async (_, run) => {
        const result: unknown = await run();
        await Promise.resolve();
        return result;
      },
      'Hello Bo',
    ],
    [
      'can throw before the call',
      () => {
        throw new SyntaxError('No');
      },
      'SyntaxError: No',
    ],
    [
      'can throw after the call',
      (_, run) => {
        run();
        throw new SyntaxError('No');
      },
      'SyntaxError: No',
    ],
    [
      'can reject',
      async (_, run) => {
        await run();
        throw new SyntaxError('No');
      },
      'SyntaxError: No',
    ],
    [
      'must run the call',
      ({ kind }, run) => (kind === 'call' ? undefined : run()),
      "TypeError: A feature's around did not run greet",
    ],
  ])('%s', async (_, around, outcome) => {
    using door = client({ around });
    expect(await outcomeOf(door.greet('Bo'))).toBe(outcome);
    expect(await outcomeOf(door.greet(1 as never))).toMatch(/RpcError|SyntaxError|TypeError/);
  });

  test('surrounds the constructor of a capability, and its methods', async () => {
    using door = openDoor(using({ around: noting() }), { capabilities });
    const key = await door.key('front');
    seen.length = 0;
    expect(await key.turn()).toBe('turned');
    expect(seen.filter((line) => line.startsWith('run'))).toEqual([
      'run Key ada begins',
      'run Key ada ends',
      'run turn ada begins',
      'run turn ada ends',
    ]);
    expect(seen[0]).toBe('call turn ada begins');
    expect(seen.at(-1)).toBe('call turn ada ends');
  });
});

async function* take<T>(items: AsyncIterable<T>, count: number): AsyncIterable<T> {
  let taken = 0;
  for await (const item of items) {
    yield item;
    if (++taken === count) return;
  }
}

describe('onFrame', () => {
  test('sees each frame, and a frame is handled even if it throws', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    const frames: unknown[] = [];
    using door = openDoor(
      using(
        {
          onFrame: () => {
            throw new Error('It throws');
          },
        },
        { onFrame: (direction, frame) => void frames.push(`${direction} ${String(frame)}`) },
      ),
    );
    expect(await door.greet('Bo')).toBe('Hello Bo');
    expect(frames).toEqual(['up [[1,"greet",["Bo"]]]', 'down [[1,"Hello Bo"]]']);
    expect(complaints).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });
});

describe('use', () => {
  test('compiles every method for its features', () => {
    const compile = vi.fn();
    compileContract(ENTRIES, using({ compile }));
    expect(compile.mock.calls.map(([method]) => method as string)).toEqual(Object.keys(ENTRIES));
  });

  test.each([[undefined], [{}], ['bytes'], [{ '~feature': { name: 'old', version: 0 } }]])(
    'refuses %j',
    (feature) => {
      expect(() => compileContract({}, { use: [feature as object] })).toThrow(TypeError);
    },
  );
});

describe('request', () => {
  const post = (path: string, body: string, headers: Record<string, string> = {}): Request =>
    new Request(`https://example.com/__rpc/HOOKED/${path}`, { method: 'POST', body, headers });

  const ask = async (request: Request): Promise<unknown> => {
    const text = await (await exports.default.fetch(request)).text();
    return text.startsWith('{') ? JSON.parse(text) : text;
  };

  test.each([
    ['a result', 'later', '["now"]', { result: 'now' }],
    ['an error', 'fail', '[]', { message: 'It failed' }],
    ['a wrong argument', 'add', '["x"]', { code: 'INVALID_ARGUMENTS' }],
    ['an unknown method', 'none', '[]', { code: 'METHOD_NOT_FOUND' }],
    ['an empty path', '', '[]', { code: 'METHOD_NOT_FOUND' }],
    ['a longer path', 'add/1', '[]', { code: 'METHOD_NOT_FOUND' }],
  ])('answers with %s', async (name, path, body, expected) => {
    const answer = await ask(post(`kinds-${name.replaceAll(' ', '')}/${path}`, body));
    expect(answer).toMatchObject(expected);
  });

  test('runs a call with a key once', async () => {
    const add = (key: string) => ask(post('once/add', '[5]', { 'Idempotency-Key': key }));
    expect(await add('one')).toEqual({ result: 5 });
    expect(await add('one')).toEqual({ result: 5 });
    expect(await add('two')).toEqual({ result: 10 });
  });

  test('leaves other requests to the class', async () => {
    const answer = await exports.default.fetch('https://example.com/__rpc/HOOKED/other/add');
    expect(await answer.text()).toBe('the class: GET /__rpc/HOOKED/other/add');
  });

  test('bars a client with too many rejected messages', async () => {
    const headers = { 'Idempotency-Key': 'barred', 'lumenize-rpc-client': 'barred' };
    const wrong = post('barred/call', '[[1,"x"],[2,"x"],[3,"x"]]', {
      ...headers,
      'Content-Type': 'application/json',
    });
    for (let time = 0; time < 10; time++) await exports.default.fetch(wrong.clone());
    const answer = await exports.default.fetch(post('barred/add', '[1]', headers));
    expect(answer.status).toBe(429);
  });

  test('is called only through the router, whatever a client sends', async () => {
    const path = '/__rpc/HOOKED/forged';
    const forged = { 'lumenize-rpc-path': '/__rpc/HOOKED' };
    const viaRouter = post('forged/add', '[1]', forged);
    expect(await ask(viaRouter)).toEqual({ result: 1 });
    // A request that does not come through the router has no such header, or a header that does not
    // match the path.
    const stub = env.HOOKED.getByName('forged');
    const direct = (headers: HeadersInit) =>
      stub.fetch(`https://example.com${path}/add`, { method: 'POST', body: '[1]', headers });
    expect(await (await direct({})).text()).toBe(`the class: POST ${path}/add`);
    const elsewhere = await direct({ 'lumenize-rpc-path': '/__rpc/HOOKED/for' });
    expect(await elsewhere.text()).toBe(`the class: POST ${path}/add`);
  });

  test('is not forwarded without the option', async () => {
    const response = await routeDORequest(post('closed/add', '[1]'), env);
    expect(response?.status).toBe(404);
  });

  test('knows the caller that a hook has named', async () => {
    const onBeforeRequest = (request: Request) => withCaller(request, { user: 'ada' });
    const options = { otherPaths: true, onBeforeRequest };
    const response = await routeDORequest(post('named/add', '[1]'), env, options);
    expect(await response?.json()).toEqual({ result: 1, caller: { user: 'ada' } });
  });
});
