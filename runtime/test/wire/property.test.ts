/** Random values arrive unchanged. A failure prints the seed that repeats it. */
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { decodeArgs } from '../../src/server/calls/arguments.ts';
import { validateComplete } from '../../src/server/schemas/array-holes.ts';
import { DEFAULT_LIMITS } from '../../src/server/base/limits.ts';
import {
  type AnswerMessage,
  type CallMessage,
  decodeAnswer,
  encodeCall,
  encodeFailure,
  encodeResult,
} from '../../src/wire/messages.ts';
import { tries } from '../support/effort.ts';
import { graph, key, tree } from './random-graph.ts';
import { difference } from '../support/same.ts';

// The tests do much work, and the machine may be slow.
vi.setConfig({ testTimeout: 120_000 });

const none = (): undefined => undefined;

function throughResult(value: unknown): unknown {
  const answer = decodeAnswer(JSON.parse(encodeResult(1, value)) as AnswerMessage);
  return 'result' in answer ? answer.result : answer;
}

function throughThrown(value: unknown): unknown {
  const answer = decodeAnswer(JSON.parse(encodeFailure(1, value, true)) as AnswerMessage);
  return 'thrown' in answer ? answer.thrown : answer;
}

function throughArgs(args: unknown[]): unknown[] {
  const message = JSON.parse(encodeCall(1, 'method', args, none)) as CallMessage;
  const { args: decoded } = decodeArgs(message, DEFAULT_LIMITS, none);
  return validateComplete(decoded, () => decoded);
}

describe.each<[string, fc.Arbitrary<unknown>]>([
  ['graphs with sharing and cycles', graph],
  ['trees of all values of fast-check', tree({ key })],
  // A property named `__proto__` is refused, although JSON can represent it.
  [
    'JSON',
    fc.jsonValue({ maxDepth: 5 }).filter((value) => !/__proto__/.test(JSON.stringify(value))),
  ],
])('%s', (_, arbitrary) => {
  test('arrive unchanged as arguments, results and thrown values', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(difference(value, throughResult(value))).toBeUndefined();
        expect(difference(value, throughThrown(value))).toBeUndefined();
        expect(difference([value, 1, value], throughArgs([value, 1, value]))).toBeUndefined();
      }),
      { numRuns: tries(1_000) },
    );
  });

  test('are plain JSON exactly if JSON represents them exactly', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        const [, ...rest] = JSON.parse(encodeResult(1, value)) as unknown[];
        const isPlain = rest.length === 1;
        expect(isPlain || value === undefined).toBe(isExactInJson(value) || value === undefined);
      }),
      { numRuns: tries(1_000) },
    );
  });
});

function isExactInJson(value: unknown): boolean {
  try {
    return difference(value, JSON.parse(JSON.stringify(value))) === undefined;
  } catch {
    // JSON.stringify throws for cycles and bigints, and returns no text for `undefined`.
    return false;
  }
}
