/**
 * Compares the codec with two other implementations of structured clone. If one of them sends a
 * value, this codec must give an equal value. The values that they refuse or change are listed, and
 * the list must be correct.
 */
import { deserialize, serialize } from '@ungap/structured-clone';
import { describe, expect, test } from 'vitest';
import { type AnswerMessage, decodeAnswer, encodeResult } from '../../src/wire/messages.ts';
import { difference } from '../support/same.ts';
import { type Case, cases, variants } from './cases.ts';

function throughOurs(value: unknown): unknown {
  const answer = decodeAnswer(JSON.parse(encodeResult(1, value)) as AnswerMessage);
  return 'result' in answer ? answer.result : answer;
}

function throughUngap(value: unknown): unknown {
  return deserialize(JSON.parse(JSON.stringify(serialize(value))));
}

/** Names of cases that the runtime's own structuredClone refuses or changes. */
const NATIVE_LOSES = [
  /^a URL|URLSearchParams$/,
  /^an (empty )?object without a prototype/,
  /^an Error without a stack$/,
  /(Error|DOMException) in (itself|its own property)$/,
  /^an Error that is its own cause$|the cause of each other$/,
  /^an AggregateError of a custom class$|^an RpcError$|^the reason of an abort$/,
  // In the Workers runtime, the copy is an AggregateError.
  /^an Error that only has the name AggregateError$/,
];

/** Names of cases that @ungap/structured-clone refuses or changes. */
const UNGAP_LOSES = [
  /^NaN$|Infinity$|-0$|^a boxed NaN$|^zeros of both signs$|keys beside values that JSON lacks$|every type of primitive/,
  /^a URL|URLSearchParams$|Headers/,
  /^an? (empty )?(ArrayBuffer|DataView)$|^a slice of a DataView$|share a buffer$|^views of parts/,
  /^(a|a slice of a|the end of a) Big(Int|Uint)64Array$|^numbers that JSON lacks$/,
  /^a hole|^holes|^a long array that is nearly empty$|^a sparse array/,
  /^an (empty )?object without a prototype/,
  // Errors: their stacks, causes and properties.
  /Error|DOMException|^a chain of causes$|^the reason of an abort$/,
];

describe.each([
  {
    reference: 'structuredClone',
    clone: (value: unknown) => structuredClone(value),
    loses: NATIVE_LOSES,
  },
  { reference: '@ungap/structured-clone', clone: throughUngap, loses: UNGAP_LOSES },
])('$reference', ({ clone, loses }) => {
  const isLost = ({ name }: Case): boolean => loses.some((pattern) => pattern.test(name));

  /** Returns the first difference between the two in any position of the value. */
  function firstDifference(value: () => unknown): string | undefined {
    for (const { name, wrap } of variants) {
      // The reference changes this variant even around a zero.
      if (difference(wrap(0), clone(wrap(0)))) continue;
      const sent = wrap(value());
      const found = difference(clone(sent), throughOurs(sent));
      if (found) return `${name}: ${found}`;
    }
    return undefined;
  }

  test.each(cases.filter((entry) => !isLost(entry)))(
    'both give an equal value for $name',
    ({ value }) => {
      expect(firstDifference(value)).toBeUndefined();
    },
  );

  test.each(cases.filter(isLost))('the reference refuses or changes $name', ({ value }) => {
    let outcome: unknown;
    try {
      outcome = firstDifference(value);
    } catch (refusal) {
      outcome = refusal;
    }
    expect(outcome).toBeDefined();
  });
});

describe('keys that are symbols are left out, as by structuredClone, of', () => {
  test.each<[name: string, value: object]>([
    ['an object', { [Symbol('mark')]: 1, a: 2 }],
    ['an object that calls itself a Date', { [Symbol.toStringTag]: 'Date', a: 2 }],
    ['an array', Object.assign([1, 2], { [Symbol('mark')]: 3 })],
    ['a Map', Object.assign(new Map([[1, 2]]), { [Symbol('mark')]: 3 })],
  ])('%s', (_, value) => {
    expect(Object.getOwnPropertySymbols(throughOurs(value))).toEqual([]);
    for (const sent of [value, [value, new Date(0)]]) {
      expect(difference(structuredClone(sent), throughOurs(sent))).toBeUndefined();
    }
  });
});
