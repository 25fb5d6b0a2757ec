/** Makes workloads. A workload makes its calls, and has the right answers. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** One connection to one object. Every method rejects when the connection is lost. */
export interface CounterConnection {
  /** Adds to the object's number, 1 by default, and returns the sum. */
  increment(by?: number): Promise<number>;
  /** Returns the object's number. */
  getValue(): Promise<number>;
  /** Sends a value to the object, which returns it. */
  echo?(value: unknown): Promise<unknown>;
  /** As `echo`, by a method whose results the contract declares as plain. */
  echoPlain?(value: unknown): Promise<unknown>;
  /** Books a place in a table, frees it again, and returns it. */
  book?(): Promise<unknown>;
  /** Has an object send an event to this many listeners. Resolves with the number that received it. */
  tell?(listeners: number): Promise<number>;
  /** Calls any other method. */
  call?(method: string, args: readonly unknown[]): Promise<unknown>;
  close(): void;
  /** Whether `echo` takes only JSON and bytes. The data of a rich value is then sent as JSON. */
  readonly isJsonOnly?: boolean;
}

/** Makes one call, and records the time until its answer. */
export type Stopwatch = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

export interface WorkloadOptions {
  /** Whether `--quick` leaves it out. Default false. */
  readonly isLong?: boolean | undefined;
  /** Its share of the time, relative to other workloads. Default 1. */
  readonly weight?: number | undefined;
}

export interface Workload extends WorkloadOptions {
  readonly name: string;
  /** Number of calls in one round. The time of the round is divided by it. */
  readonly calls: number;
  /** How many of them are increments of one. Default 0. */
  readonly increments?: number | undefined;
  /** Whether each round opens a connection, which is then part of its time. */
  readonly isFresh?: boolean | undefined;
  /** Makes the calls; returns their answers in order. */
  run(counter: CounterConnection, time: Stopwatch): Promise<unknown[]>;
  /**
   * Returns the right answers, in order. Answers beyond these are not checked.
   *
   * @param value - the counter's value before the workload
   */
  expect(value: number, counter: CounterConnection): unknown[];
}

/** The methods of the measured class that workloads call without arguments. */
export interface MethodNames {
  /** Adds its argument, or 1, to a number that is 0 at first, and returns the sum. */
  readonly increment: string;
  /** Returns the number. */
  readonly read: string;
}

/** A call of one of the two, without arguments. */
export type Operation = 'increment' | 'read';

/** Measures the exchange alone. If other calls take longer, that time is the project's own method's. */
export const emptyCalls: Workload = echo('100 calls of no method', 100, 0);

/**
 * Makes each call when the one before it has been answered.
 *
 * @param times - how often to make the operations, one after another
 * @example
 * inSequence('50 mixed pairs', 50, ['increment', 'read']);
 */
export function inSequence(
  name: string,
  times: number,
  operations: readonly Operation[],
  options?: WorkloadOptions,
): Workload {
  const all = repeat(times, operations);
  return {
    ...counting(name, all, options),
    run: (counter, time) =>
      Array.fromAsync(all, (operation) => time(() => operate(counter, operation))),
  };
}

/**
 * As `inSequence`, on a new connection, which is part of the time.
 *
 * @example
 * fresh('first answer on a fresh connection', 1, ['read']);
 */
export function fresh(
  name: string,
  times: number,
  operations: readonly Operation[],
  options?: WorkloadOptions,
): Workload {
  return { ...inSequence(name, times, operations, options), isFresh: true };
}

/**
 * Makes `count` calls at once, and the next ones when all have been answered; at least 100 in total.
 *
 * @example
 * inFlight('10 reads in flight', 10, 'read');
 */
export function inFlight(
  name: string,
  count: number,
  operation: Operation,
  options?: WorkloadOptions,
): Workload {
  const batches = Math.ceil(100 / count);
  return {
    ...counting(name, repeat(batches * count, [operation]), options),
    async run(counter) {
      const call = (): Promise<number> => operate(counter, operation);
      const batch = (): Promise<number[]> => Promise.all(Array.from({ length: count }, call));
      return (await Array.fromAsync({ length: batches }, batch)).flat();
    },
  };
}

/**
 * Makes one increment for each caller, each in its own turn of the event loop, without waiting for answers.
 *
 * @example
 * callers('100 callers, none in the same tick', 100);
 */
export function callers(name: string, count: number, options?: WorkloadOptions): Workload {
  return {
    ...counting(name, repeat(count, ['increment']), options),
    async run(counter) {
      const all: Promise<number>[] = [];
      for (let caller = 0; caller < count; caller++) {
        all.push(counter.increment());
        await nextTurn();
      }
      return Promise.all(all);
    },
  };
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
  const valueFor = ({ isJsonOnly }: CounterConnection) => (isJsonOnly ? asJson : value);
  return repeated(
    name,
    count,
    (counter) => counter.echo?.(valueFor(counter)) ?? cannot('It sends no values'),
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
    (counter) => counter.book?.() ?? cannot('It books nothing'),
    () => 'A1',
    options,
  );
}

/**
 * Has an object send events to listeners, each event when all have received the one before it.
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
    (counter) => counter.tell?.(listeners) ?? cannot('It has no listeners'),
    () => listeners,
    options,
  );
}

/**
 * Calls a method of the project, one call after another. The method must not change the number that `read` returns.
 *
 * @param count - the number of calls
 * @param method - its name, which the contract in `perf/worker.ts` lists. Over some contenders, arguments and
 *   results travel as JSON
 * @param args - the arguments of each call. Default: none
 * @param answer - the right answer to each call. Default: answers are not checked
 * @example
 * calls('20 orders', 20, 'order', ['tea'], { total: 1 });
 */
export function calls(
  name: string,
  count: number,
  method: string,
  args: readonly unknown[] = [],
  answer?: unknown,
  options?: WorkloadOptions,
): Workload {
  const workload = repeated(
    name,
    count,
    (counter) => counter.call?.(method, args) ?? cannot('It calls no other methods'),
    () => answer,
    options,
  );
  return answer === undefined ? { ...workload, expect: () => [] } : workload;
}

/** Makes the same call several times, one after another. */
function repeated(
  name: string,
  count: number,
  call: (counter: CounterConnection) => Promise<unknown>,
  answer: (counter: CounterConnection) => unknown,
  options?: WorkloadOptions,
): Workload {
  return {
    ...options,
    name,
    calls: count,
    run: (counter, time) => Array.fromAsync({ length: count }, () => time(() => call(counter))),
    expect: (_, counter) => Array.from({ length: count }, () => answer(counter)),
  };
}

function cannot(reason: string): Promise<never> {
  return Promise.reject(new Error(reason));
}

function operate(counter: CounterConnection, operation: Operation): Promise<number> {
  return operation === 'increment' ? counter.increment() : counter.getValue();
}

/** The common part of all workloads that increment and read. */
function counting(
  name: string,
  operations: readonly Operation[],
  options?: WorkloadOptions,
): Omit<Workload, 'run'> {
  return {
    ...options,
    name,
    calls: operations.length,
    increments: operations.filter((operation) => operation === 'increment').length,
    expect: (value) => operations.map((operation) => (operation === 'increment' ? ++value : value)),
  };
}

function repeat(times: number, operations: readonly Operation[]): Operation[] {
  return Array.from({ length: times }, () => operations).flat();
}
