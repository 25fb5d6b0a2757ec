/** An object without storage has a memory in its place. It lists its keys as the storage does. */
import { runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type KeyRange, type KeyValues, kvOf } from '../../../src/server/base/key-values.ts';
import type { TestEnv } from '../../worker.ts';

const env = bindings as TestEnv;

const KEYS = ['a', 'b:2', 'b:10', 'b:1', 'b:3', 'b', 'c:1'];

function filled(kv: KeyValues): KeyValues {
  for (const key of KEYS) kv.put(key, `at ${key}`);
  return kv;
}

test.each<KeyRange>([
  { prefix: 'b:' },
  { prefix: 'b:', start: 'b:10' },
  { prefix: 'b:', end: 'b:2' },
  { prefix: 'b:', start: 'b:10', end: 'b:3' },
  { prefix: 'b:', reverse: true },
  { prefix: 'b:', limit: 2 },
  { prefix: 'b:', limit: 1, reverse: true },
  { prefix: 'b:', end: 'b:2', limit: 1, reverse: true },
  { prefix: 'b:', start: 'b:10', limit: 2 },
  { prefix: 'd' },
])('%j', async (range) => {
  const stored = await runInDurableObject(env.HIBERNATING.getByName('listed'), (object) => [
    ...filled(kvOf(object)).list(range),
  ]);
  expect([...filled(kvOf({})).list(range)]).toEqual(stored);
});

test('each object has a memory of its own', () => {
  const [one, other] = [{}, {}];
  kvOf(one).put('key', 1);
  expect(kvOf(one).get('key')).toBe(1);
  expect(kvOf(other).get('key')).toBeUndefined();
  expect([kvOf(one).delete('key'), kvOf(one).delete('key')]).toEqual([true, false]);
  expect(kvOf(one).get('key')).toBeUndefined();
});
