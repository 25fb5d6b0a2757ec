/**
 * The names of the results that the limits, the comparison and the README show. The module is pure, and does not import
 * the code that measures.
 */
export const THIS_RPC = 'this RPC';
export const WITH_BYTES = 'this RPC, bytes';
/** The floor of this RPC: code by hand with the same calls, in an object that may also hibernate. */
export const FLOOR = 'by hand, hibernating';
export const CAPNWEB = "Cap'n Web";
export const VALIDATED = "Cap'n Web, validated";

/** Workloads of harness/counter-perf.ts. */
export const INCREMENTS = '100 increments';
export const READS = '100 reads';
export const MIXED = '50 mixed pairs';
export const FIRST_ANSWER = 'first answer on a fresh connection';
export const INCREMENTS_IN_FLIGHT = '1000 increments in flight';
export const READS_IN_FLIGHT = '1000 reads in flight';
export const OBJECT = '10 KiB object, there and back';
export const BYTES = '1 MiB of bytes, there and back';

export const INCREMENT_BYTES = 'increment, up and down';
export const INCREMENT_FRAMES = 'frames of increment, up and down';

/** Workloads of contenders that are measured apart. */
export const CALLERS = '100 callers, 3 increments each';
export const TYPED_VALUE = 'typed value of 2.5 kB (floor: as JSON), there and back';
export const RICH_VALUE = 'rich value of 2 kB (floor: as JSON), there and back';

export const SOCKETS = 100;
/** Returns the name of a figure for one call of clients that share nothing. */
export function ofSockets(name: 'increments' | 'reads', figure: 'cpu' | 'wall'): string {
  const what = `${SOCKETS} sockets, each awaiting its ${name}`;
  return figure === 'cpu' ? `${what}: CPU time of the runtime` : what;
}

export const CLIENT_READ = "an awaited read: CPU time of the client's process";

/** The number of methods of the larger contract whose start is measured. */
export const MANY = 50;
export const COLD = 'first answer after a start';
export const COLD_COUNTER = 'this RPC, the counter';
export const COLD_MANY = `this RPC, ${MANY} methods`;
export const COLD_COUNTER_VALIBOT = `${COLD_COUNTER} with Valibot`;
export const COLD_MANY_VALIBOT = `${COLD_MANY} with Valibot`;

export const FEED = 'this RPC, feed';
export const LOOP = 'by hand, a loop';
export const CALLBACKS = "Cap'n Web, callbacks";
export const EVENT_BYTES = 'an event to a client, up and down';

const EVENT_FIGURES = {
  first: 'until the first has it',
  last: 'until the last has it',
  cpu: 'CPU time of the runtime',
};

/**
 * Returns the name of a figure for an event to this number of clients. Clients with bare sockets do almost nothing, so the
 * object takes most of the time.
 */
export function ofEvent(
  listeners: number,
  figure: keyof typeof EVENT_FIGURES,
  isRaw = false,
): string {
  return `an event to ${listeners}${isRaw ? ' bare sockets' : ''}, ${EVENT_FIGURES[figure]}`;
}

export const CLIENT_BUNDLE = 'client of this RPC';
export const WORKER_BUNDLE = "the template's worker";
export const SIZE = 'minified and gzipped';
