/** A client uses a feature that the contract lacks, or lacks a feature that the contract has. */
import * as Type from '../../src/typebox.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  callback as functionOf,
  capability,
  compileContract,
  type Contract,
  events,
  feed,
  live,
  presence,
  rows,
  servePort,
  stream as streamEntry,
  streamOf,
} from '../../src/server.ts';
import {
  callback,
  capabilities,
  capabilityAt,
  createRpcClient,
  messagePortTransport,
  type RpcClientOptions,
  stream,
  subscribe,
} from '../../src/client.ts';
import { explainMissing } from '../../src/server/diagnostics/missing-feature.ts';
import { FEATURE_MESSAGES, FEATURE_REFERENCES } from '../../src/wire/features.ts';
import { ofKind, thrownBy } from '../support/messages.ts';
import { openPort } from '../support/open-port.ts';

class DeskImpl {
  readonly office: Office;

  constructor(office: Office) {
    this.office = office;
  }

  greet(): string {
    return 'hello';
  }
}
const Desk = capability(DeskImpl, [], { greet: [] });

class Office {
  /** The arguments of the calls that ran. */
  readonly ran: unknown[][] = [];

  one(): number {
    return 1;
  }

  take(...args: unknown[]): string {
    this.ran.push(args);
    return 'taken';
  }

  value = (): number => 1;
  shown = (text?: string): string | undefined => text;
  news = (): unknown => feed(this, 'news');
  *digits(): Generator<number> {
    yield 1;
  }
  *list(): Generator<{ id: number }> {
    yield { id: 1 };
  }
  import = (): void => {};
  notify = (): void => {};
  desk(): InstanceType<typeof Desk> {
    return new Desk(this);
  }
}

/** The contract of the calls that every object here answers, whatever other features its contract has. */
const PLAIN: Contract = { one: [], take: [Type.Unsafe<unknown>(Type.Unknown())] };

interface Feature {
  name: string;
  /** The contract that brings the feature. */
  contract: Contract;
  /** The text that the error tells users to write. */
  write: string;
  /** The place where users have to write it. */
  where?: string;
  /** The feature on which this feature is built. */
  needs?: Feature;
}

const SUBSCRIPTIONS: Feature = {
  name: 'subscriptions',
  contract: {
    value: live(),
    news: events(),
    digits: streamEntry(),
    list: rows('id', [Type.Optional(Type.Integer())]),
  },
  write: 'live(), events(), stream() or rows()',
};
const UPLOADS: Feature = {
  name: 'uploads',
  contract: { import: [streamOf(Type.String())] },
  write: 'streamOf()',
};
const CALLBACKS: Feature = {
  name: 'callbacks',
  contract: { notify: [functionOf([Type.String()])] },
  write: 'callback()',
};
const CAPABILITIES: Feature = {
  name: 'capabilities',
  contract: { desk: { input: [], returns: Desk } },
  write: 'a class made by capability()',
};
/** These features are options of the object and not a part of its contract. No object in this file has them. */
const BINARY_FRAMES: Feature = {
  name: 'bytes',
  contract: {},
  write: 'use: [bytes]',
  where: 'the options of the object',
};
const PRESENCE: Feature = {
  name: 'presence',
  contract: { shown: presence([Type.Optional(Type.String())]) },
  write: 'presence()',
  needs: SUBSCRIPTIONS,
};
const FEATURES = [SUBSCRIPTIONS, UPLOADS, CALLBACKS, CAPABILITIES, PRESENCE];
const TRACES: Feature = {
  name: 'tracing',
  contract: {},
  write: 'use: [tracing]',
  where: 'the options of the object',
};
/** A client announces something with these messages and requests nothing, so they do not count as rejected. */
const HARMLESS = [BINARY_FRAMES, TRACES];

/** Returns two contracts that lack the feature: a contract of plain calls, and a contract with all other features. */
function lacking(feature: Feature) {
  const others = FEATURES.filter((one) => one !== feature && one.needs !== feature).map(
    ({ contract }) => contract,
  );
  return [
    ['without any feature', compileContract(PLAIN)],
    ['with all others', compileContract(Object.assign({}, PLAIN, ...others))],
  ] as const;
}

