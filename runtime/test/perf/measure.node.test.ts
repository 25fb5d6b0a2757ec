/**
 * Tests which contenders a measurement leaves out, what it records, and what it closes. The
 * counters run in this process.
 */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Contender } from '../../src/perf/contenders.ts';
import { measure } from '../../src/perf/measure.ts';
import { counter as ofCounter, workloads } from '../../../harness/counter-perf.ts';
import { echo, type PerfConnection, type Workload } from '../../src/perf/workloads.ts';

const ONCE = { ...ofCounter, warmUp: 0, duration: 0, fewestRounds: 2 };
const chosen = (...names: string[]) => workloads.filter(({ name }) => names.includes(name));

/** Returns a contender that counts its open connections. */
function counting(
  more: Partial<Contender> = {},
  change: (counter: PerfConnection, call: () => number) => Partial<PerfConnection> = () => ({}),
) {
  const open = { now: 0, most: 0 };
  const values = new Map<string, number>();
  let calls = 0;
  const contender: Contender = {
    name: 'in this process',
    about: 'calls without a connection',
    async connect(_, name) {
      open.most = Math.max(open.most, ++open.now);
      const add = (by: number) => {
        values.set(name, (values.get(name) ?? 0) + by);
        return values.get(name) as number;
      };
      const counter: PerfConnection = {
        call: async (method) => add(method === 'increment' ? 1 : 0),
        close: () => void open.now--,
      };
      return { ...counter, ...change(counter, () => ++calls) };
    },
    ...more,
  };
  return { contender, open, values };
}

test('each pair of rounds is recorded with a time for each call, and everything is closed', async () => {
  const { contender, open, values } = counting();
  const all = chosen(
    '100 increments',
    '10 increments in flight',
    'first answer on a fresh connection',
  );
  const series = await measure('', [contender], all, { ...ONCE, fewestRounds: 3 });
  expect(
    series.map(({ workload, perCall, calls }) => [workload.name, perCall.length, calls.length]),
  ).toEqual([
    ['100 increments', 4, 400],
    // New connections and concurrent calls are not timed one by one.
    ['first answer on a fresh connection', 4, 0],
    ['10 increments in flight', 4, 0],
  ]);
  for (const { perCall, calls } of series) {
    expect(Math.min(...perCall, ...calls)).toBeGreaterThanOrEqual(0);
  }
  // All workloads share one connection. A trial has its own, and may open a new one.
  expect(open).toEqual({ now: 0, most: 3 });
  expect(values.size).toBe(1);
  await measure('', [contender], chosen('100 reads'), ONCE);
  expect([...values.keys()]).toEqual([0, 1].map(() => expect.stringMatching(/^in-this-process-/)));
});

test('an object has a name of the form that the class requires', async () => {
  const { contender, values } = counting();
  const instance = (id: string) => `shop/${id}`;
  await measure('', [contender], chosen('100 increments'), { ...ONCE, instance });
  expect([...values.keys()]).toEqual([
    expect.stringMatching(/^shop\/in-this-process-[\da-f-]{36}$/),
  ]);
});

test('rounds of the warm-up are not recorded', async () => {
  const { contender, values } = counting();
  const [series] = await measure('', [contender], chosen('100 increments'), { ...ONCE, warmUp: 3 });
  expect(series?.perCall).toHaveLength(2);
  // The trial's calls count, too.
  expect([...values.values()]).toEqual([100 * (1 + 2 * 3 + 2)]);
});

