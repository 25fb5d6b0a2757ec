/** The text of the protocol, which old and new peers must agree on to the letter. */
import { describe, expect, test } from 'vitest';
import { RpcError } from '../../../src/rpc/wire/errors.ts';
import {
  decodeFrame,
  encodeCall,
  encodeError,
  encodeFrame,
  encodeResult,
  readAnswer,
  readCall,
} from '../../../src/rpc/wire/messages.ts';

describe('a call', () => {
  test.each([
    [[], '[7,"increment"]'],
    [[5], '[7,"increment",[5]]'],
    [[null, 'é"', [{ a: [] }]], '[7,"increment",[null,"é\\"",[{"a":[]}]]]'],
  ])('with arguments %j', (args, text) => {
    expect(encodeCall(7, 'increment', args)).toBe(text);
    expect(readCall(JSON.parse(text))).toEqual([7, 'increment', ...(args.length ? [args] : [])]);
  });

  test.each([
    [[]],
    [[1]],
    [[0, 'method']],
    [[-1, 'method']],
    [[1.5, 'method']],
    [['1', 'method']],
    [[1, 2]],
    [[1, 'method', 5]],
    [[1, 'method', [], []]],
  ])('that is malformed: %j', (message) => {
    expect(() => readCall(message)).toThrow(expect.objectContaining({ code: 'BAD_MESSAGE' }));
  });
});

describe('an answer', () => {
  test.each([
    [undefined, '[7]'],
    [null, '[7,null]'],
    [42, '[7,42]'],
    ['error', '[7,"error"]'],
    [[1, 'error', {}], '[7,[1,"error",{}]]'],
  ])('with result %j', (result, text) => {
    expect(encodeResult(7, result)).toBe(text);
    expect(readAnswer(JSON.parse(text))).toEqual({ id: 7, result });
  });

  test.each([
    ['a built-in class', new RangeError('too far'), RangeError],
    ['a class of its own', Object.assign(new Error('odd'), { name: 'OddError' }), Error],
    ['the runtime', new RpcError('INVALID_ARGUMENTS', 'no', { path: '[0]' }), RpcError],
    ['a name that is no class', Object.assign(new Error('x'), { name: '__proto__' }), Error],
  ])('with an error of %s', (_, thrown, Class) => {
    const answer = readAnswer(JSON.parse(encodeError(7, thrown)));
    const { error } = answer as { error: Error };
    expect(error).toBeInstanceOf(Class);
    expect(Object.getPrototypeOf(error)).toBe(Class.prototype);
    const { name, message, stack } = thrown;
    expect(error).toMatchObject({ ...thrown, name, message, stack });
  });

  test('that says our frame was unreadable throws', () => {
    const wire = { name: 'RpcError', message: 'not JSON', code: 'BAD_MESSAGE' };
    expect(() => readAnswer(['error', wire])).toThrow('not JSON');
  });
});

describe('a frame', () => {
  test('joins messages', () => {
    expect(encodeFrame(['[1,"a"]', '[2,"b"]'])).toBe('[[1,"a"],[2,"b"]]');
    expect(decodeFrame('[[1,"a"],[2,"b"]]')).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  test.each(['', 'x', '[', '{}', 'null', '1', '[1]', '[[1,"a"],2]'])('cannot be %j', (text) => {
    expect(() => decodeFrame(text)).toThrow(expect.objectContaining({ code: 'BAD_MESSAGE' }));
  });
});

describe('refuses what JSON would change', () => {
  class Point {
    x = 1;
  }
  test.each([
    ['undefined', [undefined], '[0]'],
    ['NaN', [1, Number.NaN], '[1]'],
    ['-0', [-0], '[0]'],
    ['a bigint', [{ deep: [1n] }], '[0].deep[0]'],
    ['a function', [{ 'odd key': () => 1 }], '[0]["odd key"]'],
    ['a class instance', [new Point()], '[0]'],
    ['a Date', [{ at: new Date() }], '[0].at'],
  ])('%s', (_, args, path) => {
    expect(() => encodeCall(1, 'method', args)).toThrow(
      expect.objectContaining({ code: 'UNSERIALIZABLE', path }),
    );
  });
});
