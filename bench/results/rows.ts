/**
 * The format of all results: a row has the figure of a contender in a workload. results.json has a line for each row, and
 * RESULTS.md and the README show only these rows. The module is pure.
 */
import { median, pairedRatio } from '../../runtime/src/perf/measure/statistics.ts';

/** The median of paired rounds, and its 95 % interval. */
export type Ratio = readonly [value: number, low: number, high: number];

export interface Row {
  /** The action, such as the name of a workload. */
  what: string;
  /** The contender. */
  who: string;
  /** A median, or a count. */
  value?: number;
  unit?: string;
  /** The figure relative to the figures of other contenders, by their names. */
  to?: Readonly<Record<string, Ratio>>;
  /** A note about the figure, or the reason why there is none. */
  note?: string;
}

/** The time and the conditions of a measurement. */
export interface Measurement {
  /** The time in ISO 8601. */
  time: string;
  commit: string;
  node: string;
  workerd: string;
  cpu: string;
  /** The load of the machine at the start: the average number of processes that can run, over a minute. */
  load: number;
  /** True for a quick run, whose figures mean little. */
  isQuick?: boolean;
}

/** The results of the measured parts, by their names. */
export type Results = Readonly<
  Record<string, { readonly measured: Measurement; readonly rows: readonly Row[] } | undefined>
>;

/** Figures of one kind, by contender: one figure for each round. The figures of a round belong together. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** The contenders with which a contender is compared. A contender without figures is left out. */
export type Against = readonly string[] | ((who: string) => readonly string[]);

/**
 * Summarizes figures as rows.
 *
 * @throws RangeError if a contender has no figures, or a different number of them
 */
export function rowsOf(what: string, unit: string, figures: Figures, against: Against = []): Row[] {
  return [...figures].map(([who, own]): Row => {
    const row: Row = { what, who, value: median(own), unit };
    const names = typeof against === 'function' ? against(who) : against;
    const others = names.flatMap((name) => {
      const theirs = name === who ? undefined : figures.get(name);
      return theirs ? [[name, ratioOf(own, theirs)] as const] : [];
    });
    if (others.length > 0) row.to = Object.fromEntries(others);
    return row;
  });
}

/** @throws RangeError if the numbers of rounds differ */
function ratioOf(own: readonly number[], others: readonly number[]): Ratio {
  const { value, low, high } = pairedRatio(own, others);
  return [value, low, high];
}

/** @returns the row of a part; `undefined` if it has not been measured */
export function rowIn(results: Results, part: string, what: string, who: string): Row | undefined {
  return results[part]?.rows.find((row) => row.what === what && row.who === who);
}

/** Writes results as JSON with a line for each row. Five digits are more than the precision of any figure. */
export function toJson(results: Results): string {
  const text = (value: unknown): string => JSON.stringify(value, rounded);
  const parts = Object.entries(results).flatMap(([name, part]) => {
    if (!part) return [];
    const rows = part.rows.map((row) => `   ${text(row)}`).join(',\n');
    return [
      ` ${text(name)}: {\n  "measured": ${text(part.measured)},\n  "rows": [\n${rows}\n  ]\n }`,
    ];
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

/** Formats a row for a terminal, without its workload. */
export function lineOf({ who, value, unit = '', to = {}, note }: Row): string {
  const figure = value === undefined ? '' : `${figureText(value)} ${unit}`;
  const ratios = Object.entries(to).map(([name, ratio]) => `to ${name} ${ratioText(ratio)}`);
  return [`${who} ${figure}`.trim(), ...ratios, note].filter(Boolean).join('; ');
}

/** Formats a number with two decimals, or with two digits if it is less than a tenth. */
export function ratioText([value, low, high]: Ratio): string {
  const [own, from, to] = [value, low, high].map((one) =>
    one < 0.1 ? one.toPrecision(2) : one.toFixed(2),
  );
  return `${own} (${from}–${to})`;
}

export function figureText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value < 0.1 ? value.toPrecision(2) : value.toFixed(value < 100 ? 2 : 0);
}
