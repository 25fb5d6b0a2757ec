/**
 * Puts an open load on an object: makes calls at fixed times, as users do, even if earlier calls have not been
 * answered. The time of a call begins when the call is due. So a call that waits, behind others or because the object
 * stands still, counts with its whole wait, and every call that is due during a standstill counts: no coordinated
 * omission.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { CalledObject, type MeasuredMethods, type PreparedCall } from './called-object.ts';
import { messageOf } from './measure.ts';
import { percentile } from './measure/statistics.ts';
import type { PerfConnection } from './workloads.ts';

/** The load on one object. */
export interface Load {
  /** The methods that are called, in turn. */
  readonly methods: readonly string[];
  /** Number of connections, which make the calls in turn. */
  readonly clients: number;
  /** Calls a second, of all clients together. */
  readonly rate: number;
  /** The duration of the load, in seconds. */
  readonly seconds: number;
  /** The time in milliseconds within which a call is answered in time. */
  readonly within: number;
}

/** The times in milliseconds, each from the due time of a call to its answer. */
export interface LoadFigures {
  readonly calls: number;
  /** The number of calls that were rejected. The times do not include them. */
  readonly failed: number;
  /** The reason why the first of these calls was rejected. */
  readonly failure?: string | undefined;
  /**
   * The number of calls without an answer when the measurement ended. The time of such a call is the time until the
   * end.
   */
  readonly unanswered: number;
  /** Answers in a second, from the first due time to the last answer. */
  readonly perSecond: number;
  /** The share of all calls that were answered in time, from 0 to 1. */
  readonly inTime: number;
  readonly p50: number;
  readonly p99: number;
  /** The longest time without an answer. */
  readonly longestGap: number;
  /** The maximum delay of a call because this process was busy. The delay is part of the time of the call. */
  readonly latest: number;
}

/** The time, and a way to let it pass. */
export interface Clock {
  /** Returns the time in milliseconds. */
  now(): number;
  /** Lets at most this many milliseconds pass, and at least a turn of the event loop. */
  pass(most: number): Promise<void>;
}

/** The time that the measurement waits for answers after the last call, in milliseconds. */
const PATIENCE = 10_000;

/** The milliseconds between two checks whether the wait has ended. */
const PAUSE = 20;

/** A timer is late by up to this many milliseconds. The rest of the time passes in turns of the event loop. */
const TIMER = 2;

const realClock: Clock = {
  now: () => performance.now(),
  pass: async (most) => {
    await (most > TIMER ? sleep(most - TIMER) : nextTurn());
  },
};

/**
 * Makes the calls of a load, and checks their answers if none has failed.
 *
 * @param connections - open connections to the same object
 * @throws Error that names a call with a wrong answer
 */
export async function measureLoad(
  connections: readonly PerfConnection[],
  { methods, rate, seconds, within }: Load,
  measured: MeasuredMethods,
  clock: Clock = realClock,
): Promise<LoadFigures> {
  const object = new CalledObject(measured);
  const count = Math.max(1, Math.round(rate * seconds));
  const calls = object.prepare(
    Array.from({ length: count }, (_, index) => methods[index % methods.length] as string),
  );
  const start = clock.now();
  const dueOf = (index: number): number => start + (index * 1000) / rate;
  const answers: unknown[] = Array(count);
  /** `undefined` for a call without an answer, and `NaN` for a rejected call. */
  const times: (number | undefined)[] = Array(count).fill(undefined);
  let [open, latest, longestGap, lastAnswer] = [count, 0, 0, start];
  let failure: string | undefined;

  const make = async (index: number): Promise<void> => {
    const { method, args } = calls[index] as PreparedCall;
    const connection = connections[index % connections.length] as PerfConnection;
    try {
      answers[index] = await connection.call(method, args);
      const time = clock.now();
      times[index] = time - dueOf(index);
      longestGap = Math.max(longestGap, time - lastAnswer);
      lastAnswer = time;
    } catch (error) {
      times[index] = Number.NaN;
      failure ??= messageOf(error);
    }
    open--;
  };

  for (let index = 0; index < count;) {
    const time = clock.now();
    // Each turn makes all calls that are due, since a busy process must not make fewer calls.
    for (; index < count && dueOf(index) <= time; index++) {
      latest = Math.max(latest, time - dueOf(index));
      void make(index);
    }
    if (index < count) await clock.pass(dueOf(index) - clock.now());
  }
  const deadline = clock.now() + PATIENCE;
  const isWaiting = (): boolean => open > 0 && clock.now() < deadline;
  while (isWaiting()) await clock.pass(PAUSE);

  const end = clock.now();
  const counted = times
    .map((time, index) => time ?? end - dueOf(index))
    .filter((time) => time >= 0);
  const answered = times.filter((time) => time !== undefined && time >= 0) as number[];
  const timeOf = (part: number): number =>
    counted.length > 0 ? percentile(counted, part) : Number.NaN;
  if (open > 0) longestGap = Math.max(longestGap, end - lastAnswer);
  // A failed call may have run, so the other answers cannot be checked.
  if (answered.length === count) object.check(calls, answers, false);
  return {
    calls: count,
    failed: count - open - answered.length,
    failure,
    unanswered: open,
    perSecond: (answered.length * 1000) / Math.max(lastAnswer - start, (count * 1000) / rate),
    inTime: answered.filter((time) => time <= within).length / count,
    p50: timeOf(0.5),
    p99: timeOf(0.99),
    longestGap,
    latest,
  };
}
