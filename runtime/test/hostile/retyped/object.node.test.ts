/**
 * Sends messages in which one element has another type to an object, over real sockets. The object
 * answers each message, or rejects it with an `RpcError`. It answers the calls before and after the
 * message. The object and the connection go on, and the object reports no error.
 */
import { describe, expect, test } from 'vitest';
import { isId } from '../../../src/wire/messages.ts';
import { ACK, LAST, MORE } from '../../../src/wire/pieces.ts';
import { thrownBy } from '../../support/messages.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import { type Json, replacedIn } from './replaced.ts';
import { serve } from './serve.ts';

const worker = await serve();

/** The codes with which an object rejects malformed messages. */
const CODES: readonly unknown[] = [
  'BAD_MESSAGE',
  'METHOD_NOT_FOUND',
  'INVALID_ARGUMENTS',
  'LIMIT_EXCEEDED',
  'UNSUPPORTED',
  'FORBIDDEN',
  'CURSOR_EXPIRED',
  'DISCONNECTED',
  'ABORTED',
];

/** The numbers that the messages of a case contain. */
interface Numbers {
  /** An id that no other case has. The ids around it belong to the other calls of the case. */
  readonly n: number;
  /** The number of a callback's call that waits for its answer. */
  readonly callId: number;
  /** The number of a capability. */
  readonly desk: string;
}

interface Case {
  readonly name: string;
  /** A message that is sent before, in a frame of its own. */
  readonly first?: (numbers: Numbers) => Json[];
  readonly message: (numbers: Numbers) => Json[];
  /** A message that ends what the case has begun, in a later frame. */
  readonly last?: (numbers: Numbers) => Json[];
  /**
   * A call may throw this error besides rejections: an error that the client has sent, or an error
   * of reading a result.
   */
  readonly thrown?: RegExp;
}

const ERROR: Json = [['Error', 'Error', 'Error', 'no', [], {}]];
const opened = ({ n }: Numbers): Json[] => [n - 2, 'open', ['ann']];
const uploading = ({ n }: Numbers): Json[] => [n - 2, 'upload', 'rich', [[[[1]]], ['Stream', n]]];

const CALLS: Case[] = [
  { name: 'a call without arguments', message: ({ n }) => [n, 'one'] },
  { name: 'a call with plain arguments', message: ({ n }) => [n, 'add', [5]] },
  { name: 'a call with any arguments', message: ({ n }) => [n, 'echo', 'rich', [[[['Date', 0]]]]] },
  {
    name: 'a call with a part of a result',
    message: ({ n }) => [n, 'echo', 'rich', [[[[1]]], ['Call', n - 1, 'a', '0']]],
    thrown: /^TypeError$/,
  },
  {
    name: 'a call of a capability',
    message: ({ n, desk }) => [n, ['echo', 'Desk', desk, 'ann'], [1]],
  },
  {
    name: 'a call of a result',
    first: opened,
    message: ({ n }) => [n, ['echo', n - 2], [1]],
  },
  {
    name: 'a call of a part of a result',
    first: opened,
    message: ({ n }) => [n, ['echo', n - 2, 'a'], [1]],
  },
  {
    name: 'a call with a capability',
    message: ({ n, desk }) => [n, 'pass', 'rich', [[[[1]]], ['Capability', 'Desk', desk, 'ann']]],
  },
  {
    name: 'a call with a function',
    message: ({ n }) => [n, 'ask', 'rich', [[[[1]]], ['Function', n]]],
  },
  {
    name: 'a call with a stream',
    message: ({ n }) => [n, 'upload', 'rich', [[[[1]]], ['Stream', n]]],
    last: ({ n }) => ['end', n, 0],
  },
];

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const CONTROLS: Case[] = [
  {
    name: 'cancel',
    first: ({ n }) => [n - 2, 'later'],
    message: ({ n }) => ['cancel', n - 2, n - 3],
  },
  { name: 'awaits', message: ({ n }) => ['awaits', n - 3, n - 2, n] },
  { name: 'resent', message: ({ n }) => ['resent', n, 5] },
  { name: 'bytes', message: () => ['bytes'] },
  {
    name: 'trace',
    message: ({ n }) => ['trace', [n + 5, TRACEPARENT], [n + 5, TRACEPARENT, 'a=1']],
  },
];

