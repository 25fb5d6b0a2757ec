/** A `tracestate` that a stranger sends takes no more time than the `tracestate` of a vendor. */
import { expect, test } from 'vitest';
import { traceContextOf } from '../../../src/features/tracing/wire/trace-context.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const VALID = `a=${'b'.repeat(250)},c=${'d'.repeat(250)}`;

/** Texts that are not valid because of their last character. */
const HOSTILE: [name: string, tracestate: string][] = [
  ['spaces', `${' '.repeat(511)}!`],
  ['tabs', `${'\t'.repeat(511)}=`],
  ['a value of spaces', `a=${' '.repeat(509)}\0`],
  ['a value of words', `a=${'b '.repeat(254)}\0`],
  ['a value with spaces behind it', `a=${'b'.repeat(200)}${' '.repeat(309)}\0`],
];

/** Returns the time of 500 readings: the shortest of 20 measurements, which other programs do not interrupt. */
function timeOf(tracestate: string): number {
  const times = Array.from({ length: 20 }, () => {
    const start = performance.now();
    for (let count = 0; count < 500; count++) traceContextOf(TRACEPARENT, tracestate);
    return performance.now() - start;
  });
  return Math.min(...times);
}

// A time that grows with the square of the length is about 500 times as long.
test.each(HOSTILE)('%s take about the time of a valid text', (_, tracestate) => {
  expect(traceContextOf(TRACEPARENT, tracestate)).toEqual({ traceparent: TRACEPARENT });
  expect(timeOf(tracestate) / timeOf(VALID)).toBeLessThan(50);
});
