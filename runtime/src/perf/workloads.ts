/**
 * Makes workloads. A workload makes calls of the project's methods, or exchanges that need no method of the project.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PreparedCall } from './called-object.ts';
import { samples } from './samples.ts';

/** One connection to one object. Every method rejects when the connection is lost. */
export interface PerfConnection {
  /** Calls a method of the project. */
  call(method: string, args: readonly unknown[]): Promise<unknown>;
  /** Sends a value to the object, which returns it. */
  echo?(value: unknown): Promise<unknown>;
  /** Does the same as `echo`, by a method whose results the contract declares as plain. */
  echoPlain?(value: unknown): Promise<unknown>;
  /** Books a place in a table, frees it again, and returns it. */
  book?(): Promise<unknown>;
  /** Has an object send an event to this many listeners. Resolves with the number that received it. */
  tell?(listeners: number): Promise<number>;
  close(): void;
  /** True if `echo` takes only JSON and bytes. The data of a rich value is then sent as JSON. */
  readonly isJsonOnly?: boolean | undefined;
}

/** Makes one call, and records the time until its answer. */
export type Stopwatch = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

export interface WorkloadOptions {
  /** True if `--quick` leaves it out. Default false. */
  readonly isLong?: boolean | undefined;
  /** The share of the workload in the time, relative to other workloads. Default 1. */
  readonly weight?: number | undefined;
}

export interface Workload extends WorkloadOptions {
  readonly name: string;
  /** Number of calls in one round. The time of the round is divided by it. */
  readonly calls: number;
  /** The methods of the project, one for each call. Empty for exchanges that need no method of the project. */
  readonly methods: readonly string[];
  /** True if each round opens a connection, which is then part of its time. */
  readonly isFresh?: boolean | undefined;
  /** True if calls are in flight at the same time, so that requests can overtake each other. */
  readonly isConcurrent?: boolean | undefined;
  /**
   * Makes the calls.
   *
   * @param prepared - the calls of `methods`, with their arguments
   * @returns the answers, in the order of the calls
   */
  run(
    connection: PerfConnection,
    time: Stopwatch,
    prepared: readonly PreparedCall[],
  ): Promise<unknown[]>;
  /** Returns the right answers of exchanges, in order. */
  expect?(connection: PerfConnection): unknown[];
}

/** The error of a contender that cannot run a workload. The contender is left out of the workload. */
export class Unable extends Error {}

/**
 * Measures the exchange alone, by calls of no method. If other calls take longer, the difference is the time of the
 * project's methods.
 */
export const emptyCalls: Workload = echo('100 calls of no method', 100, 0);

/**
 * Makes each call when the one before it has been answered.
 *
 * @param times - how often to call the methods, one after another
 * @param methods - their names
 * @example
 * inSequence('50 mixed pairs', 50, ['increment', 'getValue']);
 */
export function inSequence(
  name: string,
  times: number,
  methods: readonly string[],
  options?: WorkloadOptions,
): Workload {
  return {
    ...ofMethods(name, Array.from({ length: times }, () => methods).flat(), options),
    run: (connection, time, prepared) =>
      Array.fromAsync(prepared, ({ method, args }) => time(() => connection.call(method, args))),
  };
}

/**
 * Makes calls as `inSequence` does, on a new connection. The measured time includes the time to connect.
 *
 * @example
 * fresh('first answer on a fresh connection', 1, ['getValue']);
 */
export function fresh(
  name: string,
  times: number,
  methods: readonly string[],
  options?: WorkloadOptions,
): Workload {
  return { ...inSequence(name, times, methods, options), isFresh: true };
}

/**
 * Makes `count` calls at once, and the next calls when all have been answered. It makes at least 100 calls in total.
 *
 * @example
 * inFlight('10 reads in flight', 10, 'getValue');
 */
export function inFlight(
  name: string,
  count: number,
  method: string,
  options?: WorkloadOptions,
): Workload {
  const batches = Math.ceil(100 / count);
  return {
    ...ofMethods(name, Array<string>(batches * count).fill(method), options),
    isConcurrent: true,
    async run(connection, _, prepared) {
      const batch = (_none: unknown, index: number): Promise<unknown[]> =>
        Promise.all(
          prepared
            .slice(index * count, (index + 1) * count)
            .map(({ args }) => connection.call(method, args)),
        );
      return (await Array.fromAsync({ length: batches }, batch)).flat();
    },
  };
}

/**
 * Makes one call for each caller, each in its own turn of the event loop, without waiting for answers.
 *
 * @example
 * callers('100 callers, none in the same tick', 100, 'increment');
 */
export function callers(
  name: string,
  count: number,
  method: string,
  options?: WorkloadOptions,
): Workload {
  return {
    ...ofMethods(name, Array<string>(count).fill(method), options),
    isConcurrent: true,
    async run(connection, _, prepared) {
      const all: Promise<unknown>[] = [];
      for (const { args } of prepared) {
        all.push(connection.call(method, args));
        await nextTurn();
      }
      return Promise.all(all);
    },
  };
}

