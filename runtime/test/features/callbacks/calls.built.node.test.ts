/** Functions as arguments: the object calls them in order and with its arguments, and gets their answers. */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import { unhandledDuring } from '../../calls/unhandled.ts';
import type { Outcome } from './caller.ts';
import { holding } from '../../served/gates.ts';
import { type Client, serve } from './serve.ts';

const worker = await serve();

/** Returns the messages in the frames that a client has sent. */
function sentBy(frames: readonly string[]): unknown[][] {
  return frames.flatMap((frame) => JSON.parse(frame) as unknown[][]);
}

test.each(['DEFAULT', 'RESIDENT'] as const)(
  '%s: a function is called, and its answer arrives',
  async (binding) => {
    using client = worker.connect('there', {}, binding);
    const heard: string[] = [];
    expect(
      await client.ask(
        'really?',
        callback((text) => heard.push(text) > 0),
      ),
    ).toBe(true);
    expect(
      await client.ask(
        'later?',
        callback(async () => false),
      ),
    ).toBe(false);
    expect(heard).toEqual(['really?']);
  },
);

test('a callback can be passed to two clients', async () => {
  using client = worker.connect('mark');
  using other = worker.connect('mark');
  const yes = callback(() => true);
  expect(await Promise.all([client.ask('a', yes), other.ask('b', yes)])).toEqual([true, true]);
  expect(await client.ask('c', yes)).toBe(true);
});

test('progress arrives in order, before the answer of its call', async () => {
  using client = worker.connect('progress');
  const heard: unknown[] = [];
  const loading = client.load(
    100,
    callback((percent) => heard.push(percent)),
  );
  const others = [
    client.one(),
    client.load(
      2,
      callback((percent) => heard.push(-percent)),
    ),
  ];
  heard.push(`loaded ${await loading}`);
  await Promise.all(others);
  const expected = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(heard.slice(0, 100)).toEqual(expected);
  expect(heard.slice(100)).toEqual([-1, -2, 'loaded 100']);
});

test('callbacks can answer in any order', async () => {
  using client = worker.connect('order');
  const answers: ((yes: boolean) => void)[] = [];
  const asked = client.outcomes(
    3,
    callback(() => {
      const answer = new Promise<boolean>((resolve) => answers.push(resolve));
      if (answers.length === 3)
        for (const [index, tell] of answers.toReversed().entries()) tell(index === 0);
      return answer;
    }),
  );
  expect(await asked).toEqual([{ result: false }, { result: false }, { result: true }]);
});

test('a callback can call the object, and be called meanwhile', async () => {
  using client = worker.connect('recursion');
  const ask = async (depth: number): Promise<boolean> =>
    depth === 0
      ? (await client.one()) === 1
      : client.ask(
          'deeper',
          callback(() => ask(depth - 1)),
        );
  expect(await ask(20)).toBe(true);
});

test('rich values go in both directions', async () => {
  using client = worker.connect('rich');
  const cycle: Record<string, unknown> = { map: new Map([[1, new Date(0)]]), none: undefined };
  cycle['self'] = cycle;
  const values = [cycle, -0, 5n, new Set(['a']), undefined, new Uint8Array([1, 2])];
  let heard: unknown;
  const answered = await client.repeat(
    values,
    callback((...given: unknown[]) => {
      heard = given;
      return { given, error: new RangeError('no') };
    }),
  );
  expect(heard).toEqual(values);
  expect(answered).toEqual({ given: values, error: new RangeError('no') });
});

test.each([[], [undefined], [null], ['rich'], [['rich', 1]], ['error', 'again']])(
  'arguments arrive as they are: %j',
  async (...values) => {
    using client = worker.connect('arguments');
    expect(
      await client.repeat(
        values,
        callback((...given: unknown[]) => given),
      ),
    ).toEqual(values);
  },
);

