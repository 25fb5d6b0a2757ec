/** Formats the figures of an open load for a terminal. */
import type { Load, LoadFigures } from '../load.ts';
import type { Configuration } from '../measure/summary.ts';
import { formatConfiguration } from '../report.ts';
import { toText } from './tables.ts';

/** The figures of one contender. */
export interface LoadResult extends LoadFigures {
  readonly contender: string;
  /** CPU time of the runtime during the load, in milliseconds; `undefined` if it is not known. */
  readonly cpu?: number | undefined;
}

/** An open load, and the figures that were measured under it. */
export interface LoadReport {
  /** Start of the measurement, in ISO 8601. */
  time: string;
  configuration: Configuration;
  load: Load;
  results: LoadResult[];
  leftOut: { contender: string; reason: string }[];
}

export function formatLoad({ configuration, load, results, leftOut }: LoadReport): string {
  const { clients, rate, seconds, within, methods } = load;
  const head = ['calls/s', 'in time', 'p50', 'p99', 'longest gap', 'sent late', 'CPU', 'of a call'];
  const table = [['Open load', ...head], ...results.map((result) => rowOf(result, load))];
  const problems = [
    ...results.flatMap(problemsOf),
    ...leftOut.map(({ contender, reason }) => `${contender} was left out: ${reason}`),
  ];
  return [
    `${clients} clients, ${rate} calls a second in all, for ${seconds} s: ${methods.join(', ')}`,
    toText(table),
    problems.join('\n'),
    `How to read this
- The time of a call begins when the call is due, and not when it is sent. So the time contains the wait before the call.
- in time: the share of all calls that were answered within ${formatTime(within)}. calls/s: the answers.
- longest gap: the longest time in which no call was answered.
- CPU: of the runtime's process, in which this object is the only one with calls; 100 % is one core.
- sent late: the longest delay of a call, because this process was busy. The times contain the delay:
  if it is long, make the load from a machine that is idle.`,
    formatConfiguration({ configuration }).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function rowOf(result: LoadResult, { rate }: Load): string[] {
  const { contender, perSecond, inTime, p50, p99, longestGap, latest, cpu, calls } = result;
  const wallClock = (calls * 1000) / Math.min(rate, perSecond);
  return [
    `  ${contender}`,
    perSecond.toFixed(perSecond < 10 ? 1 : 0),
    // The share is rounded down, so that 100 % means every call.
    `${(Math.floor(inTime * 1000) / 10).toFixed(1)} %`,
    ...[p50, p99, longestGap, latest].map(formatTime),
    cpu === undefined ? '–' : `${((cpu / wallClock) * 100).toFixed(1)} %`,
    cpu === undefined ? '–' : `${((cpu / calls) * 1000).toFixed(0)} µs`,
  ];
}

function problemsOf({ contender, calls, failed, failure, unanswered }: LoadResult): string[] {
  return [
    ...(failed > 0 ? [`${contender}: ${failed} of ${calls} calls failed: ${failure}`] : []),
    ...(unanswered > 0 ? [`${contender}: ${unanswered} of ${calls} calls got no answer`] : []),
  ];
}

function formatTime(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return '–';
  return milliseconds < 10_000
    ? `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
