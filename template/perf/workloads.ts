/**
 * The workloads that are measured, one entry each. A workload makes its calls, and has the right
 * answers. To add a workload, add an entry.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomNumbers } from './measure/statistics.ts';

/** One connection to one counter. Every method rejects when the connection is lost. */
export interface CounterConnection {
  increment(by?: number): Promise<number>;
  getValue(): Promise<number>;
  /** Sends a value to the object, which returns it. */
  echo?(value: unknown): Promise<unknown>;
  /** As `echo`, by a method whose results the contract declares as plain. */
  echoPlain?(value: unknown): Promise<unknown>;
  /** Books a place in a table, frees it again, and returns it. */
  book?(): Promise<unknown>;
  /** Has an object send an event to this many listeners. Resolves with the number that received it. */
  tell?(listeners: number): Promise<number>;
  close(): void;
  /** Whether `echo` takes only JSON and bytes. The data of a rich value is then sent as JSON. */
  readonly isJsonOnly?: boolean;
}

/** Makes one call, and records the time until its answer. */
export type Stopwatch = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

export interface Workload {
  readonly name: string;
  /** Number of calls in one round. The time of the round is divided by it. */
  readonly calls: number;
  /** How many of them are increments of one. Default 0. */
  readonly increments?: number;
  /** Whether each round opens a connection, which is then part of its time. */
  readonly isFresh?: boolean;
  /** Whether `--quick` leaves it out. */
  readonly isLong?: boolean;
  /** Its share of the time, relative to other workloads. Default 1. */
  readonly weight?: number;
  /** Makes the calls; returns their answers in order. */
  run(counter: CounterConnection, time: Stopwatch): Promise<unknown[]>;
  /**
   * Returns the right answers, in order.
   *
   * @param value - the counter's value before the workload
   */
  expect(value: number, counter: CounterConnection): unknown[];
}

type Operation = 'increment' | 'getValue';

const random = randomNumbers(1);
const word = (): string => random().toString(36).slice(2, 10);

/** Rows of a table: 10 KiB of JSON. */
const plainObject = {
  rows: Array.from({ length: 112 }, (_, id) => ({
    id,
    name: word(),
    email: `${word()}@example.com`,
    total: Math.round(random() * 1e6) / 100,
    isActive: random() < 0.5,
  })),
};

/** 1 MiB of noise, which does not compress. */
const bytes = Uint8Array.from({ length: 2 ** 20 }, () => random() * 256);

const orders = Array.from({ length: 20 }, (_, index) => ({
  id: `order-${index}`,
  placed: new Date(Date.UTC(2026, 0, 1 + index)),
  items: [1, 2, 3].map((count) => ({ sku: `sku-${index}-${count}`, count })),
}));

/** A Map of objects with a Date, and a cycle: each object refers to the whole value. */
const richValue = { customer: 'Ada', orders: new Map<string, object>() };
for (const { id, ...order } of orders) richValue.orders.set(id, { ...order, of: richValue });

/** The same data as plain JSON. */
const richValueAsJson = {
  customer: 'Ada',
  orders: orders.map(({ id, placed, items }) => [id, { placed: placed.toISOString(), items }]),
};

/** The most important workloads. One call is in flight at a time. */
const sequences: readonly [name: string, operations: Operation[]][] = [
  ['100 increments', repeat(100, ['increment'])],
  ['100 reads', repeat(100, ['getValue'])],
  ['50 mixed pairs', repeat(50, ['increment', 'getValue'])],
];

export const workloads: readonly Workload[] = [
  ...sequences.map((sequence) => ({ ...inSequence(...sequence), weight: 4 })),
  ...sequences.map(([name, operations]) => fresh(`${name}, fresh connection`, operations, true)),
  fresh('first answer on a fresh connection', ['getValue']),
  ...[10, 100, 1000].flatMap((count) => [
    { ...inFlight(`${count} increments in flight`, count, 'increment'), isLong: count > 100 },
    { ...inFlight(`${count} reads in flight`, count, 'getValue'), isLong: count > 100 },
  ]),
  callers(100),
  repeated(
    '20 bookings, with SQL and an alarm',
    20,
    (counter) => counter.book?.() ?? Promise.reject(new Error('It books nothing')),
    () => 'A1',
  ),
  repeated(
    '10 events, each heard by 100',
    10,
    (counter) => counter.tell?.(100) ?? Promise.reject(new Error('It has no listeners')),
    () => 100,
  ),
  echo('10 KiB object, there and back', 10, plainObject),
  echo('Map, Date and cycle (floor: as JSON), there and back', 10, richValue, richValueAsJson),
  echo('1 MiB of bytes, there and back', 1, bytes),
];

/** Measures the exchange alone. If other calls take longer, that time is the project's own method's. */
export const emptyCalls = echo('100 calls of no method', 100, 0);

/** Each call is made when the one before it has been answered. */
function inSequence(name: string, operations: readonly Operation[]): Workload {
  return {
    ...counting(name, operations),
    run: (counter, time) =>
      Array.fromAsync(operations, (operation) => time(() => counter[operation]())),
  };
}

function fresh(name: string, operations: readonly Operation[], isLong = false): Workload {
  return { ...inSequence(name, operations), isFresh: true, isLong };
}

/** Makes `count` calls at once, and the next ones when all have been answered; at least 100 in total. */
function inFlight(name: string, count: number, operation: Operation): Workload {
  const batches = Math.ceil(100 / count);
  return {
    ...counting(name, repeat(batches * count, [operation])),
    async run(counter) {
      const call = (): Promise<number> => counter[operation]();
      const batch = (): Promise<number[]> => Promise.all(Array.from({ length: count }, call));
      return (await Array.fromAsync({ length: batches }, batch)).flat();
    },
  };
}

/** Makes one call for each caller, each in its own turn of the event loop, without waiting for answers. */
function callers(count: number): Workload {
  return {
    ...counting(`${count} callers, none in the same tick`, repeat(count, ['increment'])),
    async run(counter) {
      const calls: Promise<number>[] = [];
      for (let caller = 0; caller < count; caller++) {
        calls.push(counter.increment());
        await nextTurn();
      }
      return Promise.all(calls);
    },
  };
}

/**
 * Sends a value, which comes back.
 *
 * @param asJson - the value for contenders that can send only JSON and bytes
 */
export function echo(name: string, calls: number, value: unknown, asJson = value): Workload {
  const valueFor = ({ isJsonOnly }: CounterConnection) => (isJsonOnly ? asJson : value);
  return repeated(
    name,
    calls,
    (counter) =>
      counter.echo?.(valueFor(counter)) ?? Promise.reject(new Error('It sends no values')),
    valueFor,
  );
}

/** Makes the same call several times, one after another. */
function repeated(
  name: string,
  calls: number,
  call: (counter: CounterConnection) => Promise<unknown>,
  answer: (counter: CounterConnection) => unknown,
): Workload {
  return {
    name,
    calls,
    run: (counter, time) => Array.fromAsync({ length: calls }, () => time(() => call(counter))),
    expect: (_, counter) => Array.from({ length: calls }, () => answer(counter)),
  };
}

/** The common part of all workloads that increment and read. */
function counting(name: string, operations: readonly Operation[]): Omit<Workload, 'run'> {
  return {
    name,
    calls: operations.length,
    increments: operations.filter((operation) => operation === 'increment').length,
    expect: (value) => operations.map((operation) => (operation === 'increment' ? ++value : value)),
  };
}

function repeat(times: number, operations: readonly Operation[]): Operation[] {
  return Array.from({ length: times }, () => operations).flat();
}
