/**
 * Values that cannot be sent are refused, and the error has their path. Errors that contain such
 * values still arrive.
 */
import { describe, expect, test } from 'vitest';
import { RpcError } from '../../src/wire/errors.ts';
import {
  type AnswerMessage,
  decodeAnswer,
  encodeCall,
  encodeFailure,
  encodeResult,
} from '../../src/wire/messages.ts';

const none = (): undefined => undefined;

class User {
  readonly name = 'Ada';
}

function save(): void {}

function thrownBy(encode: () => string): unknown {
  try {
    return `nothing, but made ${encode()}`;
  } catch (error) {
    return error;
  }
}

function encodeArgs(args: unknown[]): string {
  return encodeCall(1, 'method', args, none);
}

/** Returns the value that arrives when a method throws. */
function arrival(thrown: unknown, stacks = true): unknown {
  const message = JSON.parse(encodeFailure(1, thrown, stacks)) as AnswerMessage;
  const answer = decodeAnswer(message);
  return 'thrown' in answer ? answer.thrown : answer;
}

/** The end of the error for an argument, which says what to pass instead. */
const MARKED = ': pass callback(fn)';
const STREAMED = ': pass stream(iterable)';

const unsupported: [name: string, make: () => unknown, description: string, instead?: string][] = [
  ['a function', () => save, 'a function', MARKED],
  ['a function without a name', () => () => {}, 'a function', MARKED],
  ['an async function', () => async () => {}, 'a function', MARKED],
  ['a class', () => User, 'a function', MARKED],
  ['a symbol', () => Symbol('mark'), 'a symbol'],
  ['a registered symbol', () => Symbol.for('mark'), 'a symbol'],
  ['a boxed symbol', () => Object(Symbol('mark')), 'an instance of Symbol'],
  ['an object with its own __proto__', () => JSON.parse('{"__proto__":1}'), 'a custom object'],
  [
    'an object without a prototype, with its own __proto__',
    () => Object.setPrototypeOf(JSON.parse('{"__proto__":1}'), null),
    'a custom object',
  ],
  ['an instance of a class', () => new User(), 'an instance of User'],
  [
    'an instance of a class without a name',
    () =>
      new (class {
        a = 1;
      })(),
    'an instance of Object',
  ],
  ['an object with an object as prototype', () => Object.create({ a: 1 }), 'a custom object'],
  ['a Promise', () => Promise.resolve(1), 'a promise', ': await it first'],
  [
    'a thenable',
    () => Object.fromEntries(['then'].map((name) => [name, save])),
    'a promise',
    ': await it first',
  ],
  ['a WeakMap', () => new WeakMap(), 'an instance of WeakMap'],
  ['a WeakSet', () => new WeakSet(), 'an instance of WeakSet'],
  ['a WeakRef', () => new WeakRef({}), 'an instance of WeakRef'],
  ['a generator', () => (function* () {})(), 'an instance of Generator', STREAMED],
  ['an iterator', () => [].values(), 'an instance of Iterator', STREAMED],
  ['a ReadableStream', () => new ReadableStream(), 'an instance of ReadableStream', STREAMED],
  ['a WritableStream', () => new WritableStream(), 'an instance of WritableStream'],
  ['a TransformStream', () => new TransformStream(), 'an instance of'],
  ['a Request', () => new Request('https://example.com'), 'an instance of Request'],
  ['a Response', () => new Response('text'), 'an instance of Response', ': send its body'],
  ['a Blob', () => new Blob(['text']), 'an instance of Blob'],
  ['a File', () => new File(['text'], 'name'), 'an instance of File'],
  ['FormData', () => new FormData(), 'an instance of FormData'],
  ['an AbortSignal', () => new AbortController().signal, 'an instance of AbortSignal'],
  ['a WebSocket', () => new WebSocketPair()[0], 'an instance of WebSocket'],
];

describe.each(unsupported)('%s', (_, make, description, instead = ': send plain data') => {
  test.each<[string, (value: unknown) => unknown[], string]>([
    ['an argument', (value) => [value], '[0]'],
    ['the second argument', (value) => [1, value], '[1]'],
    ['a property', (value) => [{ user: { avatar: value } }], '[0].user.avatar'],
    ['a property with an odd name', (value) => [{ 'a b': value }], '[0]["a b"]'],
    ['an item', (value) => [{ list: [0, [value]] }], '[0].list[1][0]'],
    ['an item after a hole', (value) => [Object.assign([], { 2: value })], '[0][2]'],
    ['a value of a Map', (value) => [new Map([['key', { value }]])], '[0].get("key").value'],
    [
      'a key of a Map',
      (value) => [
        new Map([
          ['key', 'text'],
          [{ value } as never, 'more'],
        ]),
      ],
      '[0].get(...).value',
    ],
    ['a member of a Set', (value) => [{ set: new Set([value]) }], '[0].set'],
    ['behind a Date', (value) => [new Date(), { value }], '[1].value'],
  ])('as %s', (__, wrap, path) => {
    const error = thrownBy(() => encodeArgs(wrap(make())));
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: 'UNSERIALIZABLE', path });
    expect((error as RpcError).message).toMatch(`Cannot send ${description}`);
    expect((error as RpcError).message).toMatch(
      new RegExp(` at ${RegExp.escape(path)}${RegExp.escape(instead)}$`),
    );
  });

  test('as a result, or a part of a result', () => {
    expect(thrownBy(() => encodeResult(1, make()))).toMatchObject({ code: 'UNSERIALIZABLE' });
    const refusal = thrownBy(() => encodeResult(1, { user: [make()] }));
    expect(refusal).toMatchObject({ code: 'UNSERIALIZABLE', path: '.user[0]' });
  });

  test('thrown', () => {
    expect(arrival(make())).toMatchObject({
      name: 'Error',
      message: expect.stringContaining(`The method threw ${description}`),
    });
  });

  test('in a thrown error', () => {
    const cause = Object.assign(new TypeError('inner'), { held: make(), status: 404 });
    const thrown = Object.assign(new RangeError('outer', { cause }), { held: [make()], code: 'E' });
    const arrived = arrival(thrown);
    expect(arrived).toBeInstanceOf(RangeError);
    expect(arrived).toMatchObject({ message: 'outer', stack: thrown.stack, code: 'E' });
    expect((arrived as Error & { held: unknown }).held).toEqual([undefined]);
    const arrivedCause = (arrived as Error).cause;
    expect(arrivedCause).toBeInstanceOf(TypeError);
    expect(arrivedCause).toMatchObject({ message: 'inner', status: 404, held: undefined });
  });
});