const unsupported = ({ write, where = 'the contract' }: Feature) => ({
  code: 'UNSUPPORTED',
  message: expect.stringContaining(`are not supported by this object: add ${write} to ${where}`),
});

/** Returns the error in an answer. */
const failureIn = ([, ...rest]: unknown[] = []): unknown => thrownBy(['complete', 1, ...rest]);

/** Messages that are not calls. A message that is answered gets its answer under the subscription number 7. */
const SAID: [feature: Feature, message: string, answer?: string][] = [
  [SUBSCRIPTIONS, '["subscribe",7,null,"value"]', 'complete'],
  [SUBSCRIPTIONS, '["subscribe",7,null,"one"]', 'complete'],
  [SUBSCRIPTIONS, '["subscribe",7,"3.epoch","news"]', 'complete'],
  [SUBSCRIPTIONS, '["subscribe",7,0,"digits","rich",[[[[1]]],["Function",1]]]', 'complete'],
  [SUBSCRIPTIONS, '["subscribe",7,null,["greet",2]]', 'complete'],
  [SUBSCRIPTIONS, '["subscribe",-7,null,"value"]'],
  [SUBSCRIPTIONS, '["subscribe"]'],
  [SUBSCRIPTIONS, '["ack",7,1]'],
  [SUBSCRIPTIONS, '["unsubscribe",7]'],
  [PRESENCE, '["say",7,["a"]]'],
  [UPLOADS, '["item",1,1,"a"]'],
  [UPLOADS, '["item",1,1,"rich",[[]]]'],
  [UPLOADS, '["end",1]'],
  [UPLOADS, '["end",1,"error",[["Error","Error","Error","no",[]]]]'],
  [BINARY_FRAMES, '["bytes"]', 'bytes'],
  [TRACES, '["trace",[1,"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]]'],
  [TRACES, '["trace",5]'],
  [CALLBACKS, '["return",1,5]'],
  [CALLBACKS, '["return",1,"error",[["Error","Error","Error","no",[]]]]'],
];

/** References in arguments. */
const REFERRED: [feature: Feature, reference: string][] = [
  [UPLOADS, '["Stream",1]'],
  [CALLBACKS, '["Function",1]'],
  [CAPABILITIES, '["Capability","Desk","7"]'],
];

/** Calls whose arguments or target contain a reference. */
const CALLED: [feature: Feature, call: string][] = [
  ...REFERRED.flatMap(([feature, reference]): [Feature, string][] => [
    [feature, `"take","rich",[[[[1]]],${reference}]`],
    [feature, `"take","rich",[[[{"deep":[1]}]],${reference}]`],
  ]),
  [CAPABILITIES, '["greet","Desk","7"]'],
  // The target is the result of the call before it.
  [CAPABILITIES, '["greet",1]'],
];

/** Combines each case with each contract that lacks its feature. */
const within = <Rest extends unknown[]>(cases: [Feature, ...Rest][]) =>
  cases.flatMap(([feature, ...rest]) =>
    lacking(feature).map(([name, contract]) => ({ feature, rest, name, contract })),
  );

