/** Tests where the bars of the chart of ratios begin and end. */
import { expect, test } from 'vitest';
import type { Result } from '../../../src/perf/measure/summary.ts';
import { chartOf } from '../../../src/perf/report/chart.ts';
import { CONFIGURATION } from './configuration.ts';

function result(contender: string, more: Partial<Result>): Result {
  const times = { median: 1, perSecond: 1, p95: 1, p99: 1 };
  return { workload: 'reads', contender, calls: 1, rounds: 6, outliers: [], ...times, ...more };
}

const chart = (results: Result[]) =>
  chartOf({
    time: '',
    configuration: CONFIGURATION,
    contenders: [],
    rival: '',
    results,
    leftOut: [],
    wire: [],
  });

// The smallest scale, from 0.5 to 2, reaches from 290 to 660. The ratio 1 is in its middle, at 475.
test('a bar reaches from 1 to the ratio on a logarithmic scale, with its interval', () => {
  const slow = { value: Math.SQRT2, low: 1, high: 2 };
  const fast = { value: Math.SQRT1_2, low: 0.5, high: 1 };
  const svg = chart([
    result('slow & own', { ratio: slow }),
    result('fast', { ratio: fast, role: 'rival' }),
    result('without', {}),
    result('other', { workload: 'a < b', ratio: { value: 1, low: 1, high: 1 } }),
  ]);
  const rects = Array.from(svg.matchAll(/<rect class="(\w+)" x="(\d+)" y="(\d+)" width="(\d+)"/g));
  expect(rects.map(([, ...values]) => values)).toEqual([
    ['own', '475', '66', '94'],
    ['rival', '383', '82', '93'],
    ['own', '475', '122', '1'],
  ]);
  const lines = Array.from(
    svg.matchAll(/<line x1="(\d+)" x2="(\d+)" y1="(\d+)" y2="(\d+)" class="(.*?)"/g),
  );
  expect(lines.map(([, ...values]) => values.join(' '))).toEqual([
    // The grid comes first, and the intervals follow.
    '475 475 48 144 ',
    '475 660 72 72 ',
    '290 475 88 88 ',
    '475 475 128 128 ',
  ]);
  const texts = Array.from(svg.matchAll(/<text x="(\d+)" y="(\d+)" class="(.*?)">(.*?)<\/text>/g));
  expect(texts.map(([, ...values]) => values.join('|'))).toEqual([
    '12|20|head|Time relative to the same exchange written by hand: lower is faster',
    '471|44||1',
    '12|60|head|reads',
    '24|76||slow &amp; own',
    '672|76||1.41 (1.00–2.00)',
    '24|92||fast',
    '672|92||0.71 (0.50–1.00)',
    '12|116|head|a &lt; b',
    '24|132||other',
    '672|132||1.00 (1.00–1.00)',
    '12|160||workerd; one; WebSocket compression: off',
  ]);
  expect(svg).toContain('viewBox="0 0 900 176"');
});

test('the scale contains every interval, and has a line for each power of ten', () => {
  const svg = chart([result('own', { ratio: { value: 1, low: 0.1, high: 10 } })]);
  const grid = Array.from(svg.matchAll(/<line x1="(\d+)" x2="\1" .*? class="(.*?)"/g));
  expect(grid.map(([, x, style]) => [x, style])).toEqual([
    ['290', 'grid'],
    ['475', ''],
    ['660', 'grid'],
  ]);
});
