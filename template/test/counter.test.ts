/** Tests of the counter through native Workers RPC, a WebSocket and POST. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Counter } from '../src/counter.ts';
import { subscribe } from 'lumenize-rpc/client';
import { collect, connect } from 'lumenize-rpc/testing';

describe('native Workers RPC', () => {
  test('counts', async () => {
    const counter = env.COUNTER.getByName('native');
    expect(await counter.increment()).toBe(1);
    expect(await counter.increment(5)).toBe(6);
    expect(await counter.getValue()).toBe(6);
    await counter.reset();
    expect(await counter.getValue()).toBe(0);
  });

  test('checks arguments', async () => {
    const object = env.COUNTER.getByName('native-invalid');
    // This runs inside the object, because the runtime prints `uncaught exception` for an error that leaves it.
    await runInDurableObject(object, (counter: Counter) => {
      expect(() => counter.increment(0)).toThrow('increment: argument [0] ');
      expect(counter.getValue()).toBe(0);
    });
  });
});

describe.each(['websocket', 'http'] as const)('RPC client over %s', (transport) => {
  test('counts', async () => {
    using counter = connect<Counter>('COUNTER', `counts-${transport}`, { transport });
    expect(await counter.increment()).toBe(1);
    expect(await counter.increment(5)).toBe(6);
    expect(await counter.getValue()).toBe(6);
    expect(await counter.reset()).toBeUndefined();
    expect(await counter.getValue()).toBe(0);
  });

  test('reaches the same object as native RPC', async () => {
    using counter = connect<Counter>('COUNTER', `same-${transport}`, { transport });
    await counter.increment(3);
    expect(await env.COUNTER.getByName(`same-${transport}`).getValue()).toBe(3);
  });

  test('throws its own error when it is full, and counts no further', async () => {
    using counter = connect<Counter>('COUNTER', `full-${transport}`, { transport });
    await Promise.all(Array.from({ length: 1000 }, () => counter.increment(1_000_000)));
    const thrown = await counter.increment().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(RangeError);
    expect(thrown).toMatchObject({
      message: 'The counter holds 1000000000 at most',
      stack: expect.stringContaining('counter.ts'),
    });
    expect(await counter.getValue()).toBe(1_000_000_000);
  });

  test('keeps its value when the object is evicted', async () => {
    const name = `evicted-${transport}`;
    using counter = connect<Counter>('COUNTER', name, { transport });
    await counter.increment(7);
    await evictDurableObject(env.COUNTER.getByName(name));
    expect(await counter.increment()).toBe(8);
  });

  test.each([
    ['a string', 'one'],
    ['a fraction', 1.5],
    ['too little', 0],
    ['too much', 1_000_001],
    ['null', null],
  ])('refuses %s', async (_, by) => {
    using counter = connect<Counter>('COUNTER', `invalid-${transport}`, { transport });
    await expect(counter.increment(by as number)).rejects.toMatchObject({
      name: 'RpcError',
      code: 'INVALID_ARGUMENTS',
      path: '[0]',
      message: expect.stringContaining('increment: argument [0] '),
    });
    expect(await counter.getValue()).toBe(0);
  });
});

test('sends its value to subscribers, also when another caller changes it', async () => {
  using client = connect<Counter>('COUNTER', 'live');
  const values = collect(subscribe(client).getValue());
  await expect.poll(() => values).toEqual([0]);
  await env.COUNTER.getByName('live').increment(2);
  await expect.poll(() => values).toEqual([0, 2]);
});
