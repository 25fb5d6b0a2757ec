/** What is shown on a terminal: what matters first, then everything. Imports network-model, tables and workloads. */
import { formatProjections, project } from './report/network-model.ts';
import type { Report, Result } from './measure/summary.ts';
import { byWorkload, formatRatio, toText, transposed } from './report/tables.ts';
import { classicWorkloads } from './workloads.ts';

export function formatReport(report: Report): string {
  const { results, rival, leftOut } = report;
  const details = [...Map.groupBy(results, ({ workload }) => workload).values()];
  return [
    formatMain(report),
    ...details.map((ofWorkload) => formatWorkload(ofWorkload, rival)),
    formatWire(report),
    formatProjection(report),
    formatLeftOut(leftOut).join('\n'),
    formatConfiguration(report).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** What a person reads in ten seconds; nothing if the classic workloads were not measured. */
function formatMain({ results, rival }: Report): string {
  const classic = results.filter(({ workload }) =>
    classicWorkloads.some(({ name }) => name === workload),
  );
  if (classic.length === 0) return '';
  const relative = (title: string, ratio: 'ratio' | 'rivalRatio'): string => {
    const table = byWorkload(classic, ({ [ratio]: value }) => value && formatRatio(value));
    const [head = [], ...rows] = transposed(table);
    return toText([[title, ...head.slice(1)], ...rows]);
  };
  return `${relative('Time, where 1 is the floor', 'ratio')}

${relative(`Time, where 1 is ${rival}`, 'rivalRatio')}

Less is faster; in brackets the 95 % interval. The floor is the same exchange written by hand, in
the same way: with sockets that hibernate, with an object always awake, or with a POST a call.`;
}

function formatWorkload(results: readonly Result[], rival: string): string {
  const head = ['median', 'p95', 'p99', 'to its floor', `to ${rival}`, 'rounds', 'outliers'];
  const rows = results.map((result) => [
    `  ${result.contender}`,
    ...[result.median, result.p95, result.p99].map((time) => `${time.toFixed(0)} µs`),
    ...[result.ratio, result.rivalRatio].map((ratio) => (ratio ? formatRatio(ratio) : '–')),
    `${result.rounds}`,
    `${result.outliers.length}`,
  ]);
  return toText([[results[0]?.workload ?? '', ...head], ...rows]);
}

function formatWire({ wire }: Report): string {
  const head = ['frames up', 'down', 'bytes up', 'down'];
  const rows = wire.map(({ contender, operation, up, down }) => [
    `  ${contender}, ${operation}`,
    ...[up.frames, down.frames, up.bytes, down.bytes].map((value) => `${Math.round(value)}`),
  ]);
  return toText([['A call on the wire', ...head], ...rows]);
}

/** A line for each reason. */
export function formatLeftOut(leftOut: Report['leftOut']): string[] {
  const reasons = Map.groupBy(leftOut, ({ contender, reason }) => `${contender}: ${reason}`);
  return [...reasons].map(
    ([reason, those]) => `${reason} (${those.map(({ workload }) => workload).join('; ')})`,
  );
}

/** Of a read by this RPC. */
function formatProjection({ results, wire }: Report): string {
  const read = results.find(({ role, workload }) => !role && workload === '100 reads');
  const cost = wire.find(
    ({ contender, operation }) => contender === read?.contender && operation === 'getValue',
  );
  if (!read || !cost) return '';
  const { up, down } = cost;
  const call = { transport: 'websocket', up, down, processing: read.median / 1000 } as const;
  return `A read by ${read.contender} elsewhere, as perf/report/network-model.ts computes it
${formatProjections(project(call))}`;
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
