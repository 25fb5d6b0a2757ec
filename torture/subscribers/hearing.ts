/** Compares the events of subscribers with the object's records of its announcements. */
import type { Announcement, Tally } from '../objects/announcer.ts';

/** The events that a subscriber has received since it was created, in order. */
export interface HearingEvidence {
  /** The events of the feed that keeps all events. */
  runs: Announcement[];
  /** The events of the feed that keeps few events. */
  tally: Tally[];
  /** The values of the live value. */
  totals: number[];
  /** The time of each event of `runs`, on the clock that all processes share. */
  times: number[];
  /** The errors that ended its loops. */
  errors: string[];
}

export interface Hearing {
  heard: number;
  /** The number of announcements that did not arrive. */
  lost: number;
  /** The number of announcements that arrived again. */
  doubled: number;
  /** The number of announcements that arrived after a later announcement. */
  disordered: number;
  /** The number of events that the object did not announce, or that were rolled back. */
  untrue: number;
  /**
   * The number of live values and tallies that do not follow from the value before, and of sequences that end before
   * the last value.
   */
  wrong: number;
  values: number;
  /** The number of snapshots of the feed that keeps few events: one at the beginning of each loop. */
  snapshots: number;
  errors: string[];
}

/** @param log - the announcements, which another client reads after the last announcement */
export function judgeHearing(
  { runs, tally, totals, errors }: HearingEvidence,
  log: readonly Announcement[],
): Hearing {
  const total = log.at(-1)?.row ?? 0;
  return {
    ...judgeRuns(runs, log),
    wrong: wrongTotals(totals, total) + wrongTallies(tally, total),
    values: totals.length,
    snapshots: tally.filter((one) => 'all' in one).length,
    errors,
  };
}

const MISTAKES = ['lost', 'doubled', 'disordered', 'untrue'] as const;

type RunsVerdict = Pick<Hearing, 'heard' | (typeof MISTAKES)[number]>;

/** Judges the events of the feed that keeps all events. */
export function judgeRuns(
  runs: readonly Announcement[],
  log: readonly Announcement[],
): RunsVerdict {
  const tokens = new Map(log.map(({ row, token }) => [row, token]));
  const heard = new Set<number>();
  let latest = 0;
  const verdict = { heard: runs.length, lost: 0, doubled: 0, disordered: 0, untrue: 0 };
  for (const { row, token } of runs) {
    if (tokens.get(row) !== token) verdict.untrue++;
    else if (heard.has(row)) verdict.doubled++;
    else if (row < latest) verdict.disordered++;
    heard.add(row);
    latest = Math.max(latest, row);
  }
  verdict.lost = log.filter(({ row }) => !heard.has(row)).length;
  return verdict;
}

/** Returns the sums of several verdicts, and a failure for each kind of mistake that occurred. */
export function summaryOf(verdicts: readonly RunsVerdict[]): {
  figures: RunsVerdict;
  failures: string[];
} {
  const figures = { heard: 0, lost: 0, doubled: 0, disordered: 0, untrue: 0 };
  for (const verdict of verdicts) {
    figures.heard += verdict.heard;
    for (const name of MISTAKES) figures[name] += verdict[name];
  }
  const occurred = MISTAKES.filter((name) => figures[name] > 0);
  return { figures, failures: occurred.map((name) => `${figures[name]} events were ${name}`) };
}

/** Checks that each total is greater than the previous total. */
function wrongTotals(totals: readonly number[], total: number): number {
  const wrong = totals.filter((value, index) => value <= (totals[index - 1] ?? -1));
  return wrong.length + (totals.at(-1) === total ? 0 : 1);
}

/** Checks that each event is the next event. A snapshot may skip events. */
function wrongTallies(tally: readonly Tally[], total: number): number {
  let count = 0;
  let wrong = 0;
  for (const one of tally) {
    if ('all' in one ? one.all < count : one.row !== count + 1) wrong++;
    count = 'all' in one ? one.all : one.row;
  }
  return wrong + (count === total ? 0 : 1);
}
