/**
 * Tests what the report shows besides the figures: floors, the legend, and a warning if the machine
 * was busy.
 */
import { describe, expect, test } from 'vitest';
import type { Estimate } from '../../../src/perf/measure/statistics.ts';
import type { Report, Result } from '../../../src/perf/measure/summary.ts';
import { formatBusy, formatReport } from '../../../src/perf/report.ts';
import { CONFIGURATION } from './configuration.ts';

const exact: Estimate = { value: 0.88, low: 0.85, high: 0.9 };
const wide: Estimate = { value: 5.73, low: 1.69, high: 25.77 };

function result(contender: string, more: Partial<Result> = {}): Result {
  return {
    workload: '100 reads',
    contender,
    calls: 100,
    rounds: 6,
    outliers: [],
    method: 'getValue',
    median: 100,
    perSecond: 10_000,
    p95: 120,
    p99: 150,
    ...more,
  };
}

function reportOf(results: Result[], more: Partial<Report> = {}): Report {
  return {
    time: '2026-01-01T00:00:00.000Z',
    configuration: CONFIGURATION,
    contenders: results.map(({ contender }) => ({ name: contender, about: `is ${contender}` })),
    rival: "Cap'n Web",
    results,
    leftOut: [],
    wire: [],
    ...more,
  };
}

describe('the table', () => {
  const own = result('this RPC', { floor: 'by hand, hibernating', ratio: exact, outliers: [2] });
  const rival = result("Cap'n Web", {
    role: 'rival',
    floor: 'by hand, always awake',
    ratio: exact,
  });
  const text = formatReport(
    reportOf([own, rival, result('by hand, hibernating', { role: 'floor' })]),
  );

  test('names the floor of each ratio, and the rounds of a workload', () => {
    expect(text).toMatch(/^100 reads: the time of one \(6 rounds\)$/m);
    expect(text).toMatch(/^ {2}this RPC .* by hand, hibernating +0\.88 \(0\.85–0\.90\) +–$/m);
    expect(text).toMatch(/^ {2}Cap'n Web .* by hand, always awake +0\.88 \(0\.85–0\.90\) +–$/m);
    expect(text).toMatch(/^ {2}by hand, hibernating .* –( +–){2}$/m);
  });

  test('marks only an interval that is too wide', () => {
    const noisy = formatReport(reportOf([{ ...own, rivalRatio: wide }]));
    expect(noisy).toMatch(/^ {2}this RPC .* {3}0\.88 \(0\.85–0\.90\) +\? 5\.73 \(1\.69–25\.77\)$/m);
  });

  test('gives only the name of a workload of one call', () => {
    const report = formatReport(reportOf([{ ...own, workload: 'first answer', calls: 1 }]));
    expect(report).toMatch(/^first answer \(6 rounds\)$/m);
  });

  test('has a legend of at most ten lines', () => {
    const legend = text.split('\n\n').find((part) => part.startsWith('How to read this')) ?? '';
    expect(legend.split('\n').length).toBeLessThanOrEqual(10);
    expect(legend).toContain(
      '1 of 18 rounds lie far from the other rounds of their row. They raise',
    );
  });

  test('is as wide as its rows, whatever the length of a title', () => {
    const long = { workload: 'A workload whose name is longer than that of any contender' };
    const widths = [own, { ...own, ...long }].map((one) => {
      const lines = formatReport(reportOf([one])).split('\n');
      return lines.find((line) => line.startsWith('Time of one call'))?.length;
    });
    expect(widths[1]).toBe(widths[0]);
  });
});

describe('in words', () => {
  const about = (workload: string, ratio?: Estimate, rivalRatio?: Estimate) =>
    result('this RPC', { workload, ratio, rivalRatio });
  const same: Estimate = { value: 1.02, low: 0.97, high: 1.06 };
  const slow: Estimate = { value: 1.34, low: 1.18, high: 1.41 };

  test('the three most important rows of this RPC, in order', () => {
    const text = formatReport(
      reportOf([
        about('first answer on a fresh connection', same),
        about('100 reads', exact, exact),
        about('100 increments', slow, exact),
        about('100 increments in flight', wide, same),
        result("Cap'n Web", { workload: '100 increments', role: 'rival', ratio: exact }),
      ]),
    );
    const [, words = ''] = text.split('\n\n');
    expect(words.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['In short, this RPC takes', 'than by hand', "than Cap'n Web"],
      ['one call after another', '34 % longer', '12 % shorter'],
      ['100 calls at the same time', 'unclear', 'as long, or nearly'],
      ['the first answer on a new connection', 'as long, or nearly', '–'],
    ]);
  });

  test.each([
    ['touches 1 from above', { value: 1.1, low: 1, high: 1.2 }, 'as long, or nearly'],
    ['touches 1 from below', { value: 0.9, low: 0.8, high: 1 }, 'as long, or nearly'],
    ['is twice as long', { value: 2, low: 1.9, high: 2.1 }, '100 % longer'],
  ])('an interval that %s', (_, ratio, words) => {
    const others = result('other', { workload: '100 increments', role: 'floor', ratio: wide });
    const text = formatReport(reportOf([others, about('100 increments', ratio)]));
    expect(text).toMatch(new RegExp(`^  one call after another +${words} +–$`, 'm'));
  });

  test('nothing if no such row was measured', () => {
    expect(formatReport(reportOf([about('100 reads', exact)]))).not.toContain('In short');
  });
});

