/** The limits that this project sets for its figures, and the check of the figures. The module is pure. */
import {
  BYTES,
  CALLBACKS,
  CALLERS,
  CAPNWEB,
  CLIENT_BUNDLE,
  CLIENT_READ,
  COLD,
  COLD_COUNTER,
  COLD_COUNTER_VALIBOT,
  COLD_MANY,
  COLD_MANY_VALIBOT,
  FEED,
  FLOOR,
  INCREMENTS,
  INCREMENTS_IN_FLIGHT,
  LOOP,
  MIXED,
  ofEvent,
  ofSockets,
  READS,
  READS_IN_FLIGHT,
  RICH_VALUE,
  SIZE,
  THIS_RPC,
  TYPED_VALUE,
  WITH_BYTES,
  WORKER_BUNDLE,
} from './names.ts';
import { type Ratio, type Results, rowIn } from './rows.ts';

export interface Bar {
  /** The name in the table. */
  name: string;
  /** The figure, by the part of the bench, the workload and the contender. */
  part: string;
  what: string;
  who: string;
  /**
   * The contender whose figure divides this figure. Without a contender, the figure itself is compared with the limit.
   */
  to?: string;
  /** The maximum. A figure without a limit is only reported. */
  limit?: number;
  /** The value to aim for. */
  reach?: number;
}

const calls = (name: string, what: string, to: string, limits?: [number, number]): Bar =>
  bar(name, 'calls', what, THIS_RPC, to, limits);

const apart = (name: string, what: string, to: string, limits?: [number, number?]): Bar =>
  bar(name, 'apart', what, THIS_RPC, to, limits);

const sockets = (of: 'increments' | 'reads', to: string, limits?: [number, number]): Bar =>
  bar(
    `CPU time of the runtime for a call that ${of === 'increments' ? 'adds' : 'reads'}, from 100 connections`,
    'sockets',
    ofSockets(of, 'cpu'),
    THIS_RPC,
    to,
    limits,
  );

function bar(
  name: string,
  part: string,
  what: string,
  who: string,
  to?: string,
  [limit, reach]: [number?, number?] = [],
): Bar {
  return {
    name,
    part,
    what,
    who,
    ...(to !== undefined && { to }),
    ...(limit !== undefined && { limit }),
    ...(reach !== undefined && { reach }),
  };
}

/** Limits for figures, in the order of the comparison. */
export const BARS: readonly Bar[] = [
  calls('A call that adds, awaited', INCREMENTS, FLOOR, [1.15, 1.08]),
  calls('A call that adds, awaited', INCREMENTS, CAPNWEB, [0.95, 0.85]),
  calls('A call that reads, awaited', READS, FLOOR, [1.15, 1.08]),
  calls('A call that reads, awaited', READS, CAPNWEB, [0.85, 0.75]),
  calls('Both calls in turns, awaited', MIXED, FLOOR, [1.15, 1.08]),
  calls('Both calls in turns, awaited', MIXED, CAPNWEB, [0.9, 0.8]),
  bar(
    "CPU time of the client's process for an awaited read",
    'client',
    CLIENT_READ,
    THIS_RPC,
    FLOOR,
    [1.35, 1.2],
  ),
  sockets('increments', FLOOR, [1.1, 1.05]),
  sockets('increments', CAPNWEB, [0.9, 0.8]),
  sockets('reads', FLOOR, [1.08, 1.05]),
  sockets('reads', CAPNWEB, [0.82, 0.75]),
  apart('100 functions that share a client and await 3 calls each', CALLERS, CAPNWEB, [0.15]),
  apart('Dates, bigints and bytes of 2.5 kB', TYPED_VALUE, CAPNWEB, [1.1, 0.9]),
  apart('A Map, a Set and shared rows of 2 kB (by hand, as JSON)', RICH_VALUE, FLOOR, [2, 1.5]),
  bar('1 MiB of bytes, with the option `bytes`', 'calls', BYTES, WITH_BYTES, FLOOR, [1.25, 1.1]),
  calls('1 MiB of bytes, without the option', BYTES, CAPNWEB, [0.95, 0.7]),
  bar(
    'The first answer after a start of a Worker, with 2 methods',
    'cold',
    COLD,
    COLD_COUNTER,
    CAPNWEB,
    [1.1, 1],
  ),
  bar(
    'The first answer after a start of a Worker, with 50 methods',
    'cold',
    COLD,
    COLD_MANY,
    CAPNWEB,
    [1.2, 1.1],
  ),
  bar(
    'The first answer after a start of a Worker, with 2 methods and Valibot',
    'cold',
    COLD,
    COLD_COUNTER_VALIBOT,
    CAPNWEB,
    [1.05, 1],
  ),
  bar(
    'The first answer after a start of a Worker, with 50 methods and Valibot',
    'cold',
    COLD,
    COLD_MANY_VALIBOT,
    CAPNWEB,
    [1.2, 1.1],
  ),
  bar(
    'An event to 1 000 subscribers, until all have it',
    'broadcasts',
    ofEvent(1000, 'last', true),
    FEED,
    LOOP,
    [1.1],
  ),
  bar(
    'CPU time of the runtime for an event to 1 000 subscribers',
    'broadcasts',
    ofEvent(1000, 'cpu', true),
    FEED,
    LOOP,
    [1.1],
  ),
];

/** Figures without a limit. */
export const REPORTED: readonly Bar[] = [
  calls('1 000 calls that add, made at once', INCREMENTS_IN_FLIGHT, CAPNWEB),
  calls('1 000 calls that read, made at once', READS_IN_FLIGHT, CAPNWEB),
  bar(
    'An event to 100 subscribers, until all have it',
    'broadcasts',
    ofEvent(100, 'last'),
    FEED,
    CALLBACKS,
  ),
  bar('Bytes of the browser client, minified and gzipped', 'sizes', SIZE, CLIENT_BUNDLE),
  bar("Bytes of the template's Worker, minified and gzipped", 'sizes', SIZE, WORKER_BUNDLE),
];

/** A figure: a ratio with its interval, or a number. It is `undefined` if it has not been measured. */
export type Measured = Ratio | number | undefined;

export function measuredOf({ part, what, who, to }: Bar, results: Results): Measured {
  const row = rowIn(results, part, what, who);
  return to === undefined ? row?.value : row?.to?.[to];
}

export type Verdict = 'reached' | 'met' | 'missed';

/**
 * Compares a figure with its limit. The median decides, not its interval.
 *
 * @returns `undefined` for a figure that was not measured or has no limit
 */
export function verdictOf({ limit, reach }: Bar, measured: Measured): Verdict | undefined {
  if (measured === undefined || limit === undefined) return undefined;
  const value = typeof measured === 'number' ? measured : measured[0];
  if (value > limit) return 'missed';
  return reach !== undefined && value <= reach ? 'reached' : 'met';
}
