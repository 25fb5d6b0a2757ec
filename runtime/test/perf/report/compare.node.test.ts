/** Tests when a ratio counts as slower, and what PERFORMANCE.md records of it. */
import { describe, expect, test } from 'vitest';
import {
  type Change,
  compareFigures,
  type Figure,
  formatChanges,
  judgeAgain,
} from '../../../src/perf/report/compare.ts';
import { addEntry, formatEntry, readEntries } from '../../../src/perf/report/record.ts';
import type { Report } from '../../../src/perf/measure/summary.ts';
import { CONFIGURATION } from './configuration.ts';

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

  test.each([
    ['measured too widely', [1, 1.15], [0.9, 1.9], 'unclear'],
    ['recorded too widely', [0.9, 1.9], [1, 1.15], 'unclear'],
    ['as wide as may be', [1, 1.15], [0.9, 1.8], 'same'],
    ['wide, but above it', [1, 1.15], [1.2, 9], 'slower'],
    ['wide, but below it', [1, 1.15], [0.1, 0.9], 'faster'],
  ])('an interval %s', (_, before, after, verdict) => {
    const [old, now] = [before, after].map(([low, high]) => figure(low as number, high as number));
    expect(compareFigures([old as Figure], [now as Figure])).toMatchObject([{ verdict }]);
  });

  test('uses the ratio to calls of no method if that is requested', () => {
    const fast = { ...figure(1, 1.1), toEmpty: { value: 3, low: 2, high: 4 } };
    const slow = { ...figure(1, 1.1), toEmpty: { value: 9, low: 8, high: 10 } };
    expect(compareFigures([fast], [slow])).toMatchObject([{ verdict: 'same' }]);
    const changes = compareFigures([fast], [slow], 'toEmpty');
    expect(changes).toMatchObject([{ verdict: 'slower', ratio: { value: 9 }, measure: 'toEmpty' }]);
    expect(formatChanges(changes)).toEqual([
      'slower: this RPC, reads, to a call of no method: was 3.00 (2.00–4.00), is 9.00 (8.00–10.00)',
    ]);
  });

  test('compares each contender of a workload with itself, and keeps its role', () => {
    const rival = { ...figure(5, 6), contender: 'other', role: 'rival' as const };
    const changes = compareFigures([figure(1, 1.1), rival], [rival, figure(1.2, 1.3)]);
    expect(changes).toMatchObject([
      { contender: 'other', role: 'rival', verdict: 'same' },
      { contender: 'this RPC', verdict: 'slower' },
    ]);
    expect(judgeAgain(changes, changes)).toEqual(changes);
    expect(compareFigures([figure(1, 1.1)], [figure(0.9, 1)])).toMatchObject([{ verdict: 'same' }]);
  });

  test('leaves out rows that only one of the two reports has', () => {
    const without = { workload: 'echo', contender: 'this RPC' };
    const before = [figure(1, 2, 'increments'), figure(1, 2, 'echo'), without];
    expect(compareFigures(before, [figure(1, 2), without])).toEqual([]);
  });
});

test('names the differences, and the number of ratios that cannot be compared', () => {
  const change = (verdict: Change['verdict']): Change => ({
    ...(figure(1, 1.2) as Figure & { ratio: Change['ratio'] }),
    before: { value: 1, low: 1, high: 1 },
    measure: 'ratio',
    verdict,
  });
  expect(formatChanges([change('same'), change('unclear')])).toEqual([
    'None of 2 ratios differs beyond the noise.',
    '1 of 2 cannot be compared: an interval is too wide.',
  ]);
  expect(formatChanges([change('unclear'), change('faster')])).toEqual([
    'faster: this RPC, reads: was 1.00 (1.00–1.00), is 1.10 (1.00–1.20)',
    '1 of 2 cannot be compared: an interval is too wide.',
  ]);
});

describe('judgeAgain', () => {
  const recorded = [figure(1, 1.15)];
  const [same, slower, faster, wide] = [
    figure(1, 1.1),
    figure(1.2, 1.3),
    figure(0.9, 0.95),
    figure(1, 9),
  ];

  test.each([
    ['slower in both', slower, [slower], 'slower'],
    ['slower only at first', slower, [same], 'same'],
    ['slower, then faster', slower, [faster], 'faster'],
    ['slower, then too wide', slower, [wide], 'unclear'],
    ['slower, then not measured', slower, [], 'unclear'],
    ['too wide, then slower', wide, [slower], 'unclear'],
    ['too wide in both', wide, [wide], 'unclear'],
    ['too wide only at first', wide, [same], 'same'],
  ])('%s', (_, first, second, verdict) => {
    const judged = judgeAgain(
      compareFigures(recorded, [first]),
      compareFigures(recorded, [figure(1.2, 1.3, 'another'), ...second]),
    );
    expect(judged).toMatchObject([{ workload: 'reads', verdict }]);
  });

  test('keeps the two ratios of a row apart', () => {
    const row = { ...slower, toEmpty: { value: 2, low: 2, high: 2 } };
    const before = { ...figure(1, 1.15), toEmpty: { value: 2, low: 2, high: 2 } };
    const first = compareFigures([before], [row]);
    expect(judgeAgain(first, compareFigures([before], [row], 'toEmpty'))).toMatchObject([
      { verdict: 'unclear', measure: 'ratio' },
    ]);
  });
});