describe('the trial checks the answers', () => {
  const wrong = (more: Partial<Contender>) =>
    counting(more, (counter) => ({
      call: async (method, args) => Number(await counter.call(method, args)) + 1,
    }));

  test.each(['rival', 'floor'] as const)('a %s that fails is left out', async (role) => {
    const { contender: good } = counting({ name: 'good' });
    const { contender } = wrong({ role, name: 'other' });
    const series = await measure(
      '',
      [contender, good],
      chosen('100 reads', '100 increments'),
      ONCE,
    );
    expect(series.map(({ failure, perCall }) => [failure, perCall.length])).toEqual(
      ['increment() answered 2', 'getValue() answered 101'].flatMap((problem) => [
        [`${problem}, which is wrong`, 0],
        [undefined, 2],
      ]),
    );
  });

  test('this RPC stops the run', async () => {
    const { contender } = wrong({});
    await expect(measure('', [contender], chosen('100 increments'), ONCE)).rejects.toThrow(
      'in this process: 100 increments: increment() answered 2, which is wrong',
    );
  });

  test('a rejected call of this RPC stops the run', async () => {
    const { contender } = counting({}, () => ({
      call: () => Promise.reject(new TypeError('argument [0] must be string')),
    }));
    await expect(measure('', [contender], chosen('100 reads'), ONCE)).rejects.toThrow(
      'in this process: 100 reads: argument [0] must be string',
    );
  });
});

test('a contender is left out of a workload that it cannot do, with the reason', async () => {
  const { contender, open } = counting({ isConnectionless: true });
  const all = [
    ...chosen('first answer on a fresh connection', '20 bookings, with SQL and an alarm'),
    ...chosen('10 events, each heard by 100'),
    ...chosen('100 reads'),
    echo('an echo', 1, 0),
  ];
  const series = await measure('', [contender], all, ONCE);
  expect(series.map(({ failure }) => failure)).toEqual([
    'It opens no connection',
    'It books nothing',
    'It has no listeners',
    undefined,
    'It sends no values',
  ]);
  expect(open.now).toBe(0);
});

test.each([
  ['a wrong answer', async () => 'b', 'answer 1 of 2 is b, not a'],
  ['a value that changed on the way', async () => ({ a: 2 }), 'answer 1 of 2 is not what was sent'],
])('%s leaves a rival out', async (what, answer, reason) => {
  const { contender } = counting({ role: 'rival' }, () => ({ echo: answer }));
  const sent = what === 'a wrong answer' ? 'a' : { a: 1 };
  const [series] = await measure('', [contender], [echo('an echo', 2, sent)], ONCE);
  expect(series?.failure).toContain(reason);
});

test('bytes may come back as a Buffer', async () => {
  const { contender } = counting({}, () => ({
    echo: async (value) => Buffer.from(value as Uint8Array),
  }));
  const [series] = await measure('', [contender], [echo('bytes', 1, new Uint8Array([1, 2]))], ONCE);
  expect(series?.failure).toBeUndefined();
});

test('a measurement notices an increment that is answered but not counted', async () => {
  const { contender } = counting({ role: 'rival' }, ({ call }) => {
    let more = 0;
    return {
      call: async (method, args) => {
        const value = Number(await call('getValue', args));
        return method === 'increment' ? value + ++more : value;
      },
    };
  });
  await expect(measure('', [contender], chosen('100 increments'), ONCE)).rejects.toThrow(
    'in this process: 100 increments: increment() answered 1, which is wrong',
  );
});

test('a contender that fails later stops the run, and the error has its name', async () => {
  const { contender } = counting({}, (counter, count) => ({
    call: async (method, args) => {
      if (count() > 200) throw new Error('worn out');
      return counter.call(method, args);
    },
  }));
  await expect(measure('', [contender], chosen('100 reads'), ONCE)).rejects.toThrow(
    'in this process: 100 reads: worn out',
  );
});

test('concurrent requests may run in any order, and calls of a connection only where the contender says so', async () => {
  const mixed = (more: Partial<Contender>) =>
    counting(more, (counter) => {
      let waiting: (() => void)[] = [];
      return {
        call: (method, args) =>
          new Promise((resolve) => {
            waiting.push(() => void counter.call(method, args).then(resolve));
            queueMicrotask(() => {
              for (const one of waiting.toReversed()) one();
              waiting = [];
            });
          }),
      };
    }).contender;
  const all = chosen('10 increments in flight');
  const [requests] = await measure('', [mixed({ isConnectionless: true })], all, ONCE);
  expect(requests?.failure).toBeUndefined();
  const [unordered] = await measure('', [mixed({ role: 'rival', isUnordered: true })], all, ONCE);
  expect(unordered?.failure).toBeUndefined();
  const [connection] = await measure('', [mixed({ role: 'rival' })], all, ONCE);
  expect(connection?.failure).toMatch(/^increment\(\) answered 10, /);
});