describe('numbers of functions', () => {
  test('are the same for the same function, and different for different functions', async () => {
    const { client, sockets } = worker.watch('numbers');
    const gate = new Promise<boolean>((resolve) => setTimeout(resolve, 50, true));
    const ask = (): Promise<boolean> => gate;
    await Promise.all([
      client.ask('a', callback(ask)),
      client.ask('b', callback(ask)),
      client.twice(
        callback(ask),
        callback(() => 'text'),
      ),
      client.nested({
        name: 'n',
        on: {
          ask: callback(ask),
          each: [callback((value) => value), callback((value) => -value)],
        },
      }),
    ]);
    const numbers = sentBy(sockets[0]?.sent ?? [])
      .flatMap(([, , , list]) => (Array.isArray(list) ? (list as unknown[]) : []))
      .flatMap((item) => (Array.isArray(item) && item[0] === 'Function' ? [item[1]] : []));
    expect(numbers).toEqual([1, 1, 1, 2, 1, 3, 4]);
    // All calls have ended, so the function gets a new number.
    await client.ask('c', callback(ask));
    expect(sockets[0]?.sent.join()).toContain('["Function",5]');
    client.close();
  });

  test('answers of a tick leave in one frame', async () => {
    const { client, sockets } = worker.watch('one frame');
    await client.outcomes(
      100,
      callback(() => true),
    );
    expect(sockets[0]?.sent.length).toBe(2);
    expect(sentBy(sockets[0]?.sent ?? [])).toHaveLength(101);
    client.close();
  });
});

describe('places of functions', () => {
  test('are objects, arrays and optional arguments', async () => {
    using client = worker.connect('nested');
    const each = [
      callback((value: number) => value + 1),
      callback(async (value: number) => value + 2),
    ];
    const on = { ask: callback((text: string) => text === 'nested'), each };
    expect(await client.nested({ name: 'all', on })).toEqual(['all', true, 2, 3]);
    expect(await client.nested({ name: 'none' })).toEqual(['none', undefined]);
    expect(await client.nested({ name: 'some', on: {} })).toEqual(['some', undefined]);
    expect(await client.maybe()).toBe('nothing');
    expect(await client.maybe(callback(() => true))).toBe('true');
  });

  test('each check the answer by their own schema, even for one function in two places', async () => {
    using client = worker.connect('two places');
    const yes = callback((() => true) as never) as never;
    const outcomes = await client.twice(yes, yes);
    expect(outcomes[0]).toEqual({ result: true });
    expect(outcomes[1]?.code).toBe('INVALID_ARGUMENTS');
    expect(outcomes[1]?.path).toBe('[1]()');
  });

  test('are arguments of the methods of a capability, too', async () => {
    using raw = await worker.raw('desk');
    const answer = await raw.ask('[1,"desk",["ann"]]');
    const [, className, number, address] =
      /"Capability","(\w+)","([^"]+)","(\w+)"/.exec(answer) ?? [];
    raw.send(
      JSON.stringify([
        [2, ['ask', className, number, address], 'rich', [[[[1]]], ['Function', 7]]],
      ]),
    );
    const [[kind, k, f, args] = []] = JSON.parse(await raw.next()) as unknown[][];
    expect([kind, f, args]).toEqual(['call', 7, ['ann']]);
    expect(await raw.ask(`["return",${k},true]`)).toBe('[[2,true]]');
  });
});

