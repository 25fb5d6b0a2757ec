/** The types of a project's performance test: what the compiler refuses. */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { expectTypeOf, test } from 'vitest';
import { calls, contenderClasses, inSequence, runPerf } from '../../src/perf.ts';

class CounterImpl extends DurableObject<object> {
  increment(by = 1): number {
    return by;
  }
}

test('the contract is checked with the class, as that of an object is', () => {
  const classes = contenderClasses(CounterImpl, { increment: [Type.Optional(Type.Integer())] });
  expectTypeOf(classes.Counter).toBeConstructibleWith({} as DurableObjectState, {} as never);
  // @ts-expect-error: the class has no such method
  contenderClasses(CounterImpl, { decrement: [] });
  // @ts-expect-error: the parameter is a number
  contenderClasses(CounterImpl, { increment: [Type.Optional(Type.String())] });
});

test('a run names its project, two methods and workloads', () => {
  const workloads = [inSequence('reads', 2, ['read']), calls('orders', 2, 'order', ['tea'])];
  const all = { project: '.', increment: 'add', read: 'sum', workloads };
  expectTypeOf(runPerf).toBeCallableWith(all);
  // @ts-expect-error: the method that reads is not named
  expectTypeOf(runPerf).toBeCallableWith({ project: '.', increment: 'add', workloads });
  // @ts-expect-error: there are two operations
  inSequence('orders', 2, ['order']);
});
