/** The bars: limits for the measured figures of this project, and whether the figures meet them. Pure. */
import { type Apart, AGED } from './apart/measure.ts';
import { contenders, workloads } from '../harness/counter-perf.ts';
import type { Series } from '../runtime/src/perf/measure.ts';
import type { Profile } from '../runtime/src/perf/measure/profile.ts';
import { type Estimate, pairedRatio } from '../runtime/src/perf/measure/statistics.ts';
import {
  CAPNWEB as CALLBACKS,
  CAPNWEB_DROPPED as CALLBACKS_DROPPED,
  FEED,
  LOOP,
} from './broadcast/contenders.ts';
import { type Broadcasts, type BroadcastWire, feedTo } from './broadcast/measure.ts';
import type { Scaffolding } from './scaffolding/measure.ts';
import type { Sizes } from './sizes.ts';
import type { Speed } from './speed.ts';

/** A measured figure, with its interval if it is an estimate. */
export type Measured = Estimate | number | undefined;

export interface Bar {
  what: string;
  /** The largest allowed value. Without a limit, the figure is only reported. */
  limit?: number;
  /** The value to aim for. */
  reach?: number;
  /** The figure without WebSocket compression, or if compression does not matter. */
  off: Measured;
  /** The figure with compression. */
  on?: Measured;
  /** Whether the figure with compression is only reported. */
  isForOffOnly?: boolean | undefined;
}

export function isMet({ limit = Infinity }: Bar, measured: Measured): boolean {
  return valueOf(measured) <= limit;
}

export function isReached({ reach = -Infinity }: Bar, measured: Measured): boolean {
  return valueOf(measured) <= reach;
}

/** A figure that was not measured meets no limit. */
function valueOf(measured: Measured): number {
  if (measured === undefined) return Infinity;
  return typeof measured === 'number' ? measured : measured.value;
}

const INCREMENTS = '100 increments';
const READS = '100 reads';
const MIXED = '50 mixed pairs';
const THIS_RPC = 'this RPC';
const AWAKE = 'this RPC, always awake';
const BYTES = 'this RPC, bytes';
const FLOOR = 'by hand, hibernating';
const AWAKE_FLOOR = 'by hand, always awake';
const CAPNWEB = "Cap'n Web";
const CALLERS = '100 callers, 3 increments each';
const TYPED = 'typed value of 2.5 kB (floor: as JSON), there and back';
const RICH = 'rich value of 2 kB (floor: as JSON), there and back';

/** A ratio of two contenders, and its bar. The last item is whether the bar is for compression off only. */
type RatioBar = readonly [
  what: string,
  workload: string,
  contender: string,
  other: string,
  limit: number,
  reach: number,
  isForOffOnly?: true,
];

const RATIOS: readonly RatioBar[] = [
  ['increments, to the like floor', INCREMENTS, THIS_RPC, FLOOR, 1.06, 1.03],
  ['increments without hibernation, to the like floor', INCREMENTS, AWAKE, AWAKE_FLOOR, 1.06, 1.03],
  ['mixed pairs, to the like floor', MIXED, THIS_RPC, FLOOR, 1.06, 1.03],
  ['mixed pairs without hibernation, to the like floor', MIXED, AWAKE, AWAKE_FLOOR, 1.06, 1.03],
  ['reads, to the like floor', READS, THIS_RPC, FLOOR, 1.06, 1.03],
  ['reads without hibernation, to the like floor', READS, AWAKE, AWAKE_FLOOR, 1.06, 1.03],
  ["increments, to Cap'n Web", INCREMENTS, THIS_RPC, CAPNWEB, 0.84, 0.8, true],
  ["reads, to Cap'n Web", READS, THIS_RPC, CAPNWEB, 0.81, 0.77, true],
  ["mixed pairs, to Cap'n Web", MIXED, THIS_RPC, CAPNWEB, 0.83, 0.8, true],
  ["increments without hibernation, to Cap'n Web", INCREMENTS, AWAKE, CAPNWEB, 0.83, 0.8, true],
  ["reads without hibernation, to Cap'n Web", READS, AWAKE, CAPNWEB, 0.7, 0.65, true],
  ["mixed pairs without hibernation, to Cap'n Web", MIXED, AWAKE, CAPNWEB, 0.78, 0.75, true],
  [
    "1 000 increments in flight, to Cap'n Web",
    '1000 increments in flight',
    THIS_RPC,
    CAPNWEB,
    1 / 20,
    1 / 50,
  ],
  ["1 000 reads in flight, to Cap'n Web", '1000 reads in flight', THIS_RPC, CAPNWEB, 1 / 6, 1 / 10],
  [
    '100 callers that share no tick, to the like floor',
    '100 callers, none in the same tick',
    THIS_RPC,
    FLOOR,
    1.05,
    0.8,
  ],
  ['exactly-once on, to off, increments', INCREMENTS, THIS_RPC, 'this RPC, no journal', 1.1, 1.03],
  [
    '10 KiB object there and back, to the like floor',
    '10 KiB object, there and back',
    THIS_RPC,
    FLOOR,
    1.1,
    1.03,
  ],
  [
    'rich value there and back, to its data as JSON',
    'Map, Date and cycle (floor: as JSON), there and back',
    THIS_RPC,
    FLOOR,
    1.8,
    1.5,
  ],
  [
    '1 MiB of bytes there and back, to a binary frame',
    '1 MiB of bytes, there and back',
    BYTES,
    FLOOR,
    1.25,
    1.1,
  ],
  [
    'first answer on a new connection, to the like floor',
    'first answer on a fresh connection',
    THIS_RPC,
    FLOOR,
    1.08,
    1.05,
  ],
];

