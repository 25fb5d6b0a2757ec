/** Summarizes the measured series as results. */
import type { Contender } from '../contenders.ts';
import type { Series } from '../measure.ts';
import { emptyCalls, type Workload } from '../workloads.ts';
import {
  type Estimate,
  median,
  outliers,
  pairedRatio,
  percentile,
  ratioOfMedians,
} from './statistics.ts';
import type { WireCost } from './wire.ts';

/** The conditions of a measurement. Without them, its results mean nothing. */
export interface Configuration {
  target: string;
  node: string;
  workerd: string;
  cpu: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
  /** The WebSocket extensions that were in use, or `off`. */
  webSocketCompression: string;
}

/** The result of one contender in one workload. Times are in microseconds per call. */
export interface Result {
  workload: string;
  /** The method of the project, if calls of one method follow each other on an open connection. */
  method?: string | undefined;
  contender: string;
  role?: 'floor' | 'rival' | undefined;
  /** The number of calls in a round. */
  calls: number;
  rounds: number;
  /** Indices of the rounds that lie far from the others. They count like the others. */
  outliers: number[];
  /**
   * The median of single calls if each call was timed, otherwise of rounds. `p95` and `p99` are computed in the same
   * way.
   */
  median: number;
  /** The number of calls in a second of the rounds. */
  perSecond: number;
  p95: number;
  p99: number;
  /** Name of the contender to which `ratio` is relative. */
  floor?: string | undefined;
  ratio?: Estimate | undefined;
  /**
   * Time relative to calls of the floor that run no method of the project, if these were measured. Unlike `ratio`, it
   * shows that a method has become slower: `ratio` does not, because the method is slower in the floor, too.
   */
  toEmpty?: Estimate | undefined;
  /** Time relative to the report's rival. */
  rivalRatio?: Estimate | undefined;
}

interface LeftOut {
  workload: string;
  contender: string;
  reason: string;
}

export interface Report {
  /** Start of the measurement, in ISO 8601. */
  time: string;
  configuration: Configuration;
  /** The contenders that were measured. */
  contenders: Pick<Contender, 'name' | 'about'>[];
  rival: string;
  results: Result[];
  leftOut: LeftOut[];
  wire: WireCost[];
}

/** @param rival - the name of the contender with which all contenders are compared, beside their floors */
export function summarize(
  series: readonly Series[],
  rival: string,
): Pick<Report, 'results' | 'leftOut'> {
  const results: Result[] = [];
  const leftOut: LeftOut[] = [];
  for (const { workload, contender, perCall, calls, failure } of series) {
    const { name, role, floor } = contender;
    const names = { workload: workload.name, contender: name };
    if (failure !== undefined) {
      leftOut.push({ ...names, reason: failure });
      continue;
    }
    const roundsOf = (other: string | undefined, doing = workload): number[] | undefined => {
      const found = series.find((one) => one.workload === doing && one.contender.name === other);
      return found?.failure ? undefined : found?.perCall;
    };
    const relativeTo = (other: string | undefined): Estimate | undefined => {
      const rounds = other === name ? undefined : roundsOf(other);
      return rounds && pairedRatio(perCall, rounds);
    };
    const empty = roundsOf(floor, emptyCalls);
    const times = calls.length > 0 ? calls : perCall;
    results.push({
      ...names,
      method: methodOf(workload),
      role,
      calls: workload.calls,
      rounds: perCall.length,
      outliers: outliers(perCall),
      median: median(times),
      perSecond: 1e6 / median(perCall),
      p95: percentile(times, 0.95),
      p99: percentile(times, 0.99),
      floor,
      ratio: relativeTo(floor),
      toEmpty: empty && ratioOfMedians(perCall, empty),
      rivalRatio: role === 'floor' ? undefined : relativeTo(rival),
    });
  }
  return { results, leftOut };
}

function methodOf({ methods, isFresh, isConcurrent }: Workload): string | undefined {
  const [method, ...others] = new Set(methods);
  return isFresh || isConcurrent || others.length > 0 ? undefined : method;
}
