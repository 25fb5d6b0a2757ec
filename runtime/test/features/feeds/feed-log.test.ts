/**
 * Compares the log of a feed in an object's storage with a plain list: appends, trims, transactions that are rolled
 * back, lives of the object and deleted logs, in any order.
 */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { FeedLog } from '../../../src/features/feeds/server/feed-log.ts';
import { kvOf } from '../../../src/server/feature.ts';
import { tries } from '../../support/effort.ts';

// These tests do much work, and a machine may be slow.
vi.setConfig({ testTimeout: 120_000 });

type Step =
  | { kind: 'append' | 'roll back'; sizes: number[] }
  | { kind: 'read'; from: number; to: number }
  | { kind: 'new life' | 'delete' };

/** The sizes are near the sizes at which a page is full. */
const size = fc.oneof(
  { weight: 8, arbitrary: fc.nat(200) },
  { weight: 2, arbitrary: fc.integer({ min: 1_900, max: 2_100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 65_000 }) },
);

const sizes = fc.array(size, { maxLength: 12 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('append' as const), sizes }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('roll back' as const), sizes }) },
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      from: fc.nat(1_000),
      to: fc.nat(1_000),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ kind: 'new life' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' as const }) },
);

let names = 0;

/** A log, and a list of everything that was appended to it. */
class Pair {
  readonly #storage: DurableObjectStorage;
  readonly #keep: number;
  readonly #name = `log ${++names}`;
  #log: FeedLog;
  #all: string[] = [];
  /** The epoch of the newest event. */
  #epoch = '';
  /** True if the next event begins an epoch, because the log in memory has no epoch or has lost its last writes. */
  #begins = true;
  readonly #epochs = new Set<string>();
  #count = 0;

  constructor(storage: DurableObjectStorage, keep: number) {
    this.#storage = storage;
    this.#keep = keep;
    this.#log = new FeedLog(storage.kv, this.#name);
  }

  take(one: Step): void {
    if (one.kind === 'append') this.#append(one.sizes);
    else if (one.kind === 'roll back') this.#rollBack(one.sizes);
    else if (one.kind === 'read') this.#read(one.from, one.to);
    else if (one.kind === 'new life') {
      this.#log = new FeedLog(this.#storage.kv, this.#name);
      this.#begins = true;
    } else this.#delete();
    this.#check();
  }