describe('a rejection', () => {
  test('contains nothing of the refused value', () => {
    const result = { secret: 'hunter2', callback() {} };
    const refusal = thrownBy(() => encodeResult(1, result));
    expect(encodeFailure(1, refusal, true)).not.toContain('hunter2');
    expect(arrival(refusal)).toMatchObject({ code: 'UNSERIALIZABLE', path: '.callback' });
  });

  test('keeps its code, however many values could not be sent', () => {
    const result = Array.from({ length: 100 }, () => () => {});
    const refusal = thrownBy(() => encodeResult(1, result));
    expect(arrival(refusal)).toMatchObject({ code: 'UNSERIALIZABLE', path: '[0]' });
  });

  test('names a value that cannot be read', () => {
    class Posing {
      [Symbol.toStringTag] = 'Date';
    }
    const posing = new Posing();
    expect(thrownBy(() => encodeArgs([posing]))).toMatchObject({ code: 'UNSERIALIZABLE' });
    const { port1, port2 } = { port1: new ArrayBuffer(8), port2: new ArrayBuffer(8) };
    structuredClone(port1, { transfer: [port1] });
    expect(thrownBy(() => encodeArgs([port1, port2]))).toMatchObject({ code: 'UNSERIALIZABLE' });
  });

  test('names a value that is nested too deeply', () => {
    let deep: unknown = new Date();
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(thrownBy(() => encodeArgs([deep]))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(thrownBy(() => encodeResult(1, deep))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

describe('a thrown error arrives', () => {
  const functions = Array.from({ length: 100 }, () => () => {});

  function unreadable(key: string): TypeError {
    return Object.defineProperty(new TypeError('outer'), key, {
      enumerable: true,
      get() {
        throw new Error('unreadable');
      },
    });
  }

  test('although many of its properties cannot be sent', () => {
    const thrown = Object.assign(new TypeError('too much'), { functions });
    const arrived = arrival(thrown);
    expect(arrived).toBeInstanceOf(TypeError);
    expect(arrived).toMatchObject({ message: 'too much', stack: thrown.stack });
    expect(arrived).toHaveProperty(
      'functions',
      functions.map(() => undefined),
    );
  });

  test('without its causes if they are too many', () => {
    let thrown = new Error('innermost');
    for (let level = 0; level < 100_000; level++) thrown = new Error('outer', { cause: thrown });
    const arrived = arrival(thrown);
    expect(arrived).toMatchObject({ name: 'Error', message: 'outer' });
    expect(arrived).not.toHaveProperty('cause');
  });

  test('without a property that cannot be read', () => {
    const arrived = arrival(unreadable('odd'));
    expect(arrived).toMatchObject({ name: 'TypeError', message: 'outer' });
    expect(arrived).not.toHaveProperty('odd');
  });

  test.each([
    ['name', { name: '5' }],
    ['message', { message: '5' }],
    ['stack', { stack: 'RangeError: a' }],
  ])('although its %s is not a text', (key, expected) => {
    const arrived = arrival(Object.assign(new RangeError('a'), { [key]: 5 }));
    expect(arrived).toBeInstanceOf(Error);
    expect(arrived).toMatchObject({ name: 'RangeError', message: 'a', ...expected });
  });

  test('with its class if an RpcError has another name', () => {
    const thrown = Object.defineProperty(new RpcError('CLOSED', 'a'), 'name', { value: 'Odd' });
    const arrived = arrival(thrown);
    expect(arrived).toBeInstanceOf(RpcError);
    expect(arrived).toMatchObject({ name: 'Odd', code: 'CLOSED', message: 'a' });
  });

  test.each([
    ['whole', new TypeError('a', { cause: new Error('b') })],
    ['bare', Object.assign(new TypeError('a'), { functions })],
    ['as another error', functions[0]],
    ['without its properties if its code cannot be read', unreadable('code')],
    ['as another error if its name cannot be read', unreadable('name')],
  ])('without its stack if stacks are not sent, %s', (_, thrown) => {
    expect(encodeFailure(1, thrown, false)).not.toMatch(/\bat .*:\d+/);
  });
});

describe('supported values arrive', () => {
  test.each([[undefined], [null], [0], [''], [false], ['text'], [-0], [10n]])(
    '%s, thrown',
    (thrown) => {
      expect(arrival(thrown)).toBe(thrown);
    },
  );
});
