/** What is called slower, and what is kept of it in PERFORMANCE.md. */
import { describe, expect, test } from 'vitest';
import { compareFigures, type Figure, formatChanges } from '../../template/perf/report/compare.ts';
import { addEntry, readEntries } from '../../template/perf/report/record.ts';

function figure(low: number, high: number, workload = 'reads'): Figure {
  return { workload, contender: 'this RPC', ratio: { value: (low + high) / 2, low, high } };
}

describe('compareFigures', () => {
  test.each([
    ['above it', [1.2, 1.3], 'slower'],
    ['overlapping it from above', [1.1, 1.3], 'same'],
    ['touching it from above', [1.15, 1.3], 'same'],
    ['within it', [1.02, 1.04], 'same'],
    ['overlapping it from below', [0.9, 1.02], 'same'],
    ['below it', [0.9, 0.99], 'faster'],
  ])('an interval %s', (_, [low, high], verdict) => {
    const changes = compareFigures([figure(1, 1.15)], [figure(low as number, high as number)]);
    expect(changes).toMatchObject([{ verdict }]);
  });

  test('goes by the ratio to calls that run no method, where it is asked to', () => {
    const fast = { ...figure(1, 1.1), toEmpty: { value: 3, low: 2, high: 4 } };
    const slow = { ...figure(1, 1.1), toEmpty: { value: 9, low: 8, high: 10 } };
    expect(compareFigures([fast], [slow])).toMatchObject([{ verdict: 'same' }]);
    const changes = compareFigures([fast], [slow], 'toEmpty');
    expect(changes).toMatchObject([{ verdict: 'slower', ratio: { value: 9 }, measure: 'toEmpty' }]);
    expect(formatChanges(changes)).toEqual([
      'slower: this RPC, reads, to a call of no method: was 3.00 (2.00–4.00), is 9.00 (8.00–10.00)',
    ]);
  });

  test('leaves out what only one of the two has', () => {
    const without = { workload: 'echo', contender: 'this RPC' };
    const before = [figure(1, 2, 'increments'), figure(1, 2, 'echo'), without];
    expect(compareFigures(before, [figure(1, 2), without])).toEqual([]);
  });
});

describe('entries', () => {
  const json = (time: string): string => JSON.stringify({ time, configuration: {}, figures: [] });
  const entry = (time: string): string => `## ${time}\n\n<!-- figures ${json(time)} -->\n`;

  test('are added before the others and after what stands above them', () => {
    const text = addEntry(`# Ours\n\nWords.\n\n${entry('one')}`, entry('two'));
    expect(text).toBe(`# Ours\n\nWords.\n\n${entry('two')}\n${entry('one')}`);
    expect(readEntries(text).map(({ time }) => time)).toEqual(['two', 'one']);
  });

  test.each(['{"time":', '{}', '[]', 'null', '{"time":"x","configuration":{},"figures":{}}'])(
    'are refused as damaged: %s',
    (figures) => {
      expect(() => readEntries(`<!-- figures ${figures} -->`)).toThrow(/damaged/);
    },
  );
});
