/** Tests the bars of the bench, the format of its results, and its summary. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bar, BARS, measuredOf, REPORTED, verdictOf } from '../../../bench/results/bars.ts';
import { manyMethods } from '../../../bench/parts/cold/many-methods.ts';
import { comparisonTable } from '../../../bench/results/comparison-table.ts';
import { report } from '../../../bench/results/report.ts';
import {
  lineOf,
  type Measurement,
  type Results,
  rowsOf,
  toJson,
} from '../../../bench/results/rows.ts';
import { inTurns } from '../../../bench/turns.ts';
import { figuresOf } from '../../../scripts/pages/figures.mjs';

const RECORDED = join(import.meta.dirname, '../../../bench');

const measured: Measurement = {
  time: '2026-11-25T10:00:00.000Z',
  commit: 'abc',
  node: '24.0.0',
  workerd: '1.0',
  cpu: 'CPU',
  load: 0.123456789,
};

test('a row has the median, and the ratios of its rounds to those of other contenders', () => {
  const figures = new Map([
    ['ours', [2, 4, 6]],
    ['floor', [1, 2, 3]],
  ]);
  expect(rowsOf('calls', 'µs', figures, ['floor', 'absent'])).toEqual([
    { what: 'calls', who: 'ours', value: 4, unit: 'µs', to: { floor: [2, 2, 2] } },
    { what: 'calls', who: 'floor', value: 2, unit: 'µs' },
  ]);
});

test('the compared row may depend on the contender', () => {
  const figures = new Map([
    ['ours', [2, 2]],
    ['theirs', [4, 4]],
  ]);
  const [ours, theirs] = rowsOf('calls', 'µs', figures, (who) =>
    who === 'ours' ? ['theirs'] : [],
  );
  expect(ours?.to).toEqual({ theirs: [0.5, 0.5, 0.5] });
  expect(theirs?.to).toBeUndefined();
});

test('results are written with a line for each row, and can be read again', () => {
  const rows = [
    { what: 'a', who: 'ours', value: 1.23456789, unit: 'ms' },
    { what: 'a', who: 'theirs', note: 'It could not' },
  ];
  const text = toJson({ calls: { measured, rows }, cold: { measured, rows: [] } });
  expect(text.split('\n').filter((line) => line.startsWith('   {'))).toHaveLength(2);
  expect(JSON.parse(text)).toMatchObject({
    calls: { rows: [{ value: 1.2346 }, { note: 'It could not' }], measured: { load: 0.12346 } },
    cold: { rows: [] },
  });
});

test('a row becomes a line on a terminal', () => {
  const row = { what: 'a', who: 'ours', value: 12, unit: 'ms', to: { floor: [1.5, 1.4, 1.6] } };
  expect(lineOf(row as never)).toBe('ours 12 ms; to floor 1.50 (1.40–1.60)');
});

const bar: Bar = { name: 'a', part: 'calls', what: 'a', who: 'ours', limit: 1.1, reach: 1 };

test.each([
  [[1.2, 1, 1.3], 'missed'],
  [[1.1, 1, 1.3], 'met'],
  [[1, 0.9, 1.3], 'reached'],
  [1.2, 'missed'],
  [undefined, undefined],
] as const)('%s is %s', (figure, verdict) => {
  expect(verdictOf(bar, figure)).toBe(verdict);
});

test('a figure without a limit is not judged, and a figure without an aim is at most met', () => {
  const { limit: _, ...reported } = bar;
  expect(verdictOf(reported, 0.1)).toBeUndefined();
  const { reach: __, ...aimless } = bar;
  expect(verdictOf(aimless, 0.1)).toBe('met');
});

test('a bar finds its figure by the names of its part, workload and contenders', () => {
  const row = { what: 'a', who: 'ours', value: 7, to: { floor: [2, 1, 3] as const } };
  const results: Results = { calls: { measured, rows: [row] } };
  expect(measuredOf(bar, results)).toBe(7);
  expect(measuredOf({ ...bar, to: 'floor' }, results)).toEqual([2, 1, 3]);
  expect(measuredOf({ ...bar, to: 'others' }, results)).toBeUndefined();
  expect(measuredOf({ ...bar, part: 'cold' }, results)).toBeUndefined();
});

test('the summary leaves out parts that have not been measured', () => {
  const page = report({});
  expect(page.match(/^\| .+ –/gm)).toHaveLength(BARS.length);
  expect(page).not.toContain('## Conditions');
});

test('the summary shows how figures compare with their limits', () => {
  const [first] = BARS as readonly [Bar];
  const { part, what, who, to = '', limit = 0 } = first;
  const page = (value: number): string => {
    const row = { what, who, to: { [to]: [value, value, value] as const } };
    return report({ [part]: { measured, rows: [row] } });
  };
  expect(page(limit + 0.1)).toContain('**above the limit**');
  expect(page(limit)).toContain('| within the limit');
  expect(page(0.1)).toContain('| aim reached');
});

test('each bar has a limit, and a figure that is only reported has none', () => {
  expect(BARS.filter(({ limit }) => limit === undefined)).toEqual([]);
  expect(REPORTED.filter(({ limit, reach }) => limit ?? reach)).toEqual([]);
});

test('the recorded summary matches the recorded results', () => {
  const results = JSON.parse(readFileSync(join(RECORDED, 'results.json'), 'utf8')) as Results;
  const page = readFileSync(join(RECORDED, 'RESULTS.md'), 'utf8');
  expect(report(results)).toBe(page);
});

test('contenders run once in each round, and each order is followed by its reverse', async () => {
  const order: string[] = [];
  const contender = (name: string) => async (): Promise<number> => order.push(name);
  const names = ['a', 'b', 'c'];
  const acts = new Map(names.map((name) => [name, contender(name)]));
  const results = await inTurns(acts, { rounds: 4, warmUp: 2 });
  const rounds = Array.from({ length: 6 }, (_, round) => order.slice(round * 3, round * 3 + 3));
  for (const round of rounds) expect(round.toSorted()).toEqual(names);
  for (const round of [0, 2, 4]) expect(rounds[round + 1]).toEqual(rounds[round]?.toReversed());
  // The first two rounds are not recorded.
  expect([...results.values()].flat().toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 7),
  );
});

test.each(['TypeBox', 'Valibot'] as const)(
  'the source of a Worker with many methods has all of them in its class and its contract, with %s',
  (library) => {
    const source = manyMethods(49, library);
    expect(source.match(/^ {2}method\d+\(/gm)).toHaveLength(49);
    expect(source.match(/^ {2}method\d+: /gm)).toHaveLength(49);
  },
);

test('the comparison has exactly the measured rows and columns', () => {
  expect(comparisonTable({})).toBe('');
  const to = { 'by hand, hibernating': [1.2, 1.1, 1.3] as const };
  const rows = [
    { what: '100 reads', who: 'this RPC', to },
    { what: '100 reads', who: 'another', to },
    { what: 'of no interest', who: 'this RPC', to },
  ];
  const cells = (results: Results): string[][] =>
    Array.from(comparisonTable(results).matchAll(/^\| (?!-).* \|$/gm), ([line]) =>
      line
        .slice(2, -2)
        .split('|')
        .map((cell) => cell.trim()),
    );
  expect(cells({ calls: { measured, rows } })).toEqual([
    ['', 'compared with code by hand'],
    ['Are arguments checked? (This package: by schemas)', 'no'],
    ['A call that reads a counter, awaited', '1.20 (1.10–1.30)'],
  ]);
  const more = {
    "Cap'n Web": [0.9, 0.8, 1] as const,
    "Cap'n Web, validated": [0.8, 0.7, 1] as const,
  };
  const sockets = {
    what: '100 sockets, each awaiting its reads: CPU time of the runtime',
    who: 'this RPC',
    to: more,
  };
  expect(
    cells({ calls: { measured, rows }, sockets: { measured, rows: [sockets] } }).slice(1),
  ).toEqual([
    ['Are arguments checked? (This package: by schemas)', 'no', 'no', 'by types'],
    ['A call that reads a counter, awaited', '1.20 (1.10–1.30)', '–', '–'],
    [
      'CPU time of the runtime for a call that reads, from 100 connections',
      '–',
      '0.90 (0.80–1.00)',
      '0.80 (0.70–1.00)',
    ],
  ]);
});

describe('the figures of the README', () => {
  const increments = (byHand: number, rival: number): Results => {
    const to = { 'by hand, hibernating': [byHand, 1, 1], "Cap'n Web": [rival, 1, 1] } as const;
    return { calls: { measured, rows: [{ what: '100 increments', who: 'this RPC', to }] } };
  };

  test('say that nothing was measured', () => {
    expect(figuresOf(undefined)).toBe('No run has been recorded yet.');
  });

  test.each([
    [1.12, 0.91, '12 % more time than the same', '9 % less time than'],
    [0.5, 2, '50 % less time than the same', '100 % more time than'],
    [1.001, 0.999, '0 % more time than the same', '0 % more time than'],
  ])('state the direction of %s and %s', (byHand, rival, first, second) => {
    const text = figuresOf(increments(byHand, rival)).replaceAll(/\s+/g, ' ');
    expect(text).toContain(first);
    expect(text).toContain(second);
  });

  test('leave out figures without a measurement', () => {
    expect(figuresOf(increments(1, 1)).match(/^- /gm)).toHaveLength(1);
  });
});
