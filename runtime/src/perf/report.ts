/** Formats a report for a terminal. */
import { isWide } from './measure/statistics.ts';
import { formatInWords } from './report/in-words.ts';
import { formatProjections, projectionsOf } from './report/network-model.ts';
import type { Report, Result } from './measure/summary.ts';
import { formatMarked, toText } from './report/tables.ts';

export function formatReport(report: Report): string {
  return [
    formatBusy(report),
    formatInWords(report),
    formatContenders(report),
    formatResults(report),
    formatWire(report),
    formatProjection(report),
    report.leftOut.length > 0 && ['Not measured', ...formatLeftOut(report.leftOut)].join('\n  '),
    formatConfiguration(report).join('\n'),
    formatBusy(report),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function formatContenders({ contenders }: Report): string {
  return toText([['Contenders'], ...contenders.map(({ name, about }) => [`  ${name}`, about])]);
}

/** Lists all workloads, the most important first. */
function formatResults({ results, rival }: Report): string {
  const head = ['calls/s', 'median', 'p95', 'p99', 'floor', 'to its floor', `to ${rival}`];
  const table = [['Time of one call', ...head]];
  for (const [workload, ofWorkload] of Map.groupBy(results, (result) => result.workload)) {
    const [{ calls, rounds }] = ofWorkload as [Result];
    const title = `${workload}${calls > 1 ? ': the time of one' : ''} (${rounds} rounds)`;
    table.push([''], [title], ...ofWorkload.map(rowOf));
  }
  return `${toText(table)}

How to read this
- Each time is the time of one call, also where a round makes 100 calls. p95: 95 % of the times are shorter.
- A floor is the same exchange written by hand. "to its floor" is the time of a row relative to that of
  the floor that it names: 1.00 is the same time, 2.00 is twice as long. Lower is faster.
- Compare "to its floor" only between rows with the same floor: a floor that never hibernates is faster.
- In brackets is the 95 % interval. If two intervals overlap, the difference may be noise. A ? stands
  before an interval that is too wide to compare.
- A ratio is the median of the ratios of rounds that ran side by side, not the ratio of two medians.
- calls/s: one client that runs alone; --load measures many clients. "10 in flight": 10 calls at the same time.
- ${formatOutliers(results)}`;
}

/** Returns a sentence with the number of rounds that are far from the other rounds of their row, and their effect. */
export function formatOutliers(results: readonly Result[]): string {
  const all = results.reduce((sum, { rounds }) => sum + rounds, 0);
  const far = results.reduce((sum, { outliers }) => sum + outliers.length, 0);
  return `${far} of ${all} rounds lie far from the other rounds of their row. They raise p95 and p99, and hardly change the ratios.`;
}

/** Returns a line if intervals of this RPC are too wide to compare; otherwise an empty string. */
export function formatBusy({ results }: Pick<Report, 'results'>): string {
  const wide = results
    .filter(({ role }) => role === undefined)
    .flatMap(({ ratio, rivalRatio }) => [ratio, rivalRatio])
    .filter((ratio) => ratio && isWide(ratio)).length;
  if (wide === 0) return '';
  const intervals = wide === 1 ? '1 interval is' : `${wide} intervals are`;
  return `The machine was busy: ${intervals} too wide to compare. Run it again when it is idle.`;
}

function rowOf(result: Result): string[] {
  return [
    `  ${result.contender}`,
    result.perSecond.toFixed(0),
    ...[result.median, result.p95, result.p99].map((time) => `${time.toFixed(0)} µs`),
    result.floor ?? '–',
    ...[result.ratio, result.rivalRatio].map((ratio) => (ratio ? formatMarked(ratio) : '–')),
  ];
}

function formatWire({ wire }: Report): string {
  const head = ['frames up', 'down', 'bytes up', 'down'];
  const rows = wire.map(({ contender, operation, up, down }) => [
    `  ${contender}, ${operation}`,
    ...[up.frames, down.frames, up.bytes, down.bytes].map((value) => `${Math.round(value)}`),
  ]);
  return toText([['A call on the wire', ...head], ...rows]);
}

/** Returns a line for each contender and reason. */
export function formatLeftOut(leftOut: Report['leftOut']): string[] {
  const reasons = Map.groupBy(leftOut, ({ contender, reason }) => `${contender}: ${reason}`);
  return [...reasons].map(
    ([reason, group]) => `${reason} (${group.map(({ workload }) => workload).join('; ')})`,
  );
}

/**
 * Projects the time of a call by this RPC to other networks. The call is a read of the counter, or else the first
 * method.
 */
function formatProjection({ results, wire }: Report): string {
  const own = results.filter(({ role, method }) => !role && method !== undefined);
  const call = own.find(({ workload }) => workload === '100 reads') ?? own[0];
  const cost = wire.find(
    ({ contender, operation }) => contender === call?.contender && operation === call?.method,
  );
  if (!call || !cost) return '';
  const projections = projectionsOf({ ...cost, processing: call.median / 1000 });
  return `Estimated, not measured: ${call.method} by ${call.contender} on other networks
${formatProjections(projections)}
Computed from the median of "${call.workload}" and the bytes on the wire: a call takes
a round trip, the time of its bytes on the link, and its time on this machine.`;
}

export function formatConfiguration({ configuration }: Pick<Report, 'configuration'>): string[] {
  const { target, node, workerd, cpu, compatibilityDate, compatibilityFlags } = configuration;
  return [
    `Measured on: ${target}`,
    `Node ${node}, workerd ${workerd}, ${cpu}`,
    `Compatibility date ${[compatibilityDate, ...compatibilityFlags].join(', ')}`,
    `WebSocket compression: ${configuration.webSocketCompression}`,
  ];
}
