/**
 * Compares the figures of an open load with those of objects whose answers come at known times. The
 * clock advances only when the load waits, so each figure is exact on any machine.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Clock, type Load, measureLoad } from '../../src/perf/load.ts';
import { percentile } from '../../src/perf/measure/statistics.ts';
import type { PerfConnection } from '../../src/perf/workloads.ts';

/** A clock with scheduled actions. */
class SimulatedTime implements Clock {
  #now = 5000;
  #events: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  at(at: number, run: () => void): void {
    this.#events.push({ at, run });
  }

  async pass(most: number): Promise<void> {
    const end = this.#now + Math.max(most, 0);
    for (;;) {
      const [next] = this.#events.toSorted((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      this.#events = this.#events.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await turn();
    }
    this.#now = end;
    await turn();
  }

  /** Blocks this process for a time, as a garbage collection does. */
  block(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

const LOAD: Load = { methods: ['record'], clients: 3, rate: 100, seconds: 10, within: 100 };

/**
 * Creates an object that runs one call after another.
 *
 * @param timeOf - the milliseconds that a call takes, by the time of its arrival
 */
function objectWith(time: SimulatedTime, timeOf: (arrived: number) => number) {
  const begun = time.now();
  let free = begun;
  let calls = 0;
  const called: unknown[][] = [];
  const connect = (client: number): PerfConnection => ({
    call: (method, args) =>
      new Promise((resolve) => {
        free = Math.max(free, time.now()) + timeOf(time.now() - begun);
        called.push([client, method, ...args]);
        const answer = ++calls;
        time.at(free, () => resolve(answer));
      }),
    close() {},
  });
  return { connections: [0, 1, 2].map(connect), called };
}

/**
 * Computes the times without the load: an object runs the calls in order, each when it is due or
 * when the object is free.
 */
function byHand(load: Load, timeOf: (arrived: number) => number) {
  let free = 0;
  return Array.from({ length: load.rate * load.seconds }, (_, index) => {
    const due = (index * 1000) / load.rate;
    free = Math.max(free, due) + timeOf(due);
    return { time: free - due, answered: free };
  });
}

describe('an object that', () => {
  test.each<[string, (arrived: number) => number]>([
    ['takes 4 ms for each call', () => 4],
    ['takes 12 ms for each call, of which 100 are due in a second', () => 12],
    ['stops for 2 s', (arrived) => (arrived === 3000 ? 2000 : 1)],
    ['is slow for a second', (arrived) => (arrived >= 5000 && arrived < 6000 ? 25 : 2)],
  ])('%s', async (_, timeOf) => {
    const time = new SimulatedTime();
    const { connections } = objectWith(time, timeOf);
    const figures = await measureLoad(connections, LOAD, {}, time);
    const expected = byHand(LOAD, timeOf);
    const times = expected.map((one) => one.time);
    const gaps = expected.map(
      ({ answered }, index) => answered - (expected[index - 1]?.answered ?? 0),
    );
    expect(figures).toMatchObject({ calls: 1000, failed: 0, unanswered: 0, latest: 0 });
    expect(figures.p50).toBeCloseTo(percentile(times, 0.5));
    expect(figures.p99).toBeCloseTo(percentile(times, 0.99));
    expect(figures.longestGap).toBeCloseTo(Math.max(...gaps));
    expect(figures.inTime).toBe(times.filter((one) => one <= LOAD.within).length / 1000);
    const last = Math.max(10_000, expected.at(-1)?.answered ?? 0);
    expect(figures.perSecond).toBeCloseTo(1_000_000 / last);
  });
});

test('all calls that are due while an object stops count with their waiting time', async () => {
  const time = new SimulatedTime();
  const { connections } = objectWith(time, (arrived) => (arrived === 3000 ? 2000 : 1));
  const figures = await measureLoad(connections, LOAD, {}, time);
  // 222 calls wait: the calls of two seconds, and the calls that come before the backlog is done. A
  // client that waits for each answer would have one slow call in a thousand, and a 99th percentile
  // of 1 ms.
  expect(figures.p50).toBe(1);
  expect(figures.p99).toBeGreaterThan(1800);
  expect(figures.inTime).toBeCloseTo(0.788, 2);
  expect(figures.longestGap).toBeGreaterThanOrEqual(2000);
});

test('calls that were due while this process was busy are still made, and their delay counts', async () => {
  const time = new SimulatedTime();
  const { connections } = objectWith(time, () => 1);
  const [first] = connections as [PerfConnection];
  const { call } = first;
  let calls = 0;
  first.call = (method, args) => {
    if (++calls === 100) time.block(500);
    return call(method, args);
  };
  const figures = await measureLoad(connections, LOAD, {}, time);
  expect(figures.calls).toBe(1000);
  expect(figures.latest).toBe(490);
  expect(figures.p99).toBeGreaterThan(400);
});

test('clients and methods alternate, and each call has its arguments', async () => {
  const time = new SimulatedTime();
  const { connections, called } = objectWith(time, () => 1);
  const load = { ...LOAD, methods: ['record', 'list'], seconds: 0.05 };
  await measureLoad(connections, load, { argumentsOf: (_, index) => [index] }, time);
  expect(called).toEqual([
    [0, 'record', 0],
    [1, 'list', 1],
    [2, 'record', 2],
    [0, 'list', 3],
    [1, 'record', 4],
  ]);
});

test('rejected calls are counted, are not in time, and do not shorten the times', async () => {
  const time = new SimulatedTime();
  const { connections } = objectWith(time, () => 8);
  const [first] = connections as [PerfConnection];
  first.call = () => Promise.reject(new Error('LIMIT_EXCEEDED'));
  const figures = await measureLoad(connections, LOAD, {}, time);
  expect(figures).toMatchObject({ failed: 334, failure: 'LIMIT_EXCEEDED', p50: 8, inTime: 0.666 });
});

test('calls without an answer count with the time until the end', async () => {
  const time = new SimulatedTime();
  // The object answers no more calls.
  const { connections } = objectWith(time, (arrived) => (arrived >= 5000 ? 1e9 : 1));
  const figures = await measureLoad(connections, LOAD, {}, time);
  expect(figures).toMatchObject({ failed: 0, unanswered: 500, inTime: 0.5 });
  expect(figures.p99).toBeGreaterThan(14_000);
  expect(figures.longestGap).toBeGreaterThan(14_000);
});

test('answers are checked in the order of their arrival', async () => {
  const check = () => {
    let last = 0;
    return ({ answer }: { answer: unknown }) => answer === ++last;
  };
  const time = new SimulatedTime();
  const { connections } = objectWith(time, () => 1);
  const load = { ...LOAD, seconds: 1 };
  const { called } = { called: await measureLoad(connections, load, { check }, time) };
  expect(called.calls).toBe(100);
  const [first] = connections as [PerfConnection];
  first.call = async () => 7;
  await expect(measureLoad(connections, load, { check }, time)).rejects.toThrow('which is wrong');
});