/**
 * Returns the workloads of one or more methods: one call after another, on a new connection, and at the same time.
 *
 * @param methods - the names of methods, each by the word for its calls in the names of the workloads
 * @example
 * standardWorkloads({ orders: 'order', reads: 'list' }); // '100 orders', '100 reads', '10 orders in flight', …
 */
export function standardWorkloads(methods: Readonly<Record<string, string>>): Workload[] {
  const all = Object.entries(methods);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) throw new TypeError('standardWorkloads takes at least one method');
  const mixed = all.length > 1 ? [Object.values(methods)] : [];
  const times = Math.floor(100 / all.length);
  const mixture = `${times} mixed ${all.length === 2 ? 'pairs' : 'rows'}`;
  const isLong = true;
  return [
    ...all.map(([words, method]) => inSequence(`100 ${words}`, 100, [method], { weight: 4 })),
    ...mixed.map((some) => inSequence(mixture, times, some, { weight: 4 })),
    ...all.map(([words, method]) =>
      fresh(`100 ${words}, fresh connection`, 100, [method], { isLong }),
    ),
    ...mixed.map((some) => fresh(`${mixture}, fresh connection`, times, some, { isLong })),
    fresh('first answer on a fresh connection', 1, [last[1]]),
    ...[10, 100, 1000].flatMap((count) =>
      all.map(([words, method]) =>
        inFlight(`${count} ${words} in flight`, count, method, count > 100 ? { isLong } : {}),
      ),
    ),
    callers('100 callers, none in the same tick', 100, first[1]),
  ];
}

/**
 * Sends a value, which comes back, one call after another.
 *
 * @param count - the number of calls
 * @param asJson - the value for contenders that can send only JSON and bytes. Default: `value`
 * @example
 * echo('10 KiB object, there and back', 10, samples.table);
 */
export function echo(
  name: string,
  count: number,
  value: unknown,
  asJson: unknown = value,
  options?: WorkloadOptions,
): Workload {
  const valueFor = ({ isJsonOnly }: PerfConnection) => (isJsonOnly ? asJson : value);
  return repeated(
    name,
    count,
    (connection) => connection.echo?.(valueFor(connection)) ?? cannot('It sends no values'),
    valueFor,
    options,
  );
}

/**
 * Books a place in a table, with an index and an alarm, and frees it again, one call after another.
 *
 * @param count - the number of calls
 * @example
 * bookings('20 bookings, with SQL and an alarm', 20);
 */
export function bookings(name: string, count: number, options?: WorkloadOptions): Workload {
  return repeated(
    name,
    count,
    (connection) => connection.book?.() ?? cannot('It books nothing'),
    () => 'A1',
    options,
  );
}

/**
 * Lets an object send events to listeners. The object sends an event when all listeners have received the event before
 * it.
 *
 * @param count - the number of events
 * @param listeners - how many connections receive each event
 * @example
 * events('10 events, each heard by 100', 10, 100);
 */
export function events(
  name: string,
  count: number,
  listeners: number,
  options?: WorkloadOptions,
): Workload {
  return repeated(
    name,
    count,
    (connection) => connection.tell?.(listeners) ?? cannot('It has no listeners'),
    () => listeners,
    options,
  );
}

/** The exchanges that need no method of the project: values of several types, SQL with an alarm, and events. */
export const exchanges: readonly Workload[] = [
  bookings('20 bookings, with SQL and an alarm', 20),
  events('10 events, each heard by 100', 10, 100),
  echo('10 KiB object, there and back', 10, samples.table),
  echo(
    'Map, Date and cycle (floor: as JSON), there and back',
    10,
    samples.orders,
    samples.ordersAsJson,
  ),
  echo('1 MiB of bytes, there and back', 1, samples.bytes),
];

/** Makes the same exchange several times, one after another. */
function repeated(
  name: string,
  count: number,
  call: (connection: PerfConnection) => Promise<unknown>,
  answer: (connection: PerfConnection) => unknown,
  options?: WorkloadOptions,
): Workload {
  return {
    ...options,
    name,
    calls: count,
    methods: [],
    run: (connection, time) =>
      Array.fromAsync({ length: count }, () => time(() => call(connection))),
    expect: (connection) => Array.from({ length: count }, () => answer(connection)),
  };
}

function cannot(reason: string): Promise<never> {
  return Promise.reject(new Unable(reason));
}

/** Returns the common part of all workloads that call methods of the project. */
function ofMethods(
  name: string,
  methods: readonly string[],
  options?: WorkloadOptions,
): Omit<Workload, 'run'> {
  return { ...options, name, calls: methods.length, methods };
}