const RETURNS = [[2], ['rich', [2]], ['error', ERROR], ['rich', [['Date', 0]]]].map(
  (answer): Case => ({
    name: `return ${JSON.stringify(answer)}`,
    message: ({ callId }) => ['return', callId, ...(answer as Json[])],
    last: ({ callId }) => ['return', callId, 3],
    thrown: /^/,
  }),
);

const STREAMS = [
  ['item', 'a'],
  ['item', 'rich', ['a']],
  ['item'],
  ['end'],
  ['end', 'error', ERROR],
].map(([kind = '', ...rest]): Case => ({
  name: JSON.stringify([kind, ...rest]),
  first: uploading,
  message: ({ n }) => [kind, n, kind === 'item' ? 1 : 0, ...rest],
  last: ({ n }) => ['end', n],
  thrown: /^/,
}));

function subscribing(
  name: string,
  rest: (numbers: Numbers) => Json[],
  first?: Case['first'],
): Case {
  return {
    name: `subscribe: ${name}`,
    ...(first && { first }),
    message: (numbers) => ['subscribe', numbers.n, ...rest(numbers)],
    last: ({ n }) => ['unsubscribe', n],
  };
}

const SUBSCRIPTIONS: Case[] = [
  subscribing('a live value', () => [null, 'topic']),
  subscribing('with plain arguments', () => [null, 'topic', ['tea']]),
  subscribing('with any arguments', () => [null, 'topic', 'rich', [[[['Date', 0]]]]]),
  subscribing('a feed', () => [0, 'messages']),
  subscribing('a feed from a cursor', () => ['0.', 'messages']),
  subscribing('a stream', () => [null, 'items']),
  subscribing('a stream from a cursor', () => ['0.k3x9qz', 'items']),
  subscribing('rows', () => [null, 'seats']),
  subscribing('rows from a given row', () => ['"a"', 'seats']),
  subscribing('through a capability', ({ desk }) => [null, ['topic', 'Desk', desk, 'ann']]),
  subscribing('on a result', ({ n }) => [null, ['topic', n - 2]], opened),
  subscribing(
    'again',
    () => ['0.k3x9qz', 'items'],
    ({ n }) => ['subscribe', n, null, 'items'],
  ),
  ...['topic', 'messages', 'items', 'seats'].flatMap((method): Case[] =>
    [['ack', 1], ['unsubscribe']].map(([kind = '', ...rest]) => ({
      name: `${kind} ${method}`,
      first: ({ n }) => ['subscribe', n, null, method],
      message: ({ n }) => [kind, n, ...rest],
      last: ({ n }) => ['unsubscribe', n],
    })),
  ),
];

/**
 * Returns true if a message other than a call, which has no answer, has the form of the protocol.
 */
function isWellFormed([kind, first, second, ...rest]: unknown[]): boolean {
  const isCount = (value: unknown): boolean => value === 0 || isId(value);
  const hasForm = [0, 1].includes(rest.length) || ['rich', 'error'].includes(rest[0] as string);
  switch (kind) {
    case 'cancel':
    case 'awaits':
    case 'resent':
      return [first, second ?? 0, ...rest].every(isCount);
    case 'bytes':
      return first === undefined;
    case 'unsubscribe':
      return isId(first);
    case 'ack':
      return isId(first) && isId(second);
    case 'item':
      return isId(first) && isId(second) && hasForm && rest[0] !== 'error';
    case 'end':
      return isId(first) && (second === undefined || (isCount(second) && rest.length !== 1));
    case 'return':
      return isId(first);
    // A malformed trace is ignored.
    case 'trace':
      return true;
    default:
      return false;
  }
}

/** The number of ids of a case. */
const STEP = 20;

/** A connection on which the ids of calls ascend. */
class Sender implements Disposable {
  readonly raw: RawConnection;
  #last = 0;
  desk = '';

  private constructor(raw: RawConnection) {
    this.raw = raw;
  }

  static async to(instance: string): Promise<Sender> {
    const sender = new Sender(await worker.raw(instance));
    const list = (await sender.resultOf('open', ['ann'])) as [unknown, [string, string, string]];
    sender.desk = list[1][2];
    return sender;
  }

  /** Returns an id. The ids on both sides of it belong to no other case. */
  next(): number {
    this.#last += STEP;
    return this.#last + STEP / 2;
  }