describe('an object whose contract lacks a feature', () => {
  test.each(within(SAID))(
    'answers only the message $rest: $name',
    async ({ feature, rest, contract }) => {
      const [message, answer] = rest;
      const raw = openPort(new Office(), contract);
      const heard = await raw.exchange('[1,"one"]', message, '[2,"take",["a"]]');
      expect(heard.filter(([first]) => typeof first === 'number')).toEqual([
        [1, 1],
        [2, 'taken'],
      ]);
      const others = heard.filter(([first]) => typeof first !== 'number');
      expect(others.map(([kind]) => kind)).toEqual(answer ? [answer] : []);
      const [number, ...thrown] = others[0]?.slice(1) ?? [];
      if (answer === 'complete') expect(number).toBe(7);
      if (answer) {
        const failure = answer === 'complete' ? thrown : [number, ...thrown];
        expect(failureIn([0, ...failure])).toMatchObject(unsupported(feature));
      }
      // The message has no effect on later calls.
      expect(await raw.exchange('[1001,"take",["b"]]')).toEqual([[1001, 'taken']]);
      expect(raw.closed).toBeUndefined();
    },
  );

  test.each(within(CALLED))(
    'rejects the call $rest: $name',
    async ({ feature, rest, contract }) => {
      const office = new Office();
      const raw = openPort(office, contract);
      const heard = await raw.exchange('[1,"one"]', `[2,${rest[0]}]`, '[3,"take",["a"]]');
      expect(heard.map(([id]) => id)).toEqual([1, 2, 3]);
      expect(heard[0]).toEqual([1, 1]);
      expect(failureIn(heard[1])).toMatchObject(unsupported(feature));
      expect(heard[2]).toEqual([3, 'taken']);
      // The method of the rejected call has not run.
      expect(office.ran).toEqual([['a']]);
    },
  );

  test.each(within(REFERRED))(
    'rejects a call with $rest that waits for another: $name',
    async ({ feature, rest, contract }) => {
      const office = new Office();
      const gate = Promise.withResolvers<number>();
      const slow = Object.assign(office, { one: () => gate.promise });
      const raw = openPort(slow, contract);
      const waiting = `[2,"take","rich",[[[[1],[2]]],["Call",1],${rest[0]}]]`;
      raw.sendMessages('[1,"one"]', waiting, '[3,"take",["a"]]');
      await raw.until(([id]) => id === 3);
      gate.resolve(1);
      const heard = await raw.until(([id]) => id === 2);
      expect(failureIn(heard.find(([id]) => id === 2))).toMatchObject(unsupported(feature));
      expect(office.ran).toEqual([['a']]);
    },
  );

  test.each(
    within([
      ...SAID.filter(([feature]) => !HARMLESS.includes(feature)).map(
        ([feature, message]): [Feature, string] => [feature, message],
      ),
      ...CALLED,
    ]),
  )('counts $rest as rejected: $name', async ({ rest, contract }) => {
    const impatient = { ...contract, limits: { ...contract.limits, refusals: 1 } };
    const raw = openPort(new Office(), impatient);
    const [message] = rest;
    const isCall = CALLED.some(([, call]) => call === message);
    const said = [1, 2].map((id) => (isCall ? `[${id + 1},${message}]` : message));
    // The first call succeeds, which makes up for a rejected call. A call on its result needs it.
    raw.sendMessages('[1,"one"]', ...said, isCall ? `[4,${message}]` : message);
    await expect.poll(() => raw.closed).toBe(4429);
  });
});

test.each(['["greet",1]', '["greet","Desk","7"]'])(
  'a subscription through a capability, %s, ends with an error that says what to write',
  async (callee) => {
    const [, [, contract]] = lacking(CAPABILITIES);
    const raw = openPort(new Office(), contract);
    const heard = await raw.exchange(
      '[1,"one"]',
      `["subscribe",7,null,${callee}]`,
      '[2,"take",["a"]]',
    );
    expect(thrownBy(ofKind(heard, 'complete')[0])).toMatchObject(unsupported(CAPABILITIES));
    expect(heard).toHaveLength(3);
  },
);

test('the cases have every message and every reference of the table of features', () => {
  const kinds = SAID.map(([, message]) => (JSON.parse(message) as string[])[0]);
  expect(new Set(kinds)).toEqual(new Set(FEATURE_MESSAGES.keys()));
  const tags = REFERRED.map(([, reference]) => (JSON.parse(reference) as string[])[0]);
  expect(new Set(tags)).toEqual(new Set(FEATURE_REFERENCES.keys()));
  const told = [...FEATURE_MESSAGES.values(), ...FEATURE_REFERENCES.values()].map((needed) =>
    explainMissing(needed),
  );
  const written = [...FEATURES, ...HARMLESS].map(
    ({ write }) => expect.stringContaining(write) as string,
  );
  expect(told).toEqual(expect.arrayContaining(written));
});

/** Connects a client with an object by the two ends of a port. */
function joined(contract: ReturnType<typeof compileContract>, options: RpcClientOptions = {}) {
  const office = new Office();
  const { port1, port2 } = new MessageChannel();
  const transport = messagePortTransport(port1);
  const client = createRpcClient<object>('OFFICE', 'x', {
    transport,
    capabilities,
    ...options,
  }) as unknown as Client;
  const served = servePort(port2, office, contract);
  onTestFinished(() => {
    client.close();
    served.close();
  });
  return { client, office };
}

