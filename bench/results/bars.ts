/** The bars: limits for figures of this project, and whether the figures meet them. Pure. */
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
  /** For the table. */
  name: string;
  /** The figure: the part, what was done, and who did it. */
  part: string;
  what: string;
  who: string;
  /** The contender that the figure is divided by. Without one, it is the figure itself. */
  to?: string;
  /** The largest allowed value. Without a limit, the figure is only reported. */
  limit?: number;
  /** The value to aim for. */
  reach?: number;
}

const calls = (name: string, what: string, to: string, limits?: [number, number]): Bar =>
  bar(name, 'calls', what, THIS_RPC, to, limits);

const apart = (name: string, what: string, to: string, limits?: [number, number?]): Bar =>
  bar(name, 'apart', what, THIS_RPC, to, limits);

const sockets = (of: 'increments' | 'reads', to: string, limits?: [number, number]): Bar =>
  bar(`100 sockets, ${of}, runtime's CPU`, 'sockets', ofSockets(of, 'cpu'), THIS_RPC, to, limits);

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

/** What is decided, in the order of the README's table. */
export const BARS: readonly Bar[] = [
  calls('an awaited increment', INCREMENTS, FLOOR, [1.15, 1.08]),
  calls('an awaited increment', INCREMENTS, CAPNWEB, [0.95, 0.85]),
  calls('an awaited read', READS, FLOOR, [1.15, 1.08]),
  calls('an awaited read', READS, CAPNWEB, [0.85, 0.75]),
  calls('both in turns', MIXED, FLOOR, [1.15, 1.08]),
  calls('both in turns', MIXED, CAPNWEB, [0.9, 0.8]),
  bar("an awaited read, client's CPU", 'client', CLIENT_READ, THIS_RPC, FLOOR, [1.35, 1.2]),
  sockets('increments', FLOOR, [1.1, 1.05]),
  sockets('increments', CAPNWEB, [0.9, 0.8]),
  sockets('reads', FLOOR, [1.08, 1.05]),
  sockets('reads', CAPNWEB, [0.82, 0.75]),
  apart('100 callers of one client', CALLERS, CAPNWEB, [0.15]),
  apart('typed value', TYPED_VALUE, CAPNWEB, [1.1, 0.9]),
  apart('rich value, floor as JSON', RICH_VALUE, FLOOR, [2, 1.5]),
  bar('1 MiB of bytes, with `bytes`', 'calls', BYTES, WITH_BYTES, FLOOR, [1.25, 1.1]),
  calls('1 MiB of bytes, without', BYTES, CAPNWEB, [0.95, 0.7]),
  bar('cold start, counter', 'cold', COLD, COLD_COUNTER, CAPNWEB, [1.1, 1]),
  bar('cold start, 50 methods', 'cold', COLD, COLD_MANY, CAPNWEB, [1.2, 1.1]),
  bar('the counter with Valibot', 'cold', COLD, COLD_COUNTER_VALIBOT, CAPNWEB, [1.05, 1]),
  bar('50 methods with Valibot', 'cold', COLD, COLD_MANY_VALIBOT, CAPNWEB, [1.2, 1.1]),
  bar('an event to 1000', 'broadcasts', ofEvent(1000, 'last', true), FEED, LOOP, [1.1]),
  bar("the same, runtime's CPU", 'broadcasts', ofEvent(1000, 'cpu', true), FEED, LOOP, [1.1]),
];

/** What is only reported. */
export const REPORTED: readonly Bar[] = [
  calls('1000 increments in one tick', INCREMENTS_IN_FLIGHT, CAPNWEB),
  calls('1000 reads in one tick', READS_IN_FLIGHT, CAPNWEB),
  bar('an event to 100', 'broadcasts', ofEvent(100, 'last'), FEED, CALLBACKS),
  bar('bytes of the client', 'sizes', SIZE, CLIENT_BUNDLE),
  bar("bytes of the template's worker", 'sizes', SIZE, WORKER_BUNDLE),
];

/** A figure, as an interval if it is a ratio; `undefined` if it has not been measured. */
export type Measured = Ratio | number | undefined;

export function measuredOf({ part, what, who, to }: Bar, results: Results): Measured {
  const row = rowIn(results, part, what, who);
  return to === undefined ? row?.value : row?.to?.[to];
}

export type Verdict = 'reached' | 'met' | 'missed';

/** `undefined` for what was not measured, or has no limit. The median decides, not its interval. */
export function verdictOf({ limit, reach }: Bar, measured: Measured): Verdict | undefined {
  if (measured === undefined || limit === undefined) return undefined;
  const value = typeof measured === 'number' ? measured : measured[0];
  if (value > limit) return 'missed';
  return reach !== undefined && value <= reach ? 'reached' : 'met';
}
