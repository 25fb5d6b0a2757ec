/**
 * Tests `versions` of `connect`: an old page meets the new object, and a new page meets the old
 * object, by the recorded contracts of both.
 */
import { evictDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { capabilities, callback, presence, stream, subscribe } from '../../src/client.ts';
import { describeClasses, describeContract } from '../../src/contract/describe.ts';
import { entriesOf } from '../../src/contract/entries-of.ts';
import { compileContract } from '../../src/server/contract/compile-contract.ts';
import { contractOf } from '../../src/server/contract/contract-of.ts';
import type { CompiledContract } from '../../src/server/contract/types.ts';
import { type ClassContract, collect, connect } from '../../src/testing.ts';
import type { TestEnv } from '../worker.ts';
import { Tally } from './tally.ts';

const env = bindings as TestEnv;

/** The contract as it is read from a file. */
const written = JSON.parse(JSON.stringify(describeClasses({ Tally }))) as Record<
  string,
  ClassContract
>;
const { Tally: now } = written as { Tally: ClassContract };

/**
 * The contract of a tally that counted by at most 5, with one optional argument less, and without
 * `reset`.
 */
const before: ClassContract = {
  methods: {
    increment: {
      kind: 'call',
      input: [{ optional: true, schema: { type: 'integer', minimum: 1, maximum: 5 } }],
    },
    getValue: { kind: 'live', input: [], output: { type: 'integer', maximum: 3 } },
    each: {
      kind: 'call',
      input: [{ schema: { type: 'function', parameters: [], returnType: { type: 'void' } } }],
    },
  },
};

let report: { mockRestore(): void };
beforeAll(() => void (report = vi.spyOn(console, 'error').mockImplementation(() => {})));
afterAll(() => report.mockRestore());

/** The contract of a tally whose events had one property more. */
const signed: ClassContract = {
  methods: {
    ...now.methods,
    news: {
      kind: 'events',
      input: [],
      output: { type: 'object', required: ['value', 'by'], properties: { value: {}, by: {} } },
    },
  },
};

test('a page and an object of the same version meet as without the option', async () => {
  const versions = { page: now, object: now };
  using tally = connect<Tally>('TALLY', 'same', { versions });
  expect(await tally.increment(2)).toBe(2);
  const values = collect(subscribe(tally).getValue());
  await expect.poll(() => values).toEqual([2]);
  await tally.increment();
  await expect.poll(() => values).toEqual([2, 3]);
  await expect(tally.increment(0)).rejects.toThrow(
    'A page of the version in `versions` cannot send these arguments',
  );
});

test('each feature works by its recorded contract', async () => {
  using tally = connect<Tally>('TALLY', 'features', {
    capabilities,
    versions: { page: now, object: now },
  });
  const news = collect(subscribe(tally).news());
  await tally.each(callback(() => {}));
  await expect.poll(async () => (await tally.increment(), news.length)).toBeGreaterThan(0);
  await tally.reset();
  expect(await tally.addAll(stream([1, 2]))).toBe(3);
  const numbers: number[] = [];
  for await (const number of subscribe(tally).count(3)) numbers.push(number);
  for await (const { id } of subscribe(tally).list()) numbers.push(id);
  expect(numbers).toEqual([1, 2, 3, 1, 2, 3]);
  expect(await (await tally.view()).value()).toBe(3);
  expect(await tally.point(5)).toBe(5);
  const here = presence(tally, (methods) => methods.here());
  here.update('Ada');
  const seen: unknown[] = [];
  const leave = here.subscribe(({ error }) => seen.push(error));
  const others = collect(subscribe(tally).here());
  await expect.poll(() => others.at(-1)).toMatchObject([{ value: 'Ada' }]);
  leave();
  expect(seen.filter(Boolean)).toEqual([]);
});

test('the entries of what was written are as before', () => {
  const own = contractOf(Tally.prototype) as CompiledContract;
  const { methods } = describeContract(compileContract(entriesOf(now, own)));
  expect(methods).toEqual(now.methods);
});

test('a method that is internal now was public', async () => {
  const object = { methods: { ...now.methods, hidden: { kind: 'read', input: [] } } };
  using tally = connect<Tally>('TALLY', 'hidden', { versions: { object } });
  const { hidden } = tally as unknown as { hidden(): Promise<number> };
  expect(await hidden()).toBe(1);
});

describe.each(['websocket', 'http'] as const)(
  'a new page meets an old object, over %s',
  (transport) => {
    const open = (name: string) =>
      connect<Tally>('TALLY', `old ${transport} ${name}`, {
        transport,
        versions: { page: now, object: before },
      });

    test('a method is missing', async () => {
      using tally = open('missing');
      await expect(tally.reset()).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
    });

    test('an argument is refused, and the method does not run', async () => {
      using tally = open('refused');
      await expect(tally.increment(6)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
      expect(await tally.increment(5)).toBe(5);
    });
  },
);

describe('an old page meets the new object', () => {
  const open = (name: string) =>
    connect<Tally>('TALLY', `new ${name}`, { versions: { page: before } });

  test('the page sends only messages of its version', async () => {
    using tally = open('sends');
    expect(await tally.increment(5)).toBe(5);
    await expect(tally.increment(6)).rejects.toThrow(
      'A page of the version in `versions` cannot send these arguments',
    );
    await expect(tally.reset()).rejects.toThrow(
      'A page of the version in `versions` has no method reset',
    );
  });

  test('the page receives only values that it expects', async () => {
    using tally = open('gets');
    await tally.increment(3);
    expect(await tally.getValue()).toBe(3);
    await tally.increment();
    await expect(tally.getValue()).rejects.toMatchObject({ code: 'UNSERIALIZABLE' });
    const loop = subscribe(tally).getValue()[Symbol.asyncIterator]();
    await expect(loop.next()).rejects.toMatchObject({ code: 'UNSERIALIZABLE' });
  });

  test('the page receives only events that it expects', async () => {
    using tally = connect<Tally>('TALLY', 'events', { versions: { page: signed } });
    const loop = subscribe(tally).news()[Symbol.asyncIterator]();
    const next = loop.next();
    await tally.getValue();
    await expect(tally.increment()).rejects.toMatchObject({ code: 'UNSERIALIZABLE' });
    void loop.return?.();
    await next;
  });

  test('other objects of the class keep their version', async () => {
    using tally = open('others');
    await tally.increment(3);
    using other = connect<Tally>('TALLY', 'as it is');
    expect(await other.increment(100)).toBe(100);
    await expect(tally.increment(100)).rejects.toThrow('cannot send');
  });
});

test('a class that no longer exists is not found', async () => {
  const gone: ClassContract = {
    methods: {
      gone: { kind: 'call', input: [] },
      view: { kind: 'call', input: [], returns: ['Gone'] },
      increment: { kind: 'call', input: [{ capability: 'Gone' }] },
      each: {
        kind: 'call',
        input: [{ schema: { unreadable: 'effect' } }, { schema: { type: 'Date' } }],
      },
    },
  };
  using tally = connect<Tally>('TALLY', 'gone', { versions: { object: gone } });
  const { gone: call } = tally as unknown as { gone(): Promise<void> };
  await expect(call()).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  expect(await tally.increment(7)).toBe(7);
});

test('an eviction acts as the deployment', async () => {
  using tally = connect<Tally>('TALLY', 'deployed', { versions: { object: before } });
  await expect(tally.increment(6)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
  await evictDurableObject(env.TALLY.getByName('deployed'));
  expect(await tally.increment(6)).toBe(6);
});

test('a missing binding is an error of the test', () => {
  expect(() => connect<Tally>('NONE', 'x', { versions: { object: before } })).toThrow(
    'There is no object NONE/x for `versions`',
  );
});
