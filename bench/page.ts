/** Formats results.json as RESULTS.md. Pure. */
import type { Estimate } from '../runtime/src/perf/measure/statistics.ts';
import type { Result } from '../runtime/src/perf/measure/summary.ts';
import {
  byWorkload,
  formatRatio,
  type Table,
  toMarkdown,
  transposed,
} from '../runtime/src/perf/report/tables.ts';
import {
  apartBars,
  type Bar,
  broadcastBars,
  isMet,
  isReached,
  type Measured,
  profileBars,
  scaffoldingBars,
  sizeBars,
} from './bars.ts';
import { CAPNWEB, CAPNWEB_DROPPED, LOOP, STORED } from './broadcast/contenders.ts';
import type { Measurement, Parts, Results } from './parts.ts';

const INTRODUCTION = `# Results

Written by \`npm run bench\`; the same figures, and more, are in [results.json](results.json). Times
are taken in Node, over loopback, against the bare workerd binary. Every contender runs the same
counter, is checked for right answers before it is timed, and does each round beside the others. A
ratio is the median of paired rounds, in brackets its 95 % interval; lower is faster. Contenders are
compared under the same WebSocket compression setting, except where a row says otherwise.`;

export function toMarkdownPage(results: Results): string {
  const sections = [
    INTRODUCTION,
    barsSection(results),
    section('Speed', results.speed, speedSection),
    section('Apart', results.apart, apartSection),
    section('One call in process', results.profile, profileSection),
    section('Size', results.sizes, sizeSection),
    section('Memory', results.memory, memorySection),
    section('Heap', results.heap, heapSection),
    section('Broadcasts', results.broadcasts, broadcastSection),
    section('Scaffolding', results.scaffolding, scaffoldingSection),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

/** Formats a part under its title, with the conditions of its measurement; empty without the part. */
function section<Part>(
  title: string,
  part: { measured: Measurement; result: Part } | undefined,
  write: (result: Part) => string,
): string {
  if (!part) return '';
  const { time, commit, node, cpu, load, isQuick } = part.measured;
  const day = time.slice(0, 16).replace('T', ' ');
  const quick = isQuick ? ' A quick run: the figures mean little.' : '';
  const origin = `Measured ${day} UTC, commit ${commit}, Node ${node}, ${cpu}, load ${load.toFixed(1)} at
its beginning.${quick}`;
  return `## ${title}\n\n${write(part.result)}\n\n${origin}`;
}

function barsSection({ speed, apart, profile, sizes, broadcasts, scaffolding }: Results): string {
  const bars = [
    ...(speed?.result.bars ?? []),
    ...(apart ? apartBars(apart.result) : []),
    ...(profile ? profileBars(profile.result) : []),
    ...(sizes ? sizeBars(sizes.result) : []),
    ...(broadcasts ? broadcastBars(broadcasts.result) : []),
    ...(scaffolding ? scaffoldingBars(scaffolding.result) : []),
  ];
  const rows = bars.map((bar) => [
    bar.what,
    bar.limit === undefined ? 'reported' : formatNumber(bar.limit),
    bar.reach === undefined ? '' : formatNumber(bar.reach),
    judged(bar, bar.off),
    bar.on === undefined ? '' : judged(bar, bar.on, bar.isForOffOnly),
  ]);
  const head = ['what', 'at most', 'reach for', 'compression off', 'compression on'];
  return `## Bars

What this project wants to be. Where compression plays no part, the figure is in the first column. The
floor is the same exchange written by hand; the like one hibernates where this RPC does.

${toMarkdown([head, ...rows])}`;
}

function judged(bar: Bar, measured: Measured, isOnlyReported = false): string {
  if (measured === undefined) return 'not measured';
  const text = typeof measured === 'number' ? formatNumber(measured) : precise(measured);
  if (bar.limit === undefined || isOnlyReported) return text;
  if (!isMet(bar, measured)) return `${text} **missed**`;
  return `${text} ${isReached(bar, measured) ? 'reached' : 'met'}`;
}

/** Three decimals, because two would hide on which side of a bar a figure is. */
function precise({ value, low, high }: Estimate): string {
  return `${value.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
}

function speedSection({ off, on }: Parts['speed']): string {
  const { compatibilityDate, workerd } = off.configuration;
  return [
    '![Time relative to the floor, compression off](chart.svg)',
    `workerd ${workerd}, compatibility date ${compatibilityDate}. Each contender's floor is what is written by
hand in its own way: hibernating, always awake, or a POST for each call (which is plain \`fetch\` of
JSON).`,
    ...[off, on].flatMap((report, index) => [
      `### Compression ${index === 0 ? 'off' : 'on'} (${report.configuration.webSocketCompression})`,
      `Time relative to the floor:\n\n${table(report.results, ({ ratio }) => ratio)}`,
      `Time relative to ${report.rival}:\n\n${table(report.results, ({ rivalRatio }) => rivalRatio)}`,
      `Microseconds for one call, median and 99th percentile:\n\n${times(report.results)}`,
      `On the wire for each call:\n\n${wire(report)}`,
      `What could not be done, and the error it gave:\n\n${leftOut(report)}`,
      `Native Workers RPC from a worker to the object. A worker's clock stands still while it computes, so
one request makes all the calls of a round and is timed from outside, its own time included:\n\n${native(report)}`,
    ]),
  ].join('\n\n');
}

function apartSection({ results, leftOut: lacking }: Parts['apart']): string {
  const cells = (ratioOf: (result: Result) => Estimate | undefined): string =>
    toMarkdown(
      byWorkload(results, (result) => {
        const ratio = ratioOf(result);
        return ratio && formatRatio(ratio);
      }),
    );
  return `Here each contender has a runtime and a client process of its own, and objects on a disk. Each warms up by ten
calls, and then does 24 rounds of each workload in turn with the others. Compression is off.

Time relative to the floor:

${cells(({ ratio }) => ratio)}

Time relative to Cap'n Web:

${cells(({ rivalRatio }) => rivalRatio)}

Microseconds for one call, median:

${toMarkdown(byWorkload(results, ({ median }) => formatNumber(median)))}

What could not be done: ${lacking.map(({ contender, workload, reason }) => `${contender}, ${workload} (${reason})`).join('; ')}.`;
}

/** Formats a row for each contender, because there are fewer workloads than contenders. */
function table(
  results: readonly Result[],
  ratioOf: (result: Result) => Estimate | undefined,
): string {
  return toMarkdown(
    transposed(
      byWorkload(results, (result) => {
        const ratio = ratioOf(result);
        return ratio && formatRatio(ratio);
      }),
    ),
  );
}

function times(results: readonly Result[]): string {
  const cellOf = ({ median, p99 }: Result): string =>
    `${formatNumber(median)}, ${formatNumber(p99)}`;
  return toMarkdown(transposed(byWorkload(results, cellOf)));
}

function wire({ wire: costs }: Parts['speed']['off']): string {
  const head = ['', 'frames up', 'frames down', 'bytes up', 'bytes down'];
  const rows = costs.map(({ contender, operation, up, down }) => [
    `${contender}, ${operation}`,
    ...[up.frames, down.frames].map((frames) => (frames ? formatNumber(frames) : 'HTTP')),
    ...[up.bytes, down.bytes].map((bytes) => bytes.toFixed(0)),
  ]);
  return toMarkdown([head, ...rows]);
}

/** Workloads that a contender missed for the same reason share a row. */
function leftOut(report: Parts['speed']['off']): string {
  const reasons = Map.groupBy(report.leftOut, ({ contender, reason }) => `${contender}: ${reason}`);
  const rows = [...reasons.values()].map((all) => [
    all[0]?.contender ?? '',
    all.map(({ workload }) => workload).join('; '),
    (all[0]?.reason ?? '').replaceAll(/[|\n]/g, ' ').slice(0, 200),
  ]);
  return toMarkdown([['who', 'what', 'error'], ...rows]);
}

function native({ native: results }: Parts['speed']['off']): string {
  const rows = results.flatMap(({ method, calls, native: time, others }) =>
    others.map(({ contender, median, ratio }) => [
      `${method}, ${calls} calls a round`,
      `${formatNumber(time)} µs`,
      `${contender}: ${formatNumber(median)} µs`,
      formatRatio(ratio),
    ]),
  );
  return toMarkdown([['', 'native', 'beside it', 'native relative to it'], ...rows]);
}

function profileSection({ steps, cold }: Parts['profile']): string {
  const rowsOf = (all: Parts['profile']['steps']): Table =>
    all.map(({ name, time }) => [name, formatRatio(time)]);
  return `${toMarkdown([['increment of 5, both ends, no socket', 'µs'], ...rowsOf(steps)])}

With 2 MiB of memory touched before each call, as other work does between two calls on the wire:

${toMarkdown([['the same, cold', 'µs'], ...rowsOf(cold)])}`;
}

function sizeSection({ clients, worker }: Parts['sizes']): string {
  const rows = [...clients, worker].map(({ name, minified, gzipped }) => [
    name,
    String(minified),
    String(gzipped),
  ]);
  const head = ['bundle, in bytes', 'minified', 'and gzipped'];
  return `The clients as a browser gets them, and the template's worker; all by esbuild, in one run. Of each client, only the
function that connects is imported. The README's size of this client has all exports of \`client.ts\`.

${toMarkdown([head, ...rows])}`;
}

function memorySection(memory: Parts['memory']): string {
  if ('failure' in memory) return `Not measured: ${memory.failure}`;
  const counts = memory[0]?.uses.map(({ connections }) => connections) ?? [];
  const head: Table[number] = [
    '',
    'compression',
    ...counts.flatMap((count) => [`${count} idle`, `${count} woken`]),
    'all closed',
  ];
  const rows = memory.map(({ contender, compression, uses, closed }) => [
    contender,
    compression ? 'on' : 'off',
    ...uses.flatMap(({ idle, woken }) => [idle.toFixed(0), woken.toFixed(0)]),
    closed.toFixed(0),
  ]);
  return `Resident size of workerd in KiB for each connection to one object, beyond what it has with one
connection. Idle is longer without a call than the runtime keeps an object awake that may hibernate;
woken is right after each connection has made another call. What closing gives back, the allocator
keeps for the next.

${toMarkdown([head, ...rows])}`;
}

function heapSection(heap: Parts['heap']): string {
  const rows = heap.map(({ kind, by, clients, client, object }) => [
    kind,
    by,
    String(clients),
    ...[client, object?.awake, object?.idle].map((bytes) => bytes?.toFixed(0) ?? ''),
  ]);
  const head = ['', 'by', 'clients', 'client', 'object, awake', 'object, idle'];
  return `Bytes for each client after it has been answered once, as V8 counts them after a collection: the heap and the
buffers of the process of the clients, which is Node, and of the isolate of their object. A client by WebSocket
includes Node's socket, which all have alike. Idle is longer without a call than the runtime keeps an object awake
that may hibernate.

${toMarkdown([head, ...rows])}`;
}

function broadcastSection({ results, wire: costs }: Parts['broadcasts']): string {
  const ratio = (estimate: Estimate | undefined): string => (estimate ? formatRatio(estimate) : '');
  const rows = results.map((one) => [
    `${one.listeners}${one.isRaw ? ', bare sockets' : ''}`,
    one.contender,
    ...[one.first, one.last, one.p95, one.cpu].map((time) => formatNumber(time)),
    ...[LOOP, STORED, CAPNWEB, CAPNWEB_DROPPED].map((other) => ratio(one.ratios[other]?.last)),
    ...[LOOP, CAPNWEB].map((other) => ratio(one.ratios[other]?.cpu)),
    String(one.rounds),
  ]);
  const head = [
    'listeners',
    '',
    'first',
    'last',
    'last, p95',
    'CPU',
    ...[LOOP, STORED, CAPNWEB, CAPNWEB_DROPPED].map((name) => `last, to ${name}`),
    ...[LOOP, CAPNWEB].map((name) => `CPU, to ${name}`),
    'rounds',
  ];
  const wireRows = costs.map(({ contender, frames, bytes, payload }) => [
    contender,
    ...[frames.up, frames.down].map((count) => formatNumber(count)),
    ...[bytes.up, bytes.down, bytes.down - payload].map((count) => count.toFixed(1)),
  ]);
  return `One client says ${costs[0]?.payload ?? 0} characters, and all others hear it: every listener is checked.
Milliseconds from the call to the first and to the last who has it, and CPU time of the runtime with
all its threads. All clients are in one process, so with very many of them that is what takes the
time; bare sockets cut what arrives into frames and look no further, and leave the object's part. This
RPC's feed stores each event and sends it again after a loss; the loop by hand does neither.

${toMarkdown([head, ...rows])}

On the wire for an event, at one listener:

${toMarkdown([['', 'frames up', 'frames down', 'bytes up', 'bytes down', 'over the text'], ...wireRows])}`;
}

function scaffoldingSection({
  times: scaffolders,
  downloads,
  packed,
}: Parts['scaffolding']): string {
  const rows = scaffolders.map(({ name, median, ratio, failure }) => [
    name,
    median === undefined ? '–' : median.toFixed(0),
    failure ?? (ratio ? formatRatio(ratio) : '1'),
  ]);
  const fetched = downloads.map(({ name, bytes }) => [name, String(bytes)]);
  return `Each is run with the same Node from its installed package, in turns, without installing and without
network.

${toMarkdown([['', 'ms', 'relative to create-vite'], ...rows])}

What \`npm create\` downloads (of our own package the template is ${packed.template} bytes):

${toMarkdown([['package', 'bytes'], ...fetched])}`;
}

function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value < 0.1 ? value.toPrecision(2) : value.toFixed(value < 100 ? 2 : 0);
}
