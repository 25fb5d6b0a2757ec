/** What is shown: a summary of the measured series, and its table. Imports measure and statistics. */
import type { Series } from './measure.ts';
import { type Estimate, median, pairedRatio, percentile } from './statistics.ts';

/** What a result is worth nothing without. */
export interface Configuration {
  node: string;
  workerd: string;
  cpu: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
  /** The WebSocket extensions that were in use, or `off`. */
  webSocketCompression: string;
}

/** One row of the table. Times are in microseconds per call. */
export interface Result {
  workload: string;
  contender: string;
  rounds: number;
  median: number;
  p95: number;
  /** Whom the ratio relates to, where there is one. */
  floor?: string | undefined;
  ratio?: Estimate | undefined;
}

export interface Report {
  configuration: Configuration;
  results: Result[];
}

export function summarize(series: readonly Series[]): Result[] {
  const measured = series.filter(({ failure }) => failure === undefined);
  return measured.map(({ workload, contender, perCall, calls }) => {
    const floor = measured.find(
      (other) => other.workload === workload && other.contender.name === contender.floor,
    );
    return {
      workload: workload.name,
      contender: contender.name,
      rounds: perCall.length,
      median: median(calls.length > 0 ? calls : perCall),
      p95: percentile(calls.length > 0 ? calls : perCall, 0.95),
      floor: contender.floor,
      ratio: floor && pairedRatio(perCall, floor.perCall),
    };
  });
}

export function formatReport({ configuration, results }: Report): string {
  const lines: string[] = [];
  for (const workload of new Set(results.map((result) => result.workload))) {
    lines.push(row(workload, 'median', 'p95', 'ratio to the floor'));
    const rows = results.filter((result) => result.workload === workload);
    for (const result of rows) {
      const { contender, ratio } = result;
      lines.push(
        row(`  ${contender}`, micros(result.median), micros(result.p95), formatRatio(ratio)),
      );
    }
    lines.push('');
  }
  const rounds = results[0]?.rounds ?? 0;
  lines.push(
    `Times are for one call on a warm connection, ${rounds} rounds. The floor is a WebSocket exchange`,
    'written by hand around the same counter, hibernating like this RPC. A ratio is the median of',
    'paired rounds, with its 95 % interval.',
    '',
    formatConfiguration(configuration),
  );
  return lines.join('\n');
}

function formatConfiguration(configuration: Configuration): string {
  const { node, workerd, cpu, compatibilityDate, compatibilityFlags } = configuration;
  const flags = compatibilityFlags.length > 0 ? ` with ${compatibilityFlags.join(', ')}` : '';
  return [
    `Node ${node}, workerd ${workerd} on its own (no wrangler dev), ${cpu}`,
    `Compatibility date ${compatibilityDate}${flags}`,
    `WebSocket compression: ${configuration.webSocketCompression}`,
  ].join('\n');
}

function row(name: string, middle: string, p95: string, ratio: string): string {
  return `${name.padEnd(32)}${middle.padStart(10)}${p95.padStart(10)}    ${ratio}`;
}

function micros(time: number): string {
  return `${time.toFixed(0)} µs`;
}

function formatRatio(ratio: Estimate | undefined): string {
  if (!ratio) return '1      the floor';
  const { value, low, high } = ratio;
  return `${value.toFixed(3)}  (${low.toFixed(3)} to ${high.toFixed(3)})`;
}