/** A client without the types of a contract, because the tests make calls that these types forbid. */
type Client = Record<Method, (...args: unknown[]) => Promise<unknown>> & { close(): void };
type Loops = Record<Method, () => AsyncIterable<unknown>>;
type Method = keyof Office | 'greet';

async function firstOf(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

const loopOf = (client: Client, method: Method): Promise<unknown> =>
  firstOf((subscribe(client as never) as Loops)[method]());

describe('a client that uses a feature which the contract lacks', () => {
  const uses: [name: string, feature: Feature, use: (client: Client) => unknown][] = [
    ...(['value', 'news', 'digits', 'list', 'one'] as const).map(
      (method): [string, Feature, (client: Client) => unknown] => [
        `subscribes to ${method}`,
        SUBSCRIPTIONS,
        (client) => loopOf(client, method),
      ],
    ),
    ['passes a callback', CALLBACKS, (client) => client.take(callback(() => 1))],
    [
      'passes a callback inside an object',
      CALLBACKS,
      (client) => client.take({ on: callback(() => 1) }),
    ],
    ['passes a stream', UPLOADS, (client) => client.take(stream(['a', 'b']))],
    ['passes a capability', CAPABILITIES, (client) => client.take(kept(client))],
    ['calls a capability', CAPABILITIES, (client) => kept(client).greet()],
    [
      'calls the result of a call',
      CAPABILITIES,
      (client) => (client.one() as unknown as Client).greet(),
    ],
  ];
  const kept = (client: Client): Client =>
    capabilityAt(client as never, '["Desk","7"]') as unknown as Client;

  test.each(
    uses.flatMap(([use, feature, run]) =>
      lacking(feature).map(([name, contract]) => ({ use, feature, run, name, contract })),
    ),
  )('$use: gets an error that says what to write, $name', async ({ feature, run, contract }) => {
    const { client, office } = joined(contract);
    const before = client.one();
    const used = run(client) as Promise<unknown>;
    const after = client.take('a');
    await expect(used).rejects.toMatchObject(unsupported(feature));
    expect(await Promise.all([before, after])).toEqual([1, 'taken']);
    // The client and the object go on.
    expect(await client.take('b')).toBe('taken');
    expect(office.ran).toEqual([['a'], ['b']]);
  });
});

describe('a client that lacks a feature which the contract brings', () => {
  const whole = compileContract(
    Object.assign({}, PLAIN, ...FEATURES.map(({ contract }) => contract)),
  );
  const uses: [name: string, use: (client: Client) => unknown, error: object][] = [
    [
      'passes a function without callback()',
      (client) => client.notify(() => 1),
      {
        code: 'UNSERIALIZABLE',
        path: '[0]',
        message: 'notify: Cannot send a function at [0]: pass callback(fn)',
      },
    ],
    [
      'passes a generator without stream()',
      (client) => client.import(new Office().digits()),
      {
        code: 'UNSERIALIZABLE',
        message: expect.stringMatching(/ at \[0\]: pass stream\(iterable\)$/),
      },
    ],
    [
      'passes a ReadableStream without stream()',
      (client) => client.import(new Blob(['a']).stream()),
      {
        code: 'UNSERIALIZABLE',
        message: expect.stringMatching(/ at \[0\]: pass stream\(iterable\)$/),
      },
    ],
    [
      'gets a capability without the option',
      (client) => client.desk(),
      { code: 'BAD_MESSAGE', message: expect.stringContaining('{ capabilities }') },
    ],
  ];

  test.each(uses)('%s: gets an error that says what to write', async (_, use, error) => {
    const { client } = joined(whole, { capabilities: undefined });
    const used = use(client) as Promise<unknown>;
    const after = client.take('a');
    await expect(used).rejects.toMatchObject(error);
    expect(await after).toBe('taken');
  });

  test.each(['value', 'digits', 'list'] as const)(
    'calls %s instead of subscribing to it',
    async (method) => {
      const { client } = joined(whole);
      const used = client[method]();
      if (method === 'value') expect(await used).toBe(1);
      else {
        await expect(used).rejects.toMatchObject({
          message: expect.stringContaining('subscribe(client)'),
        });
      }
    },
  );
});