  /**
   * Sends frames and then a call, and returns the messages that arrive up to the answer of the
   * call.
   */
  async after(...frames: (string | ArrayBuffer)[]): Promise<unknown[][]> {
    const id = (this.#last += STEP);
    for (const frame of frames) this.raw.send(frame);
    this.raw.sendMessages(`[${id},"one"]`);
    return this.raw.upTo(id);
  }

  async resultOf(method: string, args: Json[] = []): Promise<unknown> {
    const id = this.next();
    const [answer] = await this.after(JSON.stringify([[id, method, args]]));
    return answer?.at(-1);
  }

  /** Passes a function, and returns the number of the object's call of it. */
  async called(): Promise<number> {
    const id = this.next();
    const messages = await this.after(`[[${id},"ask","rich",[[[[1]]],["Function",${id}]]]]`);
    return messages.find(([kind]) => kind === 'call')?.[1] as number;
  }

  [Symbol.dispose](): void {
    void this.raw.close();
  }
}

/** Returns the codes of the errors among messages. An error without a code becomes a text. */
function errorsIn(messages: unknown[][]): string[] {
  return messages
    .filter((message) => message.at(-2) === 'error')
    .map((message) => {
      const thrown = thrownBy([0, 0, 'error', message.at(-1)]) as { code?: string } | undefined;
      return thrown?.code ?? (thrown instanceof Error ? thrown.name : 'no error');
    });
}

/** The number of bytes after the text of a binary frame. */
const LENGTH = 2_000;

const LENGTHS = `["bytes",${LENGTH}]`;

/** Returns a binary frame. */
function withBytes(text: string): ArrayBuffer {
  const head = new TextEncoder().encode(`${text}\0`);
  const frame = new Uint8Array(head.length + LENGTH);
  frame.set(head);
  return frame.buffer;
}

/** Returns the messages in which bytes replace one of the references at the end. */
function withBuffers(message: Json[]): string[] {
  const list = message.at(-1);
  if (message.at(-2) !== 'rich' || !Array.isArray(list)) return [];
  return list.slice(1).map((_, index) => {
    return JSON.stringify([...message.slice(0, -1), list.with(index + 1, ['Bytes', 0])]);
  });
}

/** Sends a frame with a message between two calls, and checks the messages that arrive. */
async function check(
  sender: Sender,
  { first, last, thrown }: Case,
  numbers: Numbers,
  text: string,
  lengths = '',
): Promise<void> {
  const { n } = numbers;
  const of = (message: Case['first']): string[] =>
    message ? [JSON.stringify([message(numbers)])] : [];
  const name = lengths ? `${lengths},${text}` : text;
  const frame = `[[${n - 1},"echo",[{"a":[1]}]],${name},[${n + 5},"one"]]`;
  const arrived = await sender.after(...of(first), lengths ? withBytes(frame) : frame, ...of(last));
  const answerOf = (id: unknown): unknown[] | undefined => arrived.find(([one]) => one === id);
  const errors = errorsIn(arrived);
  const ended = arrived.some(([kind]) => kind === 'complete');
  const isRejected = arrived.some(([kind]) => kind === 'error');
  const message = JSON.parse(text) as unknown[];
  // If the lengths are wrong, no message of a binary frame is read.
  if (!isRejected || !lengths) expect(answerOf(n - 1), name).toEqual([n - 1, { a: [1] }]);
  // A message that cannot be read ends its frame. Without its kind, a message can be a call with
  // the last id.
  const isLast = isId(message[0]) && message[0] >= n + 5;
  if (!isRejected && !isLast) expect(answerOf(n + 5), name).toEqual([n + 5, 1]);
  for (const error of errors) {
    if (!thrown?.test(error)) expect(CODES, name).toContain(error);
  }
  if (!isRejected && !ended) {
    const [kind, k] = message;
    // A call that asks the client or reads a stream is answered later.
    const isLater = message[1] === 'ask' || message[1] === 'upload';
    if (isId(kind)) expect(isLater || answerOf(kind), name).toBeTruthy();
    else if (kind === 'subscribe') expect(arrived.map((one) => one[1])).toContain(k);
    else expect(isWellFormed(message), name).toBe(true);
  }
  const ids = arrived.map(([id]) => id).filter(isId);
  // Without its kind, a message can have the id of the call before it. Then both are answered.
  const isSentTwice = isId(message[0]) && first?.(numbers)[0] === message[0];
  if (!isLast && !isSentTwice) expect(new Set(ids).size, name).toBe(ids.length);
  for (const [kind, callId] of arrived) {
    if (kind === 'call') await sender.after(`[["return",${callId},2]]`);
  }
}

describe.concurrent('an object', () => {
  test.each([...CALLS, ...CONTROLS, ...RETURNS, ...STREAMS, ...SUBSCRIPTIONS])(
    'gets $name',
    async (one) => {
      using sender = await Sender.to(one.name);
      using bystander = await Sender.to(one.name);
      const life = await sender.resultOf('life');
      const { desk } = sender;
      for (const lengths of ['', LENGTHS]) {
        const all = lengths ? withBuffers : replacedIn;
        const { length } = all(one.message({ n: 1, callId: 1, desk }));
        for (let index = 0; index < length; index++) {
          const callId = RETURNS.includes(one) ? await sender.called() : 0;
          const numbers = { n: sender.next(), callId, desk };
          await check(sender, one, numbers, all(one.message(numbers))[index] as string, lengths);
        }
      }
      expect(await sender.resultOf('one')).toBe(1);
      expect(await bystander.resultOf('life')).toBe(life);
      expect(await bystander.resultOf('reported')).toEqual([]);
    },
  );

  test('gets a frame with a changed message', async () => {
    using sender = await Sender.to('frame');
    for (const frame of replacedIn([
      [1, 'echo', [1]],
      ['awaits', 1],
    ])) {
      await sender.after(frame);
      expect(await sender.resultOf('reported'), frame).toEqual([]);
    }
  });

  test('gets changed lengths of bytes', async () => {
    using sender = await Sender.to('lengths');
    const { desk } = sender;
    const one: Case = {
      name: 'bytes',
      message: ({ n }) => [n, 'echo', 'rich', [[[[1]]], ['Bytes', 0]]],
    };
    for (const lengths of replacedIn(['bytes', LENGTH])) {
      const numbers = { n: sender.next(), callId: 0, desk };
      await check(sender, one, numbers, JSON.stringify(one.message(numbers)), lengths);
    }
    expect(await sender.resultOf('reported')).toEqual([]);
  });
});

describe('pieces', () => {
  /** The values that replace a mark or a piece. */
  const OTHERS = ['', 'x', '1000000000', MORE, LAST, ACK, new ArrayBuffer(0), new ArrayBuffer(1)];
  const TEXT = [MORE, '[[1,"life', LAST, '"]]'];
  const BYTES = [MORE, new Uint8Array([1, 2]).buffer, LAST, new ArrayBuffer(LENGTH)];

  test.each<[string, (string | ArrayBuffer)[]]>([
    ['text', TEXT],
    ['bytes', BYTES],
  ])('of %s, each replaced or left out', async (_, messages) => {
    using sender = await Sender.to('pieces');
    const life = await sender.resultOf('life');
    for (let index = 0; index < messages.length; index++) {
      const replaced = OTHERS.map((other) => messages.with(index, other));
      for (const all of [messages, messages.toSpliced(index, 1), ...replaced]) {
        // These messages end the frame in every state.
        const arrived = await sender.after(...all, LAST, 'x');
        expect(errorsIn(arrived).every((error) => CODES.includes(error))).toBe(true);
        expect(arrived.some(([kind]) => kind === 'error')).toBe(true);
      }
    }
    expect(await sender.resultOf('life')).toBe(life);
    expect(await sender.resultOf('reported')).toEqual([]);
  });

  test('a text among bytes is not a length: the object reserves no memory for it', async () => {
    using sender = await Sender.to('length');
    const grown = await worker.runtime.mostMemory(async () => {
      for (const message of [MORE, '1000000000', LAST]) sender.raw.send(message);
      const arrived = await sender.after(Uint8Array.of(1).buffer);
      expect(errorsIn(arrived)).toEqual(['BAD_MESSAGE']);
    });
    expect(grown).toBeLessThan(24 * 2 ** 20);
  });

  test('a whole frame between pieces does not hide their size', async () => {
    using sender = await Sender.to('between');
    const piece = 'x'.repeat(1_000_000);
    const grown = await worker.runtime.mostMemory(async () => {
      const errors: string[] = [];
      for (let count = 0; count < 100; count++) {
        errors.push(...errorsIn(await sender.after(MORE, piece, ' ')));
      }
      errors.push(...errorsIn(await sender.after(LAST, 'x')));
      expect(errors).toContain('LIMIT_EXCEEDED');
    });
    expect(grown).toBeLessThan(48 * 2 ** 20);
  });
});
