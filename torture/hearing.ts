/**
 * Judges what subscribers heard by what the object took down of its announcements. Pure functions;
 * types of announcer.
 */
import type { Announcement, Tally } from './announcer.ts';

/** What one subscriber heard, in its order, since it was made. */
export interface HearingEvidence {
  /** Of the feed that holds all. */
  runs: Announcement[];
  /** Of the feed that holds few. */
  tally: Tally[];
  /** The live value. */
  totals: number[];
  /** When each of `runs` came, on the clock that all processes share. */
  times: number[];
  /** With what its loops ended. */
  errors: string[];
}

export interface Hearing {
  heard: number;
  /** Announcements that it did not hear. */
  lost: number;
  /** Those that it heard again. */
  doubled: number;
  /** Those that it heard after a later one. */
  disordered: number;
  /** What it heard and nobody announced, or nobody any more. */
  untrue: number;
  /** Live values and tallies that do not follow from the one before, or end before the last. */
  wrong: number;
  values: number;
  /** Snapshots of the feed that holds few: one at the beginning of each loop. */
  snapshots: number;
  errors: string[];
}

/** @param log - read by a client of its own when everything had been said */
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

function judgeRuns(
  runs: readonly Announcement[],
  log: readonly Announcement[],
): Pick<Hearing, 'heard' | 'lost' | 'doubled' | 'disordered' | 'untrue'> {
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

/** Each has to be greater than the one before. */
function wrongTotals(totals: readonly number[], total: number): number {
  const wrong = totals.filter((value, index) => value <= (totals[index - 1] ?? -1));
  return wrong.length + (totals.at(-1) === total ? 0 : 1);
}

/** One more each time; or how many there are, which may be more. */
function wrongTallies(tally: readonly Tally[], total: number): number {
  let count = 0;
  let wrong = 0;
  for (const one of tally) {
    if ('all' in one ? one.all < count : one.row !== count + 1) wrong++;
    count = 'all' in one ? one.all : one.row;
  }
  return wrong + (count === total ? 0 : 1);
}
