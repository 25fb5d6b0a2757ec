/**
 * Draws an SVG chart of the ratios to the floor, on a logarithmic scale. The chart has every figure as
 * text too. Its colours follow the reader's light or dark scheme.
 */
import type { Estimate } from '../measure/statistics.ts';
import type { Report, Result } from '../measure/summary.ts';
import { formatRatio } from './tables.ts';

type Bar = Result & { ratio: Estimate };

const [WIDTH, LEFT, RIGHT, LINE] = [900, 290, 660, 16];

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .head { font-weight: 600; }
  line { stroke: #1f2328; }
  .grid { opacity: 0.2; }
  .own { fill: #0969da; }
  .rival { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    line { stroke: #e6edf3; }
    .own { fill: #4493f8; }
    .rival { fill: #db6d28; }
  }`;

export function chartOf({ results, configuration }: Report): string {
  const bars = results.flatMap(({ ratio, ...result }): Bar[] =>
    ratio ? [{ ...result, ratio }] : [],
  );
  const least = Math.min(0.5, ...bars.map(({ ratio }) => ratio.low));
  const most = Math.max(2, ...bars.map(({ ratio }) => ratio.high));
  const at = (ratio: number): number =>
    Math.round(LEFT + ((RIGHT - LEFT) * Math.log(ratio / least)) / Math.log(most / least));
  const rows: string[] = [];
  let y = 3 * LINE;
  for (const [workload, ofWorkload] of Map.groupBy(bars, (bar) => bar.workload)) {
    rows.push(text(12, y + LINE - 4, workload, 'head'));
    for (const bar of ofWorkload) rows.push(drawn(bar, (y += LINE), at));
    y += 1.5 * LINE;
  }
  const ticks = [0.001, 0.01, 0.1, 1, 10, 100].filter((tick) => tick >= least && tick <= most);
  const grid = ticks.map(
    (tick) =>
      line(at(tick), at(tick), 3 * LINE, y, tick === 1 ? '' : 'grid') +
      text(at(tick) - 4, 3 * LINE - 4, `${tick}`),
  );
  const { target, webSocketCompression, cpu } = configuration;
  const title = 'Time relative to the same exchange written by hand: lower is faster';
  const caption = `${target}; ${cpu}; WebSocket compression: ${webSocketCompression}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 2 * LINE}" aria-labelledby="title">
<title id="title">${title}</title>
<style>${STYLE}
</style>
${[text(12, LINE + 4, title, 'head'), ...grid, ...rows, text(12, y + LINE, caption)].join('\n')}
</svg>
`;
}

/** Draws one line: the contender, a bar from 1 to the ratio, the interval, and the ratio as text. */
function drawn({ contender, role, ratio }: Bar, y: number, at: (ratio: number) => number): string {
  const middle = y + LINE / 2;
  const [from, to] = [Math.min(at(1), at(ratio.value)), Math.max(at(1), at(ratio.value))];
  return [
    text(24, middle + 4, contender),
    `<rect class="${role ?? 'own'}" x="${from}" y="${y + 2}" width="${to - from + 1}" height="${LINE - 4}"/>`,
    line(at(ratio.low), at(ratio.high), middle, middle),
    text(RIGHT + 12, middle + 4, formatRatio(ratio)),
  ].join('');
}

function text(x: number, y: number, content: string, style = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" class="${style}">${escaped}</text>`;
}

function line(x1: number, x2: number, y1: number, y2: number, style = ''): string {
  return `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" class="${style}"/>`;
}