/** @param asShipped - reads by this RPC and by Cap'n Web, each with the settings that it ships with */
export function speedBars(on: Speed, off: Speed, asShipped: readonly Series[]): Bar[] {
  const bars = RATIOS.map(([what, workload, contender, other, limit, reach, isForOffOnly]): Bar => {
    const of = ({ series }: Speed): Measured => ratioOf(series, workload, contender, other);
    return { what, limit, reach, off: of(off), on: of(on), isForOffOnly };
  });
  const shipped = ratioOf(asShipped, READS, THIS_RPC, CAPNWEB);
  return [
    ...bars,
    {
      what: "reads as the template ships, to Cap'n Web with compression on",
      limit: 0.62,
      reach: 0.6,
      off: shipped,
    },
    wireBar('payload bytes per increment, up and down', 42, 30, 'bytes', on, off),
    wireBar('frames per awaited call, up and down', 2, 2, 'frames', on, off),
  ];
}

/** The same bars as for contenders that share a process, and some that compare with Cap'n Web. */
const APART: readonly RatioBar[] = [
  ...[INCREMENTS, READS, MIXED].flatMap((name): RatioBar[] => [
    [`${name}, to the like floor`, name, THIS_RPC, FLOOR, 1.06, 1.03],
    [`${name}${AGED}, to the same`, name + AGED, THIS_RPC, FLOOR, 1.06, 1.03],
  ]),
  [`${CALLERS}, to the like floor`, CALLERS, THIS_RPC, FLOOR, 1.05, 0.8],
  [`${CALLERS}, to Cap'n Web`, CALLERS, THIS_RPC, CAPNWEB, 1.05, 0.8],
  ["a typed value of 2.5 kB, to Cap'n Web", TYPED, THIS_RPC, CAPNWEB, 0.9, 0.8],
  ['a rich value of 2 kB, to its data as JSON', RICH, THIS_RPC, FLOOR, 1.8, 1.5],
];

export function apartBars({ results }: Apart): Bar[] {
  return APART.map(([what, workload, contender, other, limit, reach]) => {
    const own = results.find(
      (result) => result.workload === workload && result.contender === contender,
    );
    const off = other === CAPNWEB ? own?.rivalRatio : own?.ratio;
    return { what: `apart: ${what}`, limit, reach, off };
  });
}

export function profileBars({ ratios }: Profile): Bar[] {
  return [
    {
      what: 'one call in process, its steps, to JSON both ways',
      limit: 2,
      reach: 1.4,
      off: ratios.steps,
    },
    { what: 'the same with proxy, frame, dispatch and promise', off: ratios.call },
  ];
}

export function sizeBars({ clients, worker }: Sizes): Bar[] {
  const client = clients.find(({ name }) => name === THIS_RPC)?.gzipped;
  return [
    { what: 'client bundle, minified and gzipped, bytes', limit: 8_000, reach: 6_500, off: client },
    { what: "the template's worker, minified and gzipped, bytes", off: worker.gzipped },
  ];
}

