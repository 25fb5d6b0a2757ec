/**
 * What is measured: one entry each. A workload makes its calls, and says which answers are right.
 * A new workload is a new entry. Imports values; types of connection.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CounterConnection } from './contenders/connection.ts';
import { bytes, plainObject, richValue, richValueAsJson } from './workloads/values.ts';

/** Makes one call and notes how long its answer took. */
export type Stopwatch = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

export interface Workload {
  readonly name: string;
  /** In one round, whose time is divided by it. */
  readonly calls: number;
  /** How many of them are increments of one. Default 0. */
  readonly increments?: number;
  /** Whether each round opens a connection, which is then part of its time. */
  readonly isFresh?: boolean;
  /** Whether `--quick` leaves it out. */
  readonly isLong?: boolean;
  /** How much of the time it gets, compared with others. Default 1. */
  readonly weight?: number;
  /** Makes the calls; returns their answers in order. */
  run(counter: CounterConnection, time: Stopwatch): Promise<unknown[]>;
  /**
   * The answers that are right.
   *
   * @param value - of the counter before the workload
   */
  expect(value: number, counter: CounterConnection): unknown[];
}

type Operation = 'increment' | 'getValue';

const INCREMENT = ['increment'] as const;
const READ = ['getValue'] as const;
const BOTH = ['increment', 'getValue'] as const;

export const workloads: readonly Workload[] = [
  // By these everything is judged first; one call is in flight at a time.
  { ...inSequence('100 increments', repeat(100, INCREMENT)), weight: 4 },
  { ...inSequence('100 reads', repeat(100, READ)), weight: 4 },
  { ...inSequence('50 mixed pairs', repeat(50, BOTH)), weight: 4 },
  { ...fresh('100 increments, fresh connection', repeat(100, INCREMENT)), isLong: true },
  { ...fresh('100 reads, fresh connection', repeat(100, READ)), isLong: true },
  { ...fresh('50 mixed pairs, fresh connection', repeat(50, BOTH)), isLong: true },
  fresh('first answer on a fresh connection', READ),
  ...[10, 100, 1000].flatMap((count) => [
    { ...inFlight(`${count} increments in flight`, count, 'increment'), isLong: count > 100 },
    { ...inFlight(`${count} reads in flight`, count, 'getValue'), isLong: count > 100 },
  ]),
  callers(100),
  booking(20),
  echo('10 KiB object', 10, plainObject),
  echo('Map, Date and cycle (floor: as JSON)', 10, richValue, richValueAsJson),
  echo('1 MiB of bytes', 1, bytes),
];

/** The exchange alone. What a call takes beyond it, the project's own method takes. */
export const emptyCalls: Workload = { ...echo('', 100, 0), name: '100 calls of no method' };

/** Each call is made when the one before it has been answered. */
function inSequence(name: string, operations: readonly Operation[]): Workload {
  return {
    ...counting(name, operations),
    async run(counter, time) {
      const answers: number[] = [];
      for (const operation of operations) answers.push(await time(() => counter[operation]()));
      return answers;
    },
  };
}

function fresh(name: string, operations: readonly Operation[]): Workload {
  return { ...inSequence(name, operations), isFresh: true };
}

/** So many calls at once, and the next when all have been answered; at least 100. */
function inFlight(name: string, count: number, operation: Operation): Workload {
  const batches = Math.ceil(100 / count);
  return {
    ...counting(name, repeat(batches * count, [operation])),
    async run(counter) {
      const answers: number[] = [];
      for (let batch = 0; batch < batches; batch++) {
        const calls = Array.from({ length: count }, () => counter[operation]());
        answers.push(...(await Promise.all(calls)));
      }
      return answers;
    },
  };
}

/** One call each, in a turn of the event loop of its own, with the others' still in flight. */
function callers(count: number): Workload {
  return {
    ...counting(`${count} callers, none in the same tick`, repeat(count, INCREMENT)),
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

/** Calls that use SQL, an index and an alarm, one after another. */
function booking(count: number): Workload {
  return {
    name: `${count} bookings, with SQL and an alarm`,
    calls: count,
    async run(counter, time) {
      const answers: unknown[] = [];
      for (let call = 0; call < count; call++) {
        if (!counter.book) throw new Error('It books nothing');
        answers.push(await time(() => counter.book?.() as Promise<unknown>));
      }
      return answers;
    },
    expect: () => Array.from({ length: count }, () => 'A1'),
  };
}

/** @param asJson - what those send instead who can send JSON and bytes only */
function echo(name: string, calls: number, value: unknown, asJson = value): Workload {
  const valueFor = ({ isJsonOnly }: CounterConnection) => (isJsonOnly ? asJson : value);
  return {
    name: `${name}, there and back`,
    calls,
    async run(counter, time) {
      const answers: unknown[] = [];
      for (let call = 0; call < calls; call++) {
        if (!counter.echo) throw new Error('It sends no values');
        answers.push(await time(() => counter.echo?.(valueFor(counter)) as Promise<unknown>));
      }
      return answers;
    },
    expect: (_, counter) => Array.from({ length: calls }, () => valueFor(counter)),
  };
}

/** What all have in common that count up and read. */
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