  #texts(lengths: number[]): string[] {
    return lengths.map((length) => `,"${++this.#count}${'x'.repeat(length)}"`);
  }

  #append(lengths: number[]): void {
    const texts = this.#texts(lengths);
    this.#log.append(texts, this.#keep);
    this.#all.push(...texts);
    if (texts.length === 0) return;
    const { epoch } = this.#log.end;
    if (this.#begins) expect(this.#epochs).not.toContain(epoch);
    else expect(epoch).toBe(this.#epoch);
    this.#epochs.add((this.#epoch = epoch));
    this.#begins = false;
  }

  #rollBack(lengths: number[]): void {
    const texts = this.#texts(lengths);
    const run = (): void => {
      this.#log.append(texts, this.#keep);
      expect(this.#log.end.event).toBe(this.#all.length + texts.length);
      throw new EvalError('rolled back');
    };
    expect(() => this.#storage.transactionSync(run)).toThrow('rolled back');
    if (texts.length > 0) this.#begins = true;
  }

  #read(one: number, other: number): void {
    const end = this.#all.length;
    const [after = 0, last = 0] = [one % (end + 1), other % (end + 1)].toSorted((a, b) => a - b);
    const { texts, before, epochs } = this.#log.read(after, last);
    expect(before).toBe(this.#log.epochOf(after));
    // Each epoch begins at its event, and ends at the next epoch.
    let epoch = before;
    const known = before === undefined ? after : last;
    for (let event = after + 1; event <= known; event++) {
      epoch = epochs.get(event) ?? epoch;
      expect(this.#log.epochOf(event)).toBe(epoch);
    }
    if (before !== undefined) expect(texts).toEqual(this.#all.slice(after, last));
    else if (last > after) expect(texts.length).toBeLessThan(last - after);
  }

  #delete(): void {
    const pages = this.#storage.kv.list({
      prefix: `__rpc_feed:${encodeURIComponent(this.#name)}:`,
    });
    for (const key of Array.from(pages, ([name]) => name)) this.#storage.kv.delete(key);
    if (this.#all.length > 0) this.#begins = true;
    this.#all = [];
    this.#epoch = '';
  }

  #check(): void {
    const { length } = this.#all;
    expect(this.#log.end).toEqual({ event: length, epoch: this.#epoch });
    // The events that the log has to keep are readable.
    const kept = Math.min(this.#keep, length);
    expect(this.#log.epochOf(length - kept)).toBeDefined();
    expect(this.#log.read(length - kept, length).texts).toEqual(this.#all.slice(length - kept));
    expect(this.#log.read(length, length).texts).toEqual([]);
  }
}

test('the log does what a list does', async () => {
  await runInDurableObject(env.COUNTER.getByName('feed logs'), (_, { storage }) => {
    const run = fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.array(step, { minLength: 5, maxLength: 40 }),
      (keep, steps) => {
        const pair = new Pair(storage, keep);
        for (const one of steps) pair.take(one);
      },
    );
    fc.assert(run, { numRuns: tries(300), seed: 20_261_122 });
  });
});

test('pages without an event to keep are dropped', async () => {
  await runInDurableObject(env.COUNTER.getByName('feed pages'), (_, { storage }) => {
    const log = new FeedLog(storage.kv, 'long');
    for (let event = 1; event <= 5_000; event++) log.append([`,${event}`], 10);
    expect([...storage.kv.list({ prefix: '__rpc_feed:long:' })].length).toBeLessThan(4);
    log.append(
      Array.from({ length: 100_000 }, (__, index) => `,"${index}${'x'.repeat(20)}"`),
      10,
    );
    expect([...storage.kv.list({ prefix: '__rpc_feed:long:' })].length).toBeLessThan(3);
    expect(log.end.event).toBe(105_000);
    expect(log.read(104_999, 105_000).texts).toEqual([`,"99999${'x'.repeat(20)}"`]);
  });
});

test('logs stay apart, even if their names look like keys of each other’s pages', async () => {
  await runInDurableObject(env.COUNTER.getByName('feed names'), (_, { storage }) => {
    const feeds = ['a', 'a:', 'a:0000000000000001', 'a%3A', 'A', ' a', 'é', 'e\u0301', '__proto__'];
    const logs = feeds.map((name) => new FeedLog(storage.kv, name));
    for (const [index, log] of logs.entries()) {
      for (let event = 0; event <= index; event++) log.append([`,${index}`], 100);
    }
    for (const [index, name] of feeds.entries()) {
      const log = new FeedLog(storage.kv, name);
      expect(log.end.event).toBe(index + 1);
      expect(log.read(0, index + 1).texts).toEqual(
        Array.from({ length: index + 1 }, () => `,${index}`),
      );
    }
    expect(new Set(logs.map(({ end }) => end.epoch)).size).toBe(feeds.length);
  });
});

test('a log goes on after all pages of a storage that was emptied and restored', () => {
  const kv = kvOf({});
  const log = new FeedLog(kv, 'restored');
  const long = 'x'.repeat(900);
  log.append([`,"${long}"`], 1_000);
  for (let number = 0; number < 9; number++) log.append([`,"${long}"`], 1_000);
  const before = Array.from(kv.list<string>({ prefix: '' }));
  const { end } = log;
  for (const [key] of before) kv.delete(key);
  log.append([',"of another life"'], 1_000);
  for (const [key, value] of before) kv.put(key, value);
  expect(log.end).toEqual(end);
  log.append([',"next"'], 1_000);
  expect(log.end.event).toBe(11);
  expect(log.end.epoch).not.toBe(end.epoch);
});
