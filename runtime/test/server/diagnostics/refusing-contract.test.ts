/**
 * In development, a class whose contract has a mistake can be defined, and each call reports the
 * mistake.
 */
import { runInDurableObject } from 'cloudflare:test';
import { DurableObject, env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { lumenizeRpcDO } from '../../../src/server.ts';
import type { TestEnv } from '../../worker.ts';

const env = bindings as TestEnv;

class Any extends DurableObject<Env> {
  fine(): number {
    return 1;
  }
}

interface Wrong extends Any {
  fetch(request: Request): Promise<Response>;
  missing(): unknown;
}

let report: MockInstance<typeof console.error>;

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'development');
  report = vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const define = (contract: object, options = {}): new (...given: unknown[]) => Wrong =>
  lumenizeRpcDO(Any, contract as never, options) as never;

const MISSING = 'The contract lists missing, which is not a method of the class';
const RESERVED = 'The contract lists fetch, which is a reserved name: rename the method';

test.each([
  [{ fine: [], missing: [] }, MISSING],
  [{ fine: [], fetch: [] }, RESERVED],
])('%j', async (contract, problem) => {
  const Class = define(contract, { limits: { callsPerFrame: 3 } });
  expect(report.mock.calls).toEqual([[new TypeError(problem)]]);
  await runInDurableObject(env.HIBERNATING.getByName('wrong'), async (_, state) => {
    const object = new Class(state, env);
    const post = async (body: string): Promise<string> => {
      const headers = { 'Content-Type': 'application/json' };
      const request = new Request('https://example.com/call', { method: 'POST', headers, body });
      return (await object.fetch(request)).text();
    };
    const answers = await post('[[1,"fine"],[2,"missing"],[3,"other"]]');
    expect(answers.split(`"TypeError","${problem}"`)).toHaveLength(4);
    expect(await post('[[1,"a"],[2,"a"],[3,"a"],[4,"a"]]')).toContain('callsPerFrame is at most 3');
    expect(() => object.fine()).toThrow(problem);
    if (problem === MISSING) expect(() => object.missing()).toThrow(problem);
  });
});

test.each([
  [
    { limits: { callsPerFrame: Number.NaN } },
    'The limit callsPerFrame is NaN: write a number of at least 0',
  ],
  [{ use: [{}] }, 'use[0] in the options is not a feature, such as bytes or reportCalls(…)'],
])('a mistake in the options: %j', async (options, problem) => {
  const Class = define({ fine: [] }, options);
  expect(report.mock.calls).toEqual([[new TypeError(problem)]]);
  await runInDurableObject(env.HIBERNATING.getByName('wrong limits'), (_, state) => {
    expect(() => new Class(state, env).fine()).toThrow(problem);
  });
});

test('in production it cannot be defined', () => {
  vi.stubEnv('NODE_ENV', 'production');
  expect(() => define({ missing: [] })).toThrow(new TypeError(MISSING));
  expect(report).not.toHaveBeenCalled();
});
