/** Tests the workloads on a counter in this process that can do all of them. */
import { deepEqual } from 'node:assert/strict';
import { describe, expect, test } from 'vitest';
import type { Contender } from '../../src/perf/contenders.ts';
import { measure, type MeasureOptions } from '../../src/perf/measure.ts';
import { counter as ofCounter, workloads } from '../../../harness/counter-perf.ts';
import { CalledObject, type MeasuredMethods } from '../../src/perf/called-object.ts';
import {
  emptyCalls,
  inFlight,
  inSequence,
  type PerfConnection,
  standardWorkloads,
} from '../../src/perf/workloads.ts';

const LONG = ['100 increments', '100 reads', '50 mixed pairs'].map(
  (name) => `${name}, fresh connection`,
);
const ALL = [...workloads, emptyCalls];
const ONCE = { warmUp: 0, duration: 0, fewestRounds: 2 };

test('each workload has its calls, and its place in a run', () => {
  const facts = ALL.map(({ name, methods, isFresh = false, weight = 1, ...one }) =>
    [
      name,
      one.calls,
      methods.filter((method) => method === 'increment').length,
      isFresh,
      weight,
    ].join(' | '),
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

/** Creates a counter that records the calls, and how many of them were in flight at once. */
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
  const counter: PerfConnection = {
    isJsonOnly,
    call: (method) => later(() => (method === 'increment' ? ++value : value)),
    echo: (one) => later(() => (sent.add(one), one)),
    book: () => later(() => 'A1'),
    tell: (listeners) => later(() => listeners),
    close() {},
  };
  const contender: Contender = { name: 'complete', about: '', connect: async () => counter };
  return { contender, counter, sent, most: () => most };
}

test.each([false, true])(
  'all workloads run, and their answers are checked (JSON only: %s)',
  async (isJson) => {
    const { contender, sent } = complete(isJson);
    const series = await measure('', [contender], ALL, { ...ofCounter, ...ONCE });
    expect(series.map(({ failure, perCall }) => failure ?? perCall.length)).toEqual(
      ALL.map(() => 2),
    );
    const [object, rich, bytes, nothing] = [...sent];
    expect(sent.size).toBe(4);
    expect(nothing).toBe(0);
    // The value is about 10 KiB of different rows.
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
    // The bytes have all values, as noise has.
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
])('of %s, %i calls are in flight at once if answers come at once', async (name, expected) => {
  const { counter, most } = complete(false);
  const workload = workloads.find((one) => one.name === name);
  const prepared = workload?.methods.map((method) => ({ method, args: [] })) ?? [];
  await workload?.run(counter, (call) => call(), prepared);
  expect(most()).toBe(expected);
});

describe('a class of a project', () => {
  /** Creates an object whose orders have numbers, and records its calls. */
  function orders() {
    const called: unknown[][] = [];
    const { contender, counter } = complete(false);
    counter.call = async (method, args) => {
      called.push([method, ...args]);
      return { number: called.length, of: args[0] };
    };
    return { contender, called };
  }

  const argumentsOf = (method: string, index: number) => [`${method}-${index}`, 'tea'];

  test('a function gives the arguments of each call, and no id occurs twice', async () => {
    const { contender, called } = orders();
    const all = [inSequence('orders', 2, ['order', 'list']), inFlight('at once', 50, 'order')];
    await measure('', [contender], all, { argumentsOf, ...ONCE });
    // A trial and two rounds of each.
    expect(called).toHaveLength(3 * (4 + 100));
    expect(called.slice(0, 4)).toEqual([
      ['order', 'order-0', 'tea'],
      ['list', 'list-1', 'tea'],
      ['order', 'order-2', 'tea'],
      ['list', 'list-3', 'tea'],
    ]);
    expect(new Set(called.map(([, id]) => id)).size).toBe(called.length);
  });

  const numbered: MeasuredMethods['check'] = () => {
    let last = 0;
    return ({ args, answer }) => deepEqual(answer, { number: ++last, of: args[0] });
  };

  test.each<[string, MeasuredMethods['check'], string | undefined]>([
    ['the right answers', numbered, undefined],
    ['any answers', undefined, undefined],
    [
      'a check that throws',
      () => () => {
        throw new Error('no\n  order');
      },
      'complete: orders: order("order-0", "tea") answered {"number":1,"of":"order-0"}, which is wrong: no order',
    ],
    ['a check that returns false', () => () => false, 'which is wrong'],
  ])('%s', async (_, check, problem) => {
    const { contender } = orders();
    const options = { argumentsOf, check, ...ONCE } as MeasureOptions;
    const measured = measure('', [contender], [inSequence('orders', 3, ['order'])], options);
    if (problem) await expect(measured).rejects.toThrow(problem);
    else expect((await measured).map(({ failure }) => failure)).toEqual([undefined]);
  });

  test.each<[string, unknown[], string | undefined]>([
    ['numbers', [3, 1, 2], undefined],
    ['a wrong number', [3, 1, 1], 'which is wrong'],
    ['nothing', [undefined, undefined, undefined], undefined],
    // The order of the answers is not known, so neither these answers nor later answers can be
    // checked.
    ['objects', [{ number: 2 }, { number: 1 }, { number: 3 }], undefined],
  ])('of calls that can overtake each other: %s', (_, answers, problem) => {
    let calls = 0;
    const object = new CalledObject({
      check: () => (call) => call.answer === undefined || call.answer === ++calls,
    });
    const check = () => object.check(object.prepare(['a', 'a', 'a']), answers, false);
    if (problem) expect(check).toThrow(problem);
    else check();
    expect(calls).toBe(typeof answers[0] === 'number' ? (problem ? 2 : 3) : 0);
    const later = () => object.check(object.prepare(['a']), ['wrong'], true);
    if (typeof answers[0] === 'object') later();
    else expect(later).toThrow('which is wrong');
  });
});

describe('the standard workloads', () => {
  test('of one method', () => {
    const names = standardWorkloads({ orders: 'order' }).map(({ name }) => name);
    expect(names).toEqual([
      '100 orders',
      '100 orders, fresh connection',
      'first answer on a fresh connection',
      '10 orders in flight',
      '100 orders in flight',
      '1000 orders in flight',
      '100 callers, none in the same tick',
    ]);
  });

  test('of three methods, in turns', () => {
    const all = standardWorkloads({ a: 'one', b: 'two', c: 'three' });
    const mixed = all.find(({ name }) => name === '33 mixed rows');
    expect(mixed?.methods.slice(0, 4)).toEqual(['one', 'two', 'three', 'one']);
    expect(mixed?.calls).toBe(99);
  });

  test('of none', () => {
    expect(() => standardWorkloads({})).toThrow('takes at least one method');
  });
});
