/**
 * Damages valid frames in many ways. The decoder returns a value or throws an RpcError, and changes
 * nothing else. The damage is the same in every run.
 */
import { describe, expect, test, vi } from 'vitest';
import { RpcError } from '../../src/wire/errors.ts';
import { decodeArgs } from '../../src/server/calls/arguments.ts';
import { validateComplete } from '../../src/server/schemas/array-holes.ts';
import { DEFAULT_LIMITS } from '../../src/server/base/limits.ts';
import {
  type AnswerMessage,
  checkCall,
  decodeAnswer,
  decodeFrame,
  encodeCall,
  referencedCallIds,
} from '../../src/wire/messages.ts';
import { CALL, type Reference } from '../../src/wire/values/rich-encoder.ts';
import { tries } from '../support/effort.ts';
import { type Json, Mutator } from '../support/mutator.ts';
import { cases } from './cases.ts';

// The tests do much work, and the machine may be slow.
vi.setConfig({ testTimeout: 120_000 });

const COUNT = tries(30_000);

const result = Symbol('the result of another call');

/** The frames are short, because damage to a long text mostly hits its filling. */
const frames = cases
  .map(({ value }) => encodeCall(2, 'add', [value(), result, [value()]], referenceOf))
  .filter((text) => text.length < 2_000)
  .map((text) => `[[1,"get"],${text}]`);

const parsedFrames = frames.map((text): Json => JSON.parse(text));

function referenceOf(value: unknown): Reference | undefined {
  return value === result ? [CALL, 1, 'total'] : undefined;
}

/** Reads a frame as an object does, and each message as an answer, as a client does. */
function problemsOf(text: string): (string | undefined)[] {
  let messages: unknown[][] = [];
  const problems = [wrongError(() => (messages = decodeFrame(text)))];
  for (const message of messages) {
    problems.push(
      wrongError(() => decodeAnswer(message as AnswerMessage)),
      wrongError(() => {
        checkCall(message);
        referencedCallIds(message);
        const args = decodeArgs(message, DEFAULT_LIMITS, () => ({ total: 1 }));
        validateComplete(args, () => args);
      }),
    );
  }
  return problems.filter(Boolean);
}

/**
 * Returns the error as text, because its contents may be too large for the test runner to report.
 */
function wrongError(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (!(error instanceof RpcError)) return (error as Error).stack ?? String(error);
  }
  return undefined;
}

/** Copies the shared objects that code in a frame could reach and change. */
function snapshot(): unknown[] {
  const classes = [Object, Function, Array, String, Number, Symbol, BigInt, Promise, RegExp, Date];
  const more = [Map, Set, ArrayBuffer, Uint8Array, Error, TypeError, AggregateError, RpcError, URL];
  return [globalThis, ...[...classes, ...more].flatMap((Class) => [Class, Class.prototype])].map(
    (object) => {
      const { onmessage: _, ...descriptors } = Object.getOwnPropertyDescriptors(object);
      return Reflect.ownKeys(descriptors).map((name) => {
        const { value, get, set } = Reflect.get(descriptors, name) as PropertyDescriptor;
        return [name, typeof value === 'object' ? value !== null : value, get, set];
      });
    },
  );
}

describe('the decoder throws only RpcErrors, and changes no shared object, for frames', () => {
  test.each<[string, (mutator: Mutator) => string]>([
    ['with other characters', (mutator) => mutator.damageText(mutator.pick(frames))],
    ['with other tokens', (mutator) => mutator.damageTokens(mutator.pick(frames))],
    ['with other parts', (mutator) => mutator.damageTree(mutator.pick(parsedFrames), parsedFrames)],
  ])('%s', (_, damage) => {
    const before = snapshot();
    const mutator = new Mutator(20_250_101);
    let damaged = 0;
    for (let round = 0; round < COUNT; round++) {
      const text = damage(mutator);
      expect(problemsOf(text), text).toEqual([]);
      if (!frames.includes(text)) damaged++;
    }
    expect(damaged).toBeGreaterThan(COUNT / 2);
    expect(snapshot()).toEqual(before);
  });
});

test('the frames are valid before they are damaged', () => {
  expect(frames.length).toBeGreaterThan(100);
  for (const text of frames) {
    const [, message = []] = decodeFrame(text);
    checkCall(message);
    const args = decodeArgs(message, DEFAULT_LIMITS, (reference) => reference).args;
    expect(args[1]).toEqual([CALL, 1, 'total']);
  }
});
