/** Formats tables of results, for a terminal and for Markdown. */
import { type Estimate, isWide } from '../measure/statistics.ts';
import type { Result } from '../measure/summary.ts';

/** The first row is the head. The first column has the names of the rows. */
export type Table = string[][];

/** Makes a row for each workload, and a column for each contender that has a cell. */
export function byWorkload(
  results: readonly Result[],
  cellOf: (result: Result) => string | undefined,
): Table {
  const filled = results.filter((result) => cellOf(result) !== undefined);
  const contenders = [...new Set(filled.map(({ contender }) => contender))];
  const rows = Map.groupBy(filled, ({ workload }) => workload);
  const table: Table = [['', ...contenders]];
  for (const [workload, ofWorkload] of rows) {
    const cells = contenders.map((name) => {
      const result = ofWorkload.find(({ contender }) => contender === name);
      return (result && cellOf(result)) ?? '–';
    });
    table.push([workload, ...cells]);
  }
  return table;
}

function transposed(table: Table): Table {
  return (table[0] ?? []).map((_, column) => table.map((row) => row[column] ?? ''));
}

/** Formats a table as text. A row of one cell is a title, which may be longer than the first column. */
export function toText(table: Table): string {
  const rows = table.filter(({ length }) => length > 1);
  const widths = transposed(rows).map((column) => Math.max(...column.map(({ length }) => length)));
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return table.map((row) => row.map(padded).join('   ').trimEnd()).join('\n');
}

export function toMarkdown([head = [], ...rows]: Table): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Formats the value, with its interval in brackets. */
export function formatRatio({ value, low, high }: Estimate): string {
  return `${formatNumber(value)} (${formatNumber(low)}–${formatNumber(high)})`;
}

/** Formats the value like `formatRatio`, with a mark before it if its interval is too wide to compare. */
export function formatMarked(ratio: Estimate): string {
  return `${isWide(ratio) ? '? ' : ''}${formatRatio(ratio)}`;
}

/** Formats a number with two decimals: with two significant digits below 0.1, and without decimals from 100 on. */
function formatNumber(value: number): string {
  return value < 0.1 ? value.toPrecision(2) : value.toFixed(value < 100 ? 2 : 0);
}