describe('entries', () => {
  const json = (time: string): string => JSON.stringify({ time, configuration: {}, figures: [] });
  const entry = (time: string): string => `## ${time}\n\n<!-- figures ${json(time)} -->\n`;

  test('are added before the other entries and after the text above them', () => {
    const text = addEntry(`# Ours\n\nWords.\n\n${entry('one')}`, entry('two'));
    expect(text).toBe(`# Ours\n\nWords.\n\n${entry('two')}\n${entry('one')}`);
    expect(readEntries(text).map(({ time }) => time)).toEqual(['two', 'one']);
  });

  test.each([
    '{"time":"x","figures":[]}',
    '{"configuration":{},"figures":[]}',
    '{"time":',
    '{}',
    '[]',
    'null',
    '{"time":"x","configuration":{},"figures":{}}',
  ])('are refused as damaged: %s', (figures) => {
    expect(() => readEntries(`<!-- figures ${figures} -->`)).toThrow(/damaged/);
  });

  test('begin a page that has a head', () => {
    const page = addEntry('', entry('one'));
    expect(page).toMatch(
      /^# Performance\n\nWritten by `npm run perf -- --record "what changed"`, ne/,
    );
    expect(page.endsWith(`too wide to compare.\n\n${entry('one')}`)).toBe(true);
  });

  test('have the tables, the changes since the previous entry, and a summary of the figures', () => {
    const ratio = { value: 1.23456, low: 1.2, high: 1.3 };
    const wide = { value: 150.4, low: 0.0123, high: 200 };
    const row = { calls: 1, rounds: 6, outliers: [1], median: 99.6, perSecond: 1, p95: 1, p99: 1 };
    const report: Report = {
      time: 'now',
      configuration: CONFIGURATION,
      contenders: [],
      rival: 'other',
      results: [
        { ...row, workload: 'reads', contender: 'this RPC', ratio, rivalRatio: wide },
        { ...row, workload: 'reads', contender: 'by hand', role: 'floor' },
        { ...row, workload: 'writes', contender: 'by hand', role: 'floor', median: 0.4 },
      ],
      leftOut: [
        { workload: 'writes', contender: 'this RPC', reason: 'no' },
        { workload: 'echo', contender: 'this RPC', reason: 'no' },
      ],
      wire: [],
    };
    const names = { commit: 'abc', description: 'mine' };
    const configuration = { ...CONFIGURATION, target: 'dev', webSocketCompression: 'on' };
    const earlier = { time: 'then', ...names, configuration, figures: [figure(1, 1.1)] };
    const text = formatEntry(report, names, earlier);
    expect(text.split('\n\n').slice(2, -1)).toEqual([
      '### Time relative to the same exchange written by hand',
      '|  | this RPC |\n| --- | ---: |\n| reads | 1.23 (1.20–1.30) |',
      '### Time relative to other',
      '|  | this RPC |\n| --- | ---: |\n| reads | ? 150 (0.012–200) |',
      '### Median of a call, in µs',
      '|  | this RPC | by hand |\n| --- | ---: | ---: |\n| reads | 100 | 100 |\n| writes | – | 0 |',
      '### Compared with the entry before',
      '- then, abc: mine\n' +
        '- Measured differently: target was dev, is workerd; webSocketCompression was on, is off\n' +
        '- slower: this RPC, reads: was 1.05 (1.00–1.10), is 1.23 (1.20–1.30)',
      '### Notes',
      '- The machine was busy: 1 interval is too wide to compare. Run it again when it is idle.\n' +
        '- 3 of 18 rounds lie far from the other rounds of their row. They raise p95 and p99, and hardly change the ratios.\n' +
        '- this RPC: no (writes; echo)',
    ]);
    expect(text.startsWith('## now, abc: mine\n\n- Measured on: workerd\n- Node 24')).toBe(true);
    const [read] = readEntries(text);
    expect(read?.figures).toEqual([
      { workload: 'reads', contender: 'this RPC', ratio: { ...ratio, value: 1.235 } },
    ]);
    expect(formatEntry(report, names)).toContain('\n\n- There is no earlier entry.\n\n');
    expect(formatEntry(report, names, { ...earlier, configuration: CONFIGURATION })).not.toContain(
      'Measured differently',
    );
  });

  test('can be read whatever their text is, and no text ends their comment', () => {
    const configuration = CONFIGURATION;
    const report = { time: 'now', configuration, contenders: [], rival: 'other', results: [] };
    const description = 'a -> b --> c -->';
    const names = { commit: 'abc', description };
    const text = formatEntry({ ...report, leftOut: [], wire: [] }, names);
    expect(readEntries(text)).toMatchObject([names]);
    const [, comment = ''] = text.split('<!-- figures ');
    expect(comment.indexOf('>')).toBe(comment.trimEnd().length - 1);
  });
});
