/** Judges what subscribers received by the object's records of its announcements. */
import type { Announcement, Tally } from '../objects/announcer.ts';

/** What one subscriber received since it was created, in order. */
export interface HearingEvidence {
  /** Events of the feed that keeps all. */
  runs: Announcement[];
  /** Events of the feed that keeps few. */
  tally: Tally[];
  /** Values of the live value. */
  totals: number[];
  /** When each of `runs` arrived, on the clock that all processes share. */
  times: number[];
  /** Errors that ended its loops. */
  errors: string[];
}

export interface Hearing {
  heard: number;
  /** Announcements that did not arrive. */
  lost: number;
  /** Announcements that arrived again. */
  doubled: number;
  /** Announcements that arrived after a later one. */
  disordered: number;
  /** Events that the object did not announce, or that were rolled back. */
  untrue: number;
  /** Live values and tallies that do not follow from the previous one, or that end before the last one. */
  wrong: number;
  values: number;
  /** Snapshots of the feed that keeps few: one at the beginning of each loop. */
  snapshots: number;
  errors: string[];
}

/** @param log - the announcements, which another client reads after the last one */
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

/** Judges the events of the feed that keeps all. */
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

/** Each total has to be greater than the previous one. */
function wrongTotals(totals: readonly number[], total: number): number {
  const wrong = totals.filter((value, index) => value <= (totals[index - 1] ?? -1));
  return wrong.length + (totals.at(-1) === total ? 0 : 1);
}

/** Each event has to be the next one. A snapshot may skip events. */
function wrongTallies(tally: readonly Tally[], total: number): number {
  let count = 0;
  let wrong = 0;
  for (const one of tally) {
    if ('all' in one ? one.all < count : one.row !== count + 1) wrong++;
    count = 'all' in one ? one.all : one.row;
  }
  return wrong + (count === total ? 0 : 1);
}