test('a call on other networks is called an estimate, with its source', () => {
  const load = { frames: 1, bytes: 16 };
  const wire = [{ contender: 'this RPC', operation: 'getValue' as const, up: load, down: load }];
  const text = formatReport(reportOf([result('this RPC')], { wire }));
  expect(text).toContain('Estimated, not measured: getValue by this RPC on other networks\n');
  expect(text).toMatch(/^ {2}mobile( +\d+\.\d ms){4}( +12){2}$/m);
});

test('workloads without a measurement have a title', () => {
  const leftOut = [{ workload: '100 reads', contender: "Cap'n Web", reason: 'no answer' }];
  const text = formatReport(reportOf([result('this RPC')], { leftOut }));
  expect(text).toContain("\n\nNot measured\n  Cap'n Web: no answer (100 reads)\n\n");
  expect(formatReport(reportOf([result('this RPC')]))).not.toContain('Not measured');
});

describe('a busy machine', () => {
  const busy = (count: string) =>
    `The machine was busy: ${count} too wide to compare. Run it again when it is idle.`;

  test.each([
    ['no interval', [result('this RPC', { ratio: exact, rivalRatio: exact })], ''],
    ['one', [result('this RPC', { ratio: wide, rivalRatio: exact })], busy('1 interval is')],
    [
      'both intervals of a row',
      [result('this RPC', { ratio: wide, rivalRatio: wide })],
      busy('2 intervals are'),
    ],
    ['only intervals of a rival', [result("Cap'n Web", { role: 'rival', ratio: wide })], ''],
  ])('%s', (_, results, expected) => {
    expect(formatBusy({ results })).toBe(expected);
    const text = formatReport(reportOf(results));
    expect(text.endsWith(expected || 'compression: off')).toBe(true);
    expect(text.startsWith(expected || 'Contenders')).toBe(true);
  });
});

test('the whole report except the legend', () => {
  const up = { frames: 1, bytes: 16.4 };
  const down = { frames: 1.6, bytes: 9 };
  const getValue = { contender: 'this RPC', operation: 'getValue' as const, up, down };
  const other = { ...getValue, up: { frames: 9, bytes: 999 } };
  const own = { floor: 'by hand', ratio: exact, rivalRatio: wide, median: 100.4 };
  const text = formatReport(
    reportOf([result('by hand', { role: 'floor', median: 50 }), result('this RPC', own)], {
      configuration: { ...CONFIGURATION, compatibilityFlags: ['a', 'b'] },
      wire: [{ ...other, contender: 'by hand' }, { ...other, operation: 'increment' }, getValue],
    }),
  );
  const parts = text.split('\n\n').filter((part) => !part.startsWith('How to read this'));
  expect(parts).toEqual([
    'The machine was busy: 1 interval is too wide to compare. Run it again when it is idle.',
    'Contenders\n  by hand     is by hand\n  this RPC   is this RPC',
    "Time of one call   calls/s   median      p95      p99     floor       to its floor          to Cap'n Web",
    `100 reads: the time of one (6 rounds)
  by hand            10000    50 µs   120 µs   150 µs         –                  –                     –
  this RPC           10000   100 µs   120 µs   150 µs   by hand   0.88 (0.85–0.90)   ? 5.73 (1.69–25.77)`,
    `A call on the wire      frames up   down   bytes up   down
  by hand, getValue             9      2        999      9
  this RPC, increment           9      2        999      9
  this RPC, getValue            1      2         16      9`,
    `Estimated, not measured: getValue by this RPC on other networks
  network      open connection   new connection   connecting alone   its round trip   Mbit/s up    down
  datacenter            1.1 ms           4.1 ms             3.0 ms           1.0 ms       10000   10000
  broadband            20.1 ms          80.8 ms            60.7 ms          20.0 ms          20     100
  mobile               70.3 ms         283.2 ms           212.9 ms          70.0 ms          12      12
  slow                404.6 ms        1691.6 ms          1287.0 ms         400.0 ms         0.4     0.4
Computed from the median of "100 reads" and the bytes on the wire: a call takes
a round trip, the time of its bytes on the link, and its time on this machine.`,
    `Measured on: workerd
Node 24, workerd 1, one
Compatibility date 2026-01-01, a, b
WebSocket compression: off`,
    'The machine was busy: 1 interval is too wide to compare. Run it again when it is idle.',
  ]);
});
