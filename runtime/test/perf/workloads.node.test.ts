/** The workloads, on a counter in this process that can do all of them. */
import { expect, test } from 'vitest';
import type { Contender } from '../../src/perf/contenders.ts';
import { measure } from '../../src/perf/measure.ts';
import { workloads } from '../../../harness/counter-perf.ts';
import { calls, type CounterConnection, emptyCalls } from '../../src/perf/workloads.ts';

const LONG = ['100 increments', '100 reads', '50 mixed pairs'].map(
  (name) => `${name}, fresh connection`,
);
const ALL = [...workloads, emptyCalls];

test('each has its calls, and its place in a run', () => {
  const facts = ALL.map(({ name, increments = 0, isFresh = false, weight = 1, ...one }) =>
    [name, one.calls, increments, isFresh, weight].join(' | '),
  );
  expect(facts).toEqual([
    '100 increments | 100 | 100 | false | 4',
    '100 reads | 100 | 0 | false | 4',
    '50 mixed pairs | 100 | 50 | false | 4',
    '100 increments, fresh connection | 100 | 100 | true | 1',
    '100 reads, fresh connection | 100 | 0 | true | 1',
    '50 mixed pairs, fresh connection | 100 | 50 | true | 1',
    'first answer on a fresh connection | 1 | 0 | true | 1',
    '10 increments in flight | 100 | 100 | false | 1',
    '10 reads in flight | 100 | 0 | false | 1',
    '100 increments in flight | 100 | 100 | false | 1',
    '100 reads in flight | 100 | 0 | false | 1',
    '1000 increments in flight | 1000 | 1000 | false | 1',
    '1000 reads in flight | 1000 | 0 | false | 1',
    '100 callers, none in the same tick | 100 | 100 | false | 1',
    '20 bookings, with SQL and an alarm | 20 | 0 | false | 1',
    '10 events, each heard by 100 | 10 | 0 | false | 1',
    '10 KiB object, there and back | 10 | 0 | false | 1',
    'Map, Date and cycle (floor: as JSON), there and back | 10 | 0 | false | 1',
    '1 MiB of bytes, there and back | 1 | 0 | false | 1',
    '100 calls of no method | 100 | 0 | false | 1',
  ]);
  expect(ALL.filter(({ isLong }) => isLong).map(({ name }) => name)).toEqual([
    ...LONG,
    '1000 increments in flight',
    '1000 reads in flight',
  ]);
});

/** A counter, with what was sent to it and how many of its calls were in flight at once. */
function complete(isJsonOnly: boolean) {
  const sent = new Set<unknown>();
  let value = 0;
  let [now, most] = [0, 0];
  const later = async <Answer>(answer: () => Answer): Promise<Answer> => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    now--;
    return answer();
  };
  const counter: CounterConnection = {
    isJsonOnly,
    increment: (by = 1) => later(() => (value += by)),
    getValue: () => later(() => value),
    echo: (one) => later(() => (sent.add(one), one)),
    book: () => later(() => 'A1'),
    tell: (listeners) => later(() => listeners),
    close() {},
  };
  const contender: Contender = { name: 'complete', about: '', connect: async () => counter };
  return { contender, counter, sent, most: () => most };
}

test.each([false, true])(
  'all can be done, and their answers are checked (JSON only: %s)',
  async (isJson) => {
    const { contender, sent } = complete(isJson);
    const series = await measure('', [contender], ALL, { warmUp: 0, duration: 0, fewestRounds: 2 });
    expect(series.map(({ failure, perCall }) => failure ?? perCall.length)).toEqual(
      ALL.map(() => 2),
    );
    const [object, rich, bytes, nothing] = [...sent];
    expect(sent.size).toBe(4);
    expect(nothing).toBe(0);
    // About 10 KiB of rows that differ.
    const json = JSON.stringify(object);
    expect(Math.round(json.length / 1024)).toBe(10);
    const { rows } = object as {
      rows: { id: number; name: string; isActive: boolean; total: number }[];
    };
    expect(rows[5]).toEqual({
      id: 5,
      name: expect.stringMatching(/^[\da-z]{6,8}$/),
      email: expect.stringMatching(/^[\da-z]{6,8}@example\.com$/),
      total: expect.any(Number),
      isActive: expect.any(Boolean),
    });
    expect(new Set(rows.map(({ isActive }) => isActive)).size).toBe(2);
    expect(Math.max(...rows.map(({ total }) => total))).toBeLessThanOrEqual(10_000);
    expect(Math.max(...rows.map(({ total }) => total))).toBeGreaterThan(9000);
    // Bytes of all values, as noise has them.
    expect(bytes).toHaveLength(2 ** 20);
    expect(new Set(bytes as Uint8Array).size).toBe(256);
    if (isJson) {
      expect(JSON.parse(JSON.stringify(rich))).toEqual(rich);
      const { customer, orders } = rich as { customer: string; orders: unknown[] };
      expect([customer, orders.length]).toEqual(['Ada', 20]);
      const items = [1, 2, 3].map((count) => ({ sku: `sku-19-${count}`, count }));
      expect(orders[19]).toEqual(['order-19', { placed: '2026-01-20T00:00:00.000Z', items }]);
      return;
    }
    const { orders } = rich as { orders: Map<string, { placed: Date; of: unknown }> };
    expect(orders.size).toBe(20);
    expect(orders.get('order-19')?.of).toBe(rich);
    expect(orders.get('order-19')?.placed).toEqual(new Date('2026-01-20T00:00:00.000Z'));
  },
);

test.each([
  ['100 reads', 1],
  ['10 reads in flight', 10],
  ['1000 increments in flight', 1000],
  ['100 callers, none in the same tick', 1],
])('of %s, %i calls are in flight at once, where answers come at once', async (name, expected) => {
  const { counter, most } = complete(false);
  const workload = workloads.find((one) => one.name === name);
  await workload?.run(counter, (call) => call());
  expect(most()).toBe(expected);
});

test.each([
  ['the right answer', calls('calls', 3, 'greet', ['Ada'], { hello: 'Ada' }), undefined],
  ['any answer', calls('calls', 3, 'greet', ['Bob']), undefined],
  [
    'a wrong answer',
    calls('calls', 3, 'greet', ['Bob'], { hello: 'Ada' }),
    'calls, answer 1 of 3 is not what was sent',
  ],
])('a method of a project is called, with %s', async (_, workload, failure) => {
  const { contender, counter } = complete(false);
  const called: unknown[] = [];
  counter.call = async (method, [name]) => {
    called.push(method);
    return { hello: name };
  };
  const series = await measure('', [contender], [workload], {
    warmUp: 0,
    duration: 0,
    fewestRounds: 2,
  });
  expect(series.map((one) => one.failure)).toEqual([failure]);
  expect(new Set(called)).toEqual(new Set(['greet']));
  expect(called.length % 3).toBe(0);
});

test('who calls no other methods is left out', async () => {
  const { contender } = complete(false);
  const [series] = await measure('', [contender], [calls('calls', 3, 'greet')], {
    warmUp: 0,
    duration: 0,
    fewestRounds: 2,
  });
  expect(series?.failure).toBe('It calls no other methods');
});