describe('an argument is rejected', () => {
  const stray = (method: string, path: string): object =>
    expect.objectContaining({
      code: 'INVALID_ARGUMENTS',
      path,
      message: expect.stringContaining(`${method}: argument ${path} is a function`),
    });

  test.each([
    [callback(() => 1), '[0]'],
    [{ a: [1, { b: callback(() => 1) }] }, '[0].a[1].b'],
    [new Map([['key', callback(() => 1)]]), '[0]'],
    [[new Set([callback(() => 1)])], '[0][0]'],
    [Object.assign(new Error('no'), { cause: { f: callback(() => 1) } }), '[0].cause.f'],
  ])('for a function where the contract has none: %o', async (value, path) => {
    using client = worker.connect('stray');
    await expect(client.any(value)).rejects.toEqual(stray('any', path));
  });

  test('for a function beside the allowed places', async () => {
    using client = worker.connect('beside');
    const argument = { name: 'n', on: { ask: callback(() => true), other: callback(() => true) } };
    await expect(client.nested(argument as never)).rejects.toEqual(stray('nested', '[0].on.other'));
  });

  test('for another value in place of a function', async () => {
    using client = worker.connect('no function');
    await expect(client.ask('?', 5 as never)).rejects.toThrow(
      'ask: argument [1] must be function, got 5',
    );
  });

  test.each(['http', 'websocket'] as const)(
    '%s: a function without callback() is not sent, and the error says to write callback()',
    async (transport) => {
      using client = worker.connect('unsent', { transport });
      const ask = (() => true) as never;
      await expect(client.nested({ name: 'n', on: { ask } })).rejects.toMatchObject({
        code: 'UNSERIALIZABLE',
        path: '[0].on.ask',
        message: 'nested: Cannot send a function at [0].on.ask: pass callback(fn)',
      });
    },
  );

  test('for a function over HTTP', async () => {
    using client = worker.connect('unsent', { transport: 'http' });
    const ask = callback(() => true);
    await expect(client.nested({ name: 'n', on: { ask } })).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      message: 'A callback needs a WebSocket',
    });
  });

  test('for a client', async () => {
    using client = worker.connect('client');
    await expect(client.any(client)).rejects.toMatchObject({ code: 'UNSERIALIZABLE', path: '[0]' });
  });

  test('for a function in a subscription', async () => {
    using client = worker.connect('subscription');
    const loop = (async () => {
      for await (const _ of subscribe(client).eventsOf(async () => true));
    })();
    await expect(loop).rejects.toMatchObject({ code: 'UNSERIALIZABLE', path: '[0]' });
  });

  test('for a value that cannot be sent, and a function beside it is forgotten', async () => {
    const { client, sockets } = worker.watch('forgotten');
    await expect(
      client.repeat(
        [Symbol('no')],
        callback(() => 1),
      ),
    ).rejects.toThrow('Cannot send a symbol');
    await client.ask(
      'a',
      callback(() => true),
    );
    await client.ask(
      'b',
      callback(() => true),
    );
    expect(sockets[0]?.sent.join()).toMatch(/"Function",\d.*"Function",\d/);
    client.close();
  });
});

