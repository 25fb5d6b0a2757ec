/** Tests the text of the protocol, on which old and new peers must agree exactly. */
import { describe, expect, test } from 'vitest';
import { RpcError } from '../../src/wire/errors.ts';
import { decodeArgs } from '../../src/server/calls/arguments.ts';
import { DEFAULT_LIMITS } from '../../src/server/base/limits.ts';
import {
  type AnswerMessage,
  type CallMessage,
  checkCall,
  decodeAnswer,
  decodeFrame,
  encodeCall,
  encodeFailure,
  encodeRejection,
  encodeResult,
  referencedCallIds,
} from '../../src/wire/messages.ts';
import { CALL } from '../../src/wire/values/rich-encoder.ts';

const none = (): undefined => undefined;

describe('a call', () => {
  test.each([
    [[], '[7,"increment"]'],
    [[5], '[7,"increment",[5]]'],
    [[null, 'é"', [{ a: [] }]], '[7,"increment",[null,"é\\"",[{"a":[]}]]]'],
    [[undefined, 1], '[7,"increment","rich",[[[],1]]]'],
    [[new Date(0)], '[7,"increment","rich",[[[["Date",0]]]]]'],
  ])('with arguments %j', (args, text) => {
    expect(encodeCall(7, 'increment', args, none)).toBe(text);
    const message: unknown[] = JSON.parse(text);
    checkCall(message);
    expect(decodeArgs(message, DEFAULT_LIMITS, none).args).toEqual(args);
    expect(referencedCallIds(message)).toEqual([]);
  });

  test('that takes the result of another', () => {
    const result = Symbol('a result that is not there yet');
    const text = encodeCall(2, 'add', [result], (value) =>
      value === result ? [CALL, 1, 'total'] : undefined,
    );
    expect(text).toBe('[2,"add","rich",[[[[1]]],["Call",1,"total"]]]');
    const message = JSON.parse(text) as CallMessage;
    expect(referencedCallIds(message)).toEqual([1]);
    expect(decodeArgs(message, DEFAULT_LIMITS, (reference) => reference).args).toEqual([
      [CALL, 1, 'total'],
    ]);
  });

  test.each([
    [[1]],
    [[1, 2]],
    [[1, 'method', 5]],
    [[1, 'method', 'rich']],
    [[1, 'method', 'poor', [[]]]],
    [[1, 'method', [], []]],
    [[1, 'method', 'rich', [[]], []]],
  ])('that is malformed: %j', (message) => {
    expect(() => checkCall(message)).toThrow(expect.objectContaining({ code: 'BAD_MESSAGE' }));
  });
});

describe('an answer', () => {
  test.each([
    [undefined, '[7]'],
    [null, '[7,null]'],
    [42, '[7,42]'],
    ['error', '[7,"error"]'],
    [[1, 'error', {}], '[7,[1,"error",{}]]'],
    [Number.NaN, '[7,"rich",[["Number","NaN"]]]'],
    [new Set([1]), '[7,"rich",[["Set",1]]]'],
  ])('with result %j', (result, text) => {
    expect(encodeResult(7, result)).toBe(text);
    expect(decodeAnswer(JSON.parse(text))).toEqual({ result });
  });

  test('with an error', () => {
    const text = encodeFailure(7, new RangeError('too far'), false);
    expect(text).toBe('[7,"error",[["Error","RangeError","RangeError","too far",[],{}]]]');
    expect(decodeAnswer(JSON.parse(text))).toEqual({ thrown: new RangeError('too far') });
  });

  test.each([
    [[7, 'odd', 1]],
    [[7, 5, 1]],
    [[7, { toString: 1 }, 1]],
    [[7, 'rich', [['Call', 1], [2], 1]]],
    [[7, 'rich', 'text']],
    [[7, 'error', [['Error', 0]]]],
  ])('that is malformed: %j', (message) => {
    expect(() => decodeAnswer(message as AnswerMessage)).toThrow(
      expect.objectContaining({ code: 'BAD_MESSAGE' }),
    );
  });

  test.each([undefined, null, 0, 'text'])('with a reference to %s that occurs twice', (value) => {
    const asked: unknown[] = [];
    const message: AnswerMessage = [
      7,
      'rich',
      [
        [[1], [-2]],
        ['Call', 1],
      ],
    ];
    const answer = decodeAnswer(message, (reference) => {
      asked.push(reference);
      return value;
    });
    expect(answer).toEqual({ result: [value, value] });
    expect(asked).toEqual([['Call', 1]]);
  });

  test('without an id is the rejection of a frame', () => {
    const [kind, thrown] = JSON.parse(encodeRejection(new RpcError('BAD_MESSAGE', 'not JSON')));
    expect(kind).toBe('error');
    expect(decodeAnswer([1, 'error', thrown])).toMatchObject({
      thrown: { name: 'RpcError', code: 'BAD_MESSAGE', message: 'not JSON' },
    });
  });
});

describe('a frame', () => {
  test('is an array of messages', () => {
    expect(decodeFrame('[[1,"a"],[2,"b"]]')).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  test.each(['', 'x', '[', '{}', 'null', '1', '[1]', '[[1,"a"],2]'])('cannot be %j', (text) => {
    expect(() => decodeFrame(text)).toThrow(expect.objectContaining({ code: 'BAD_MESSAGE' }));
  });
});
