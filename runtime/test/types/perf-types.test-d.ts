/**
 * Tests the types of a project's performance test. Nothing here runs: a test fails when it does not
 * compile.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { expectTypeOf, test } from 'vitest';
import { type AnsweredCall, contenderClasses, inSequence, runPerf } from '../../src/perf.ts';
import { lumenizeRpcDO } from '../../src/server.ts';

class CounterImpl extends DurableObject<object> {
  increment(by = 1): number {
    return by;
  }
}

test('a class with a contract can be measured', () => {
  const Counter = lumenizeRpcDO(CounterImpl, { increment: [Type.Optional(Type.Integer())] });
  const classes = contenderClasses(Counter, { journal: false });
  expectTypeOf(classes.Counter).toBeConstructibleWith({} as DurableObjectState, {} as never);
  expectTypeOf(contenderClasses()).toEqualTypeOf(classes);
  // @ts-expect-error: a prototype is not a class
  contenderClasses(CounterImpl.prototype);
});

test('a run names its project and workloads, and may have functions for the arguments and answers', () => {
  const workloads = [inSequence('orders', 2, ['order'])];
  expectTypeOf(runPerf).toBeCallableWith({ project: '.', workloads });
  expectTypeOf(runPerf).toBeCallableWith({
    project: '.',
    workloads,
    argumentsOf: (method: string, index: number) => [method, index],
    check:
      () =>
      ({ method, args, answer }: AnsweredCall) =>
        method === 'order' && args.length === 2 && answer === 'ok',
  });
  // @ts-expect-error: the arguments must be a list
  expectTypeOf(runPerf).toBeCallableWith({ project: '.', workloads, argumentsOf: () => 'tea' });
  // @ts-expect-error: the methods must be a list
  inSequence('orders', 2, 'order');
});
