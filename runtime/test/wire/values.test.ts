/** Sends every value of the table as an argument and as a result. */
import { describe, expect, test } from 'vitest';
import { decodeArgs } from '../../src/server/calls/arguments.ts';
import { validateComplete } from '../../src/server/schemas/array-holes.ts';
import { DEFAULT_LIMITS } from '../../src/server/base/limits.ts';
import {
  type AnswerMessage,
  checkCall,
  decodeAnswer,
  decodeFrame,
  encodeCall,
  encodeFailure,
  encodeResult,
} from '../../src/wire/messages.ts';
import { isMarked, TAGS } from '../../src/wire/values/tags.ts';
import { difference } from '../support/same.ts';
import { arrivalOf, cases, plainCases, richCases, variants } from './cases.ts';

const none = (): undefined => undefined;

/** Sends arguments as a client does: as text, in a frame. */
function sendArgs(args: unknown[]): unknown {
  const [message = []] = decodeFrame(`[${encodeCall(1, 'method', args, none)}]`);
  checkCall(message);
  const { args: decoded } = decodeArgs(message, DEFAULT_LIMITS, none);
  return validateComplete(decoded, () => decoded);
}

function sendAnswer(text: string): { result?: unknown; thrown?: unknown } {
  const [message] = decodeFrame(`[${text}]`);
  return decodeAnswer(message as AnswerMessage);
}

describe.each(cases)('$name', (entry) => {
  test.each(variants)('$name', ({ wrap }) => {
    const value = entry.value();
    const sent = wrap(value);
    const expected = wrap(arrivalOf(entry, value));
    expect(difference([expected], sendArgs([sent])), 'as an argument').toBeUndefined();
    const { result } = sendAnswer(encodeResult(1, sent));
    expect(difference(expected, result), 'as a result').toBeUndefined();
    const { thrown } = sendAnswer(encodeFailure(1, sent, true));
    expect(difference(expected, thrown), 'thrown').toBeUndefined();
  });

  test('twice among several arguments', () => {
    const value = entry.value();
    const expected = arrivalOf(entry, value);
    const args = sendArgs([1, value, value]);
    expect(difference([1, expected, expected], args)).toBeUndefined();
  });
});

test.each([...TAGS.keys()])('an array that begins with the tag %s has a marker', (tag) => {
  expect(isMarked([tag, 1])).toBe(true);
});

describe('the text of', () => {
  test.each(cases.filter(({ wire }) => wire))('$name', ({ value, wire }) => {
    expect(encodeResult(1, value())).toBe(wire);
  });

  test.each(plainCases)('$name is plain JSON', ({ value }) => {
    const json = JSON.stringify(value());
    expect(encodeResult(1, value())).toBe(`[1,${json}]`);
    expect(encodeCall(1, 'method', [value()], none)).toBe(`[1,"method",[${json}]]`);
  });

  test.each(richCases)('$name is not plain JSON', ({ value }) => {
    expect(encodeCall(1, 'method', [value()], none)).toMatch(/^\[1,"method","rich",/);
  });

  test('every text is well-formed Unicode, so that a socket does not change it', () => {
    for (const { name, value } of cases) {
      expect(encodeResult(1, value()).isWellFormed(), name).toBe(true);
    }
  });
});

test.each([
  ['without holes', () => [1, 2]],
  ['with holes', () => Object.assign([], { 1: 'a', length: 3 })],
])('properties of an array besides its items are left out: %s', (_, make) => {
  const named = { first: 1, push: 2, length2: 3, '-1': 4, '1.5': [new Date(0)], '': 5 };
  const text = encodeResult(1, Object.assign(make(), named));
  expect(difference(make(), sendAnswer(text).result)).toBeUndefined();
});

test('1 MiB of random bytes is at most 1.40 MiB of text', () => {
  const MIB = 1024 * 1024;
  const bytes = new Uint8Array(MIB);
  for (let start = 0; start < MIB; start += 65_536) {
    crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  }
  const text = encodeResult(1, bytes);
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(1.4 * MIB);
  expect(sendAnswer(text).result).toEqual(bytes);
});
