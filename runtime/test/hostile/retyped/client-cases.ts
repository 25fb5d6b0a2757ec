/**
 * The messages of an object to a client. Each case says what the client does, and how the object
 * answers.
 */
import { callback, type RpcClient, stream, subscribe } from '../../../src/client.ts';
import type { Json } from './replaced.ts';
import type { All } from './worker.ts';

export type AllClient = RpcClient<All>;

interface Desk {
  echo(value: number): PromiseLike<unknown>;
}

export interface ClientCase {
  readonly name: string;
  /** The action of the client. It always settles. */
  readonly run: (client: AllClient) => PromiseLike<unknown>;
  /** The kind of the client's message, or the method of its call, to which the object answers. */
  readonly answers: string;
  /** The messages before the replaced message, by the number of the client's message. */
  readonly first?: (n: number) => Json[][];
  readonly message: (n: number) => Json[];
  /** The messages after the replaced message. */
  readonly after?: (n: number) => Json[][];
  /** The messages that end the action of the client, unless it has ended. */
  readonly last: (n: number) => Json[][];
  /** The number of bytes that follow the text, if the messages are in a binary frame. */
  readonly length?: number;
}

const ERROR: Json = [['Error', 'RpcError', 'RpcError', 'no', [], { code: 'FORBIDDEN' }]];

