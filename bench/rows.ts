/**
 * The form of all results: a row for what a contender did. results.json has a line for each, and the bars, RESULTS.md and
 * the README's table read nothing else. Pure.
 */
import { median, pairedRatio } from '../runtime/src/perf/measure/statistics.ts';

/** The median of paired rounds, and its 95 % interval. */
export type Ratio = readonly [value: number, low: number, high: number];

export interface Row {
  /** What was done, such as the name of a workload. */
  what: string;
  /** The contender. */
  who: string;
  /** A median, or a count. */
  value?: number;
  unit?: string;
  /** The figure relative to those of others, by their names. */
  to?: Readonly<Record<string, Ratio>>;
  /** What the figure includes, or why there is none. */
  note?: string;
}

/** Figures of one kind, by contender: one for each round. Those of a round belong together. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/**
 * Summarizes figures as rows.
 *
 * @param against - the contenders that the others are compared with. One that is not among the figures is passed over
 * @throws RangeError if a contender has no figures, or another number of them
 */
export function rowsOf(
  what: string,
  unit: string,
  figures: Figures,
  against: readonly string[] = [],
): Row[] {
  return [...figures].map(([who, own]): Row => {
    const row: Row = { what, who, value: median(own), unit };
    const others = against.flatMap((name) => {
      const theirs = name === who ? undefined : figures.get(name);
      return theirs ? [[name, ratioOf(own, theirs)] as const] : [];
    });
    if (others.length > 0) row.to = Object.fromEntries(others);
    return row;
  });
}

/** @throws RangeError if the numbers of rounds differ */
export function ratioOf(own: readonly number[], others: readonly number[]): Ratio {
  const { value, low, high } = pairedRatio(own, others);
  return [value, low, high];
}

/** Formats a row for a terminal. */
export function lineOf({ what, who, value, unit = '', to = {}, note }: Row): string {
  const figure = value === undefined ? '' : `${figureText(value)} ${unit}`;
  const ratios = Object.entries(to).map(([name, ratio]) => `to ${name} ${ratioText(ratio)}`);
  return `${what}: ${[`${who} ${figure}`.trim(), ...ratios, note].filter(Boolean).join('; ')}`;
}

/** Two decimals; two digits of what is less than a tenth. */
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
