/** Says the most important results in words. */
import { type Estimate, isWide } from '../measure/statistics.ts';
import type { Report } from '../measure/summary.ts';
import { toText } from './tables.ts';

/** The results that are said in words, by the names of their workloads: the first of each kind, except reads. */
const ROWS: readonly [title: string, workload: RegExp, isOfMethod?: boolean][] = [
  ['one call after another', /^100 (?!reads$|.* in flight$)[^,]+$/, true],
  ['100 calls at the same time', /^100 (?!reads ).* in flight$/],
  ['the first answer on a new connection', /^first answer on a fresh connection$/],
];

/** Compares this RPC with its floor and with the rival. Returns an empty string if no such row was measured. */
export function formatInWords({ results, rival }: Pick<Report, 'results' | 'rival'>): string {
  const rows = ROWS.flatMap(([title, workload, isOfMethod]) => {
    const own = results.find(
      (one) =>
        workload.test(one.workload) && !one.role && (!isOfMethod || one.method !== undefined),
    );
    return own ? [[`  ${title}`, wordsOf(own.ratio), wordsOf(own.rivalRatio)]] : [];
  });
  if (rows.length === 0) return '';
  return toText([['In short, this RPC takes', 'than by hand', `than ${rival}`], ...rows]);
}

/** Returns by how many per cent a time is longer or shorter, if the interval shows a difference. */
function wordsOf(ratio: Estimate | undefined): string {
  if (!ratio) return '–';
  if (isWide(ratio)) return 'unclear';
  const { value, low, high } = ratio;
  if (low <= 1 && high >= 1) return 'as long, or nearly';
  return `${Math.round(Math.abs(value - 1) * 100)} % ${value > 1 ? 'longer' : 'shorter'}`;
}
