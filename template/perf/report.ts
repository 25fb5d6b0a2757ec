/** Formats a report for a terminal. */
import { formatProjections, project } from './report/network-model.ts';
import type { Report, Result } from './measure/summary.ts';
import { formatRatio, toText } from './report/tables.ts';

export function formatReport(report: Report): string {
  return [
    formatContenders(report),
    formatResults(report),
    formatWire(report),
    formatProjection(report),
    formatLeftOut(report.leftOut).join('\n'),
    formatConfiguration(report).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function formatContenders({ contenders }: Report): string {
  return toText([['Contenders'], ...contenders.map(({ name, about }) => [`  ${name}`, about])]);
}

/** Lists all workloads, the most important first. */
function formatResults({ results, rival }: Report): string {
  const head = ['median', 'p95', 'p99', 'to its floor', `to ${rival}`, 'rounds', 'outliers'];
  const table = [['Time of one call', ...head]];
  for (const [workload, ofWorkload] of Map.groupBy(results, (result) => result.workload)) {
    table.push([''], [workload], ...ofWorkload.map(rowOf));
  }
  return `${toText(table)}

Each time is of one call, also where a workload makes 100 of them. A ratio is of times, so less is
faster; in brackets is its 95 % interval. A floor is the same exchange written by hand.`;
}

function rowOf(result: Result): string[] {
  return [
    `  ${result.contender}`,
    ...[result.median, result.p95, result.p99].map((time) => `${time.toFixed(0)} µs`),
    ...[result.ratio, result.rivalRatio].map((ratio) => (ratio ? formatRatio(ratio) : '–')),
    `${result.rounds}`,
    `${result.outliers.length}`,
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

/** Projects the time of a read by this RPC to other networks. */
function formatProjection({ results, wire }: Report): string {
  const read = results.find(({ role, workload }) => !role && workload === '100 reads');
  const cost = wire.find(
    ({ contender, operation }) => contender === read?.contender && operation === 'getValue',
  );
  if (!read || !cost) return '';
  const projections = project({ ...cost, processing: read.median / 1000 });
  return `A read by ${read.contender} elsewhere, as perf/report/network-model.ts computes it
${formatProjections(projections)}`;
}

export function formatConfiguration({ configuration }: Pick<Report, 'configuration'>): string[] {
  const { target, node, workerd, cpu, compatibilityDate, compatibilityFlags } = configuration;
  return [
    `Target: ${target}`,
    `Node ${node}, workerd ${workerd}, ${cpu}`,
    `Compatibility date ${[compatibilityDate, ...compatibilityFlags].join(', ')}`,
    `WebSocket compression: ${configuration.webSocketCompression}`,
  ];
}