async function readAll(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function answer(name: string, rest: Json[], more: Partial<ClientCase> = {}): ClientCase {
  return {
    name: `answer: ${name}`,
    run: (client) => client.echo('x'),
    answers: 'echo',
    message: (n) => [n, ...rest],
    last: (n) => [[n, 'last']],
    ...more,
  };
}

const CALLS: ClientCase[] = [
  answer('undefined', []),
  answer('plain', [{ a: [1] }]),
  answer('any value', ['rich', [['Map', 'key', ['Date', 0]]]]),
  answer('an error', ['error', ERROR]),
  answer('a capability', ['rich', [[1], ['Capability', 'Desk', 'q7ZkB2s0', 'ann']]], {
    // The client calls the capability, so it must send the address of a capability.
    run: async (client) => {
      const desk: unknown = await client.open('ann');
      return typeof desk === 'function' ? (desk as object as Desk).echo(1) : desk;
    },
    answers: 'open',
  }),
  answer('bytes', ['rich', [[1], ['Bytes', 0]]], { length: 2_000 }),
  {
    ...answer('a call that has not run', []),
    message: (n) => [-n],
  },
  {
    name: 'error',
    run: (client) => client.echo('x'),
    answers: 'echo',
    message: () => ['error', ERROR],
    last: (n) => [[n, 'last']],
  },
];

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const CALLBACKS: ClientCase[] = [
  ...[[], [[50]], ['rich', [[['Date', 0], 1]]]].map((args): ClientCase => ({
    name: `call ${JSON.stringify(args)}`,
    run: (client) => client.ask(callback(() => 1) as never),
    answers: 'ask',
    message: () => ['call', 912_833, 1, ...(args as Json[])],
    last: (n) => [[n, 'last']],
  })),
  {
    name: 'trace',
    run: (client) => client.ask(callback(() => 1) as never),
    answers: 'ask',
    message: () => ['trace', [912_833, TRACEPARENT, 'a=1']],
    after: () => [['call', 912_833, 1]],
    last: (n) => [[n, 'last']],
  },
  ...['keep', 'drop'].map((kind): ClientCase => ({
    name: kind,
    run: (client) => client.ask(callback(() => 1) as never),
    answers: 'ask',
    first: () => (kind === 'drop' ? [['keep', 1, '.ask[0]']] : []),
    message: () => [kind, 1, '.ask[0]'],
    last: (n) => [[n, 'last']],
  })),
];

const STREAMS: ClientCase[] = [
  ['ack', 1, 1],
  ['stop', 1],
].map((message) => ({
  name: `${message[0]} of a stream`,
  run: (client) => client.upload(stream(['a', 'b', 'c']) as never),
  answers: 'upload',
  message: () => message,
  last: (n) => [[n, 'last']],
}));

function subscription(
  name: string,
  method: 'topic' | 'messages' | 'items' | 'seats',
  more: Pick<ClientCase, 'message'> & Partial<ClientCase>,
): ClientCase {
  return {
    name: `subscription: ${name}`,
    run: (client) => readAll(subscribe(client)[method]()),
    answers: 'subscribe',
    last: (n) => [['complete', n]],
    ...more,
  };
}

const SUBSCRIPTIONS: ClientCase[] = [
  subscription('to a live value', 'topic', {
    message: (n) => ['subscribed', n],
    after: (n) => [['value', n, 'tea']],
  }),
  ...[['tea'], ['rich', [['Date', 0]]], []].map((value) =>
    subscription(`value ${JSON.stringify(value)}`, 'topic', {
      first: (n) => [['subscribed', n]],
      message: (n) => ['value', n, ...(value as Json[])],
    }),
  ),
  ...[
    [0, [{ id: 1 }, [{ id: ['Date', 0] }]]],
    [0, [{ id: 1 }, { id: 2 }], false, 'todo', 1, 'done', 1],
    [0, [{ id: 1 }], true, 'todo', 1],
  ].map((rest) =>
    subscription(`patch ${JSON.stringify(rest)}`, 'topic', {
      first: (n) => [['subscribed', n]],
      message: (n) => ['patch', n, ...(rest as Json[])],
      after: (n) => [['patch', n, 1, [0, 1]]],
    }),
  ),
  subscription('patch of the previous value', 'topic', {
    first: (n) => [
      ['subscribed', n],
      ['patch', n, 0, [{ id: 1 }, { id: 2 }]],
    ],
    message: (n) => ['patch', n, 1, [1, 1, { id: 3 }, [{ id: ['Date', 0] }], 0, 1]],
  }),
  subscription('to a feed', 'messages', {
    message: (n) => ['subscribed', n, '40.k3x9qz'],
    after: (n) => [['next', n, 41, 'a']],
  }),
  subscription('to a feed with a snapshot', 'messages', {
    message: (n) => ['subscribed', n, '40.k3x9qz', 64, 'rich', [['Date', 0]]],
    after: (n) => [['next', n, 41, 'a']],
  }),
  ...[['a'], ['rich', [['Date', 0]]], []].map((event) =>
    subscription(`next ${JSON.stringify(event)}`, 'messages', {
      first: (n) => [['subscribed', n, '0.']],
      message: (n) => ['next', n, 1, ...(event as Json[])],
    }),
  ),
  subscription('epoch', 'messages', {
    first: (n) => [['subscribed', n, '0.']],
    message: (n) => ['epoch', n, 0, 'k3x9qz'],
    after: (n) => [['next', n, 1, 'a']],
  }),
  subscription('window', 'items', {
    first: (n) => [['subscribed', n, '0.k3x9qz']],
    message: (n) => ['window', n, 8],
    after: (n) => [['next', n, 1, 'a']],
  }),
  subscription('to rows', 'seats', {
    message: (n) => ['subscribed', n, ['place'], 2_048],
    after: (n) => [['next', n, 1, [{ place: 'a' }]]],
  }),
  subscription('rows', 'seats', {
    first: (n) => [['subscribed', n, ['place'], 2_048]],
    message: (n) => ['next', n, 1, [{ place: 'a' }, { place: 'b' }]],
  }),
  subscription('its end', 'topic', {
    first: (n) => [['subscribed', n]],
    message: (n) => ['complete', n],
  }),
  subscription('its end by an error', 'topic', {
    first: (n) => [['subscribed', n]],
    message: (n) => ['complete', n, 'error', ERROR],
  }),
  subscription('to a result that the object does not have', 'topic', {
    message: (n) => ['complete', -n],
  }),
];

const OFFERS: ClientCase[] = [['bytes'], ['bytes', 'error', ERROR]].map((message) => ({
  name: `offer: ${JSON.stringify(message[0])} of ${message.length}`,
  run: (client) => client.echo(new ArrayBuffer(2_000)),
  answers: 'bytes',
  message: () => message as Json[],
  last: () => [['bytes']],
}));

export const CLIENT_CASES: readonly ClientCase[] = [
  ...CALLS,
  ...CALLBACKS,
  ...STREAMS,
  ...SUBSCRIPTIONS,
  ...OFFERS,
];