test('contenders alternate, and each pair of rounds has them in both orders', async () => {
  const order: string[] = [];
  const named = (name: string) =>
    counting({ name }, () => ({
      echo: async (value) => {
        order.push(name);
        return value;
      },
    })).contender;
  const names = ['a', 'b', 'c'];
  await measure('', names.map(named), [echo('an echo', 1, 0)], { ...ONCE, fewestRounds: 8 });
  const rounds = order.slice(names.length);
  const pairs = Array.from({ length: 4 }, (_, pair) => rounds.slice(pair * 6, pair * 6 + 6));
  for (const pair of pairs) {
    expect(pair.slice(0, 3).toSorted()).toEqual(names);
    expect(pair.slice(3)).toEqual(pair.slice(0, 3).toReversed());
  }
  expect(new Set(pairs.map((pair) => pair.join(''))).size).toBeGreaterThan(1);
});

describe('with a clock that advances only while a call runs', () => {
  /** Measures echoes. Each echo takes as many milliseconds as its value. */
  async function measured(all: readonly Workload[], duration: number) {
    let now = 1000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void clock.mockRestore());
    const { contender } = counting({}, () => ({
      echo: async (value) => {
        await Promise.resolve();
        now += value as number;
        return value;
      },
    }));
    const parts: number[] = [];
    const onProgress = (part: number): void => void parts.push(part);
    // The trials count, too.
    const options = { warmUp: 1, duration, fewestRounds: 2, onProgress };
    return { series: await measure('', [contender], all, options), parts };
  }

  test('the time of one call is in microseconds', async () => {
    const { series } = await measured([echo('two', 2, 3)], 0);
    expect(series).toMatchObject([{ perCall: [3000, 3000], calls: [3000, 3000, 3000, 3000] }]);
  });

  test('the weights divide the time, and the progress is a part of the time', async () => {
    const slow = echo('slow', 1, 10);
    const quick = echo('quick', 1, 5);
    // The trials and the warm-up take 15 and 30. The rest is 120: pairs of 20 and of 10.
    const { series, parts } = await measured([slow, quick], 165);
    expect(series.map(({ perCall }) => perCall.length)).toEqual([6, 12]);
    expect(parts).toEqual([0, 1 / 6, 3 / 12, 4 / 12, 6 / 12, 7 / 12, 8 / 12, 10 / 12, 11 / 12, 1]);
    const heavy = { ...quick, weight: 4 };
    const { series: weighed } = await measured([slow, heavy], 245);
    expect(weighed.map(({ perCall }) => perCall.length)).toEqual([4, 32]);
  });
});

describe('after a failure, everything is closed', () => {
  const wrong = (name: string, change: () => Partial<PerfConnection>, role?: 'rival') =>
    counting({ name, ...(role && { role }) }, change);

  test('in a trial', async () => {
    const first = counting({ name: 'first' });
    const failing = wrong('failing', () => ({ call: async () => 7 }));
    const measured = measure('', [first.contender, failing.contender], chosen('100 reads'), ONCE);
    await expect(measured).rejects.toThrow('failing: 100 reads: getValue() answered 7, which is');
    expect([first.open.now, failing.open.now]).toEqual([0, 0]);
  });

  test('in the trial of a rival, which is left out', async () => {
    const failing = wrong('failing', () => ({ call: async () => 7 }), 'rival');
    await measure('', [counting().contender, failing.contender], chosen('100 reads'), ONCE);
    expect(failing.open.now).toBe(0);
  });

  test('on a new connection, after its trial', async () => {
    let reads = 0;
    const failing = wrong('failing', () => ({
      // The second call is after the trial.
      call: async () => (++reads > 1 ? Promise.reject(new Error('lost')) : 0),
    }));
    const fresh = chosen('first answer on a fresh connection');
    const measured = measure('', [failing.contender], fresh, ONCE);
    await expect(measured).rejects.toThrow('failing: first answer on a fresh connection: lost');
    expect(failing.open.now).toBe(0);
  });
});