describe('after a call has ended', () => {
  test('its callback rejects with CLOSED, and so does the token of the callback', async () => {
    using client = worker.connect('ended');
    await client.keepInMemory(callback(() => 1));
    expect(await client.callLate()).toMatchObject({
      code: 'CLOSED',
      message:
        'keepInMemory: the callback [0] ended with its call: store tokenOf(callback) to keep it',
      maybeExecuted: false,
    });
    await expect(client.addressLate()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  test('its callback can still answer an earlier request', async () => {
    using client = worker.connect('after');
    let answer: ((yes: boolean) => void) | undefined;
    await client.begin(
      'late',
      1,
      callback(() => new Promise<boolean>((resolve) => (answer = resolve))),
    );
    expect(await client.heard('late0')).toBeUndefined();
    answer?.(true);
    await expect.poll(() => client.heard('late0')).toEqual({ result: true });
  });

  test('an error of its callback causes no unhandled rejection', async () => {
    using client = worker.connect('ignored');
    const reasons = await unhandledDuring(async () => {
      await client.load(
        3,
        callback(() => {
          throw new RangeError('nobody looks');
        }),
      );
      await client.one();
    });
    expect(reasons).toEqual([]);
    await worker.runtime.check();
  });
});

describe('a callback that fails', () => {
  const outcome = async (client: Client, ask: () => unknown): Promise<Outcome | undefined> =>
    (await client.outcomes(1, callback(ask as () => boolean)))[0];

  class Odd {
    readonly field = 1;
  }

  const unreadable = new Proxy(
    {},
    {
      getPrototypeOf() {
        throw new Error('unreadable');
      },
    },
  );
  const nothing = {
    name: 'Error',
    message: 'outcomes: the callback [1] threw an error that cannot be sent',
  };

  test.each<[string, unknown, Outcome]>([
    ['an error', new RangeError('no'), { name: 'RangeError', message: 'no' }],
    ['text', 'text', { message: 'threw text' }],
    ['nothing', undefined, nothing],
    ['an instance of a class', new Odd(), nothing],
    ['an unreadable value', unreadable, nothing],
  ])('by throwing %s throws at the object', async (_, thrown, expected) => {
    using client = worker.connect('throwing');
    const throws = (): never => {
      throw thrown;
    };
    expect(await outcome(client, throws)).toMatchObject(expected);
    expect(await outcome(client, async () => throws())).toMatchObject(expected);
  });

  test('with an error that the method does not catch rejects the call', async () => {
    using client = worker.connect('uncaught');
    const failing = client.ask(
      '?',
      callback(() => {
        throw Object.assign(new SyntaxError('from here'), { field: { a: 1 } });
      }),
    );
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).toMatchObject({ message: 'from here', field: { a: 1 } });
  });

  test.each([
    [1, '[1]()', 'outcomes: the result of the callback at [1]() must be boolean, got 1'],
    [
      undefined,
      '[1]()',
      'outcomes: the result of the callback at [1]() must be boolean, got undefined',
    ],
    [
      new Date(0),
      '[1]()',
      'outcomes: the result of the callback at [1]() must be boolean, got a Date',
    ],
  ])('by an answer of another type, %o, throws at the object', async (answer, path, message) => {
    using client = worker.connect('wrong');
    const expected = { code: 'INVALID_ARGUMENTS', name: 'RpcError', path, message };
    expect(await outcome(client, () => answer)).toEqual(expected);
    expect(
      await client.ask(
        'still there',
        callback(() => true),
      ),
    ).toBe(true);
  });

  test('because its answer cannot be sent or is too large affects no other call', async () => {
    using client = worker.connect('unsendable');
    const other = client.ask(
      'other',
      callback(() => true),
    );
    expect(await outcome(client, () => () => 1)).toMatchObject({ code: 'UNSERIALIZABLE' });
    const large = 'x'.repeat(2_200_000);
    expect(await outcome(client, () => large)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await outcome(client, () => Promise.reject(new Error(large)))).toMatchObject({
      message: 'outcomes: the callback [1] threw an error that cannot be sent',
    });
    expect(await other).toBe(true);
  });

  test('cannot fail by its answer if it has no result type, because the answer is ignored', async () => {
    using client = worker.connect('void');
    expect(
      await client.load(
        2,
        callback(() => ({ anything: new Map() })),
      ),
    ).toBe(2);
    expect(await client.load(2, callback((() => () => 1) as () => void))).toBe(2);
  });

  test('because its arguments cannot be sent throws at the object', async () => {
    using client = worker.connect('sent');
    await expect(client.repeatUnsendable(callback(() => 1))).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      path: '[0].f',
    });
  });
});

test('a call that waits for another passes its functions on', async () => {
  const { client, sockets } = worker.watch('waiting');
  // Both calls are in one frame, so the object knows the first when the second arrives.
  const held = client.hold(
    'first',
    callback(() => true),
  );
  await holding(client, 'first');
  const text = client.heard('nothing').then(() => 'text');
  const asked = client.ask(
    client.textLater() as never,
    callback((given) => given === 'later'),
  );
  expect(await asked).toBe(true);
  expect(
    await client.ask(
      await text,
      callback(() => true),
    ),
  ).toBe(true);
  using other = worker.connect('waiting elsewhere');
  // The client inserts the result of another client, and encodes the call again.
  expect(
    await client.ask(
      other.textLater() as never,
      callback((given) => given === 'later'),
    ),
  ).toBe(true);
  const numbers = sockets[0]?.sent.join().match(/"Function",\d+/g);
  expect(numbers).toEqual(['"Function",1', '"Function",2', '"Function",3', '"Function",4']);
  await client.release('first', true);
  expect(await held).toEqual([]);
  client.close();
});