export function broadcastBars(broadcasts: Broadcasts): Bar[] {
  const toMany = feedTo(broadcasts, 100, false)?.ratios;
  const raw = feedTo(broadcasts, 1_000, true)?.ratios;
  const feed = wireOf(broadcasts, FEED);
  const bytesTo = (contender: string): Measured => {
    const other = wireOf(broadcasts, contender);
    return feed && other && totalOf(feed.bytes) / totalOf(other.bytes);
  };
  return [
    {
      what: "an event to 100 clients, time until the last has it, to Cap'n Web's callbacks",
      limit: 1 / 2,
      off: toMany?.[CALLBACKS]?.last,
    },
    { what: 'the loop by hand, to the same', off: loopToCallbacks(broadcasts) },
    {
      what: "the same, the runtime's CPU time, to Cap'n Web's callbacks",
      limit: 1 / 2,
      off: toMany?.[CALLBACKS]?.cpu,
    },
    { what: 'the same, to its callbacks without answers', off: toMany?.[CALLBACKS_DROPPED]?.cpu },
    {
      what: "bytes of an event to a client, up and down, to Cap'n Web's callbacks",
      limit: 1 / 3,
      off: bytesTo(CALLBACKS),
    },
    { what: 'the same, to its callbacks without answers', off: bytesTo(CALLBACKS_DROPPED) },
    {
      what: 'bytes of an event over its text',
      limit: 16,
      off: feed && feed.bytes.down - feed.payload,
    },
    { what: 'frames of an event to a client', limit: 1, off: feed?.frames.down },
    {
      what: "an event to 1 000, the runtime's CPU time, to the loop by hand",
      limit: 1.15,
      off: raw?.[LOOP]?.cpu,
    },
    { what: 'the same, time until the last has it', limit: 1.15, off: raw?.[LOOP]?.last },
  ];
}

/** The same ratio for the loop by hand. The feed's can hardly be lower: all clients share one process. */
function loopToCallbacks({ results }: Broadcasts): Measured {
  const loop = results.find(({ contender, listeners }) => contender === LOOP && listeners === 100);
  return loop?.ratios[CALLBACKS]?.last;
}

function wireOf({ wire }: Broadcasts, name: string): BroadcastWire | undefined {
  return wire.find(({ contender }) => contender === name);
}

function totalOf({ up, down }: BroadcastWire['bytes']): number {
  return up + down;
}

export function scaffoldingBars(scaffolding: Scaffolding): Bar[] {
  const { times, packed, downloads, installed, isReproducible } = scaffolding;
  return [
    {
      what: 'process time to scaffold without installing, to create-vite',
      limit: 1.5,
      off: times[0]?.ratio,
    },
    { what: 'packed size, bytes', off: packed.package },
    { what: 'of which the template', off: packed.template },
    { what: 'packages that `npm create` downloads', limit: 5, off: downloads.length },
    { what: 'their bytes', off: downloads.reduce((sum, { bytes }) => sum + bytes, 0) },
    {
      what: 'installed size of a project, MB',
      limit: 320,
      off: installed && installed.bytes / 1e6,
    },
    { what: 'copies of workerd in it', limit: 1, off: installed?.copiesOfWorkerd },
    { what: 'different results for equal input', limit: 0, off: isReproducible ? 0 : 1 },
  ];
}

/**
 * `undefined` if one of the two contenders could not run the workload, or if a quick run omits it.
 *
 * @throws Error if the performance test has no workload or contender of this name
 */
function ratioOf(
  series: readonly Series[],
  workload: string,
  contender: string,
  other: string,
): Measured {
  const known = new Set([...workloads, ...contenders].map(({ name }) => name));
  const unknown = [workload, contender, other].find((name) => !known.has(name));
  if (unknown) throw new Error(`bars.ts names ${unknown}, which is not measured`);
  const [ours, theirs] = [contender, other].map((name) =>
    series.find((one) => one.workload.name === workload && one.contender.name === name),
  );
  if (!ours?.perCall.length || !theirs?.perCall.length) return undefined;
  return pairedRatio(ours.perCall, theirs.perCall);
}

function wireBar(
  what: string,
  limit: number,
  reach: number,
  unit: 'bytes' | 'frames',
  on: Speed,
  off: Speed,
): Bar {
  const of = ({ report }: Speed): Measured => {
    const cost = report.wire.find(
      (one) => one.contender === THIS_RPC && one.operation === 'increment',
    );
    return cost && cost.up[unit] + cost.down[unit];
  };
  return { what, limit, reach, off: of(off), on: of(on) };
}
