/** An object reads its own feed in pages, in both directions, with the cursors between them. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { feed, type Feed, type FeedEvent, type FeedReadOptions } from '../../../src/server.ts';
import type { KeyValues } from '../../../src/server/feature.ts';
import { tries } from '../../support/effort.ts';

// These tests do much work, and a machine may be slow.
vi.setConfig({ testTimeout: 120_000 });

const expired = expect.objectContaining({ name: 'RpcError', code: 'CURSOR_EXPIRED' });

/** Returns a feed in memory with the numbers from 1, which keeps the newest. */
function numbers(count: number, keep = 1_000): Feed<number> {
  const all = feed<number>({}, 'numbers', { keep });
  for (let number = 1; number <= count; number++) all.append(number);
  return all;
}

/** Returns an object with this storage, and without connections. */
function objectWith(storage: { kv: KeyValues }): object {
  return { ctx: { storage, getWebSockets: () => [] } };
}

function eventsOf<Event>({ events }: { events: readonly FeedEvent<Event>[] }): Event[] {
  return events.map(({ event }) => event);
}

describe('of ten events', () => {
  const all = numbers(10);
  const [, epoch] = all.cursor.split('.');

  test.each<
    [name: string, options: FeedReadOptions, events: number[], before: number | null, after: number]
  >([
    ['the newest three', { limit: 3 }, [8, 9, 10], 7, 10],
    ['three before a cursor', { before: '7', limit: 3 }, [5, 6, 7], 4, 7],
    ['the oldest', { before: '2', limit: 3 }, [1, 2], null, 2],
    ['all before a cursor', { before: '3', limit: 3 }, [1, 2, 3], null, 3],
    ['nothing before the first', { before: '0' }, [], null, 0],
    ['three after a cursor', { after: '4', limit: 3 }, [5, 6, 7], 4, 7],
    ['the last ones after a cursor', { after: '8', limit: 3 }, [9, 10], 8, 10],
    ['nothing after the last', { after: '10' }, [], 10, 10],
    ['from the first', { after: '0', limit: 3 }, [1, 2, 3], null, 3],
    ['the events between two cursors', { after: '4', before: '6' }, [5, 6], 4, 6],
    [
      'the oldest events between two cursors',
      { after: '4', before: '9', limit: 3 },
      [5, 6, 7],
      4,
      7,
    ],
    ['nothing between', { after: '6', before: '6' }, [], 6, 6],
    ['nothing where the end is before the beginning', { after: '6', before: '4' }, [], 6, 6],
    ['all', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], null, 10],
    [
      'all, if the limit is higher',
      { limit: 2 ** 53 - 1 },
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      null,
      10,
    ],
  ])('%s', (_, { before, after, limit }, events, previous, next) => {
    const cursorOf = (event: string | number | null | undefined): string | undefined =>
      event === null || event === undefined ? undefined : `${event}.${Number(event) ? epoch : ''}`;
    const page = all.read({ before: cursorOf(before), after: cursorOf(after), limit });
    expect(page).toStrictEqual({
      events: events.map((event) => ({ cursor: cursorOf(event), event })),
      ...(previous !== null && { before: cursorOf(previous) }),
      after: cursorOf(next),
    });
  });
});

test('an empty feed has no events, and a cursor', () => {
  const none = feed({}, 'none');
  for (const options of [undefined, {}, { before: '0.' }, { after: '0.' }]) {
    expect(none.read(options)).toStrictEqual({ events: [], after: '0.' });
  }
});

test('a page has 50 events by default', () => {
  expect(eventsOf(numbers(60).read())).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 11),
  );
});

describe.each(['before', 'after'] as const)('%s', (option) => {
  test.each<unknown>([
    '',
    '5',
    '11.epoch',
    '999999999999999.epoch',
    '5.anotherepoch',
    '5.',
    '-1.epoch',
    'x'.repeat(1_000_000),
    '__proto__',
    5,
    null,
    {},
  ])('%j is rejected', (cursor) => {
    const all = numbers(10);
    const epoch = all.cursor.split('.')[1] as string;
    const given = typeof cursor === 'string' ? cursor.replace(/\.epoch$/, `.${epoch}`) : cursor;
    expect(() => all.read({ [option]: given })).toThrow(expired);
    expect(eventsOf(all.read({ limit: 1 }))).toEqual([10]);
  });

  test('the cursor of another feed is rejected', () => {
    expect(() => numbers(10).read({ [option]: numbers(5).cursor })).toThrow(expired);
  });
});

test.each([0, -1, 1.5, Number.NaN, Infinity, '5', null])('the limit %s is rejected', (limit) => {
  expect(() => numbers(1).read({ limit: limit as number })).toThrow(
    new RangeError(`limit of feed numbers is ${limit}: write a positive integer`),
  );
});

test.each([
  ['undefined', undefined],
  ['text with a line break', 'a\n.b'],
  ['bytes', new Uint8Array([1, 2, 3])],
  ['values that JSON lacks', { at: new Date(5), of: new Map([['a', 1n]]) }],
  ['text that looks like an error', ['error', { message: 'no' }]],
])('an event stays as it was appended: %s', (_, event) => {
  const all = feed<unknown>({}, 'values');
  all.append(event, 'next');
  expect(eventsOf(all.read())).toEqual([event, 'next']);
});

describe('events that were dropped', () => {
  test('are like events that never were, if older events are read', () => {
    const all = numbers(100, 10);
    const { before } = all.read({ limit: 5 });
    expect(eventsOf(all.read({ before }))).toEqual([91, 92, 93, 94, 95]);
    for (let number = 101; number <= 103; number++) all.append(number);
    const page = all.read({ before });
    expect(eventsOf(page)).toEqual([94, 95]);
    expect(page.before).toBeUndefined();
    for (let number = 104; number <= 5_000; number++) all.append(number);
    expect(all.read({ before })).toStrictEqual({ events: [], after: before });
  });

  test('are a gap, if newer events are read', () => {
    const all = numbers(1, 10);
    const { after } = all.read();
    for (let number = 2; number <= 11; number++) all.append(number);
    expect(eventsOf(all.read({ after }))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    all.append(12);
    expect(() => all.read({ after })).toThrow(expired);
  });

  test('do not come back if the object keeps more now', () => {
    const instance = {};
    const few = feed<number>(instance, 'numbers', { keep: 10 });
    for (let number = 1; number <= 5_000; number++) few.append(number);
    const page = feed<number>(instance, 'numbers', { keep: 5_000 }).read({ limit: 5_000 });
    expect(eventsOf(page).at(-1)).toBe(5_000);
    // The log drops whole rows, so it may have some more events than it has to keep.
    expect(page.events.length).toBeGreaterThanOrEqual(10);
    expect(page.events.length).toBeLessThan(1_000);
    expect(page.before).toBeUndefined();
  });
});

describe('a large page', () => {
  test('has fewer events, and goes on in both directions', () => {
    const all = feed<string>({}, 'large');
    const text = 'x'.repeat(65_000);
    for (let number = 0; number < 100; number++) all.append(`${number} ${text}`);
    const seen: number[] = [];
    let before: string | undefined;
    do {
      const page = all.read({ before, limit: 1_000 });
      expect(JSON.stringify(page).length).toBeLessThan(1_001_000);
      expect(page.events.length).toBeGreaterThanOrEqual(10);
      seen.unshift(...eventsOf(page).map((event) => Number.parseInt(event, 10)));
      ({ before } = page);
    } while (before !== undefined);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index));
    const again: number[] = [];
    for (let after = '0.'; again.length < 100;) {
      const page = all.read({ after, limit: 1_000 });
      again.push(...eventsOf(page).map((event) => Number.parseInt(event, 10)));
      ({ after } = page);
    }
    expect(again).toEqual(seen);
  });

  test('counts the cursors of tiny events, too', () => {
    const all = feed<number>({}, 'tiny', { keep: 100_000 });
    all.append(...Array.from({ length: 60_000 }, () => 1));
    const page = all.read({ limit: 100_000 });
    expect(JSON.stringify(page).length).toBeLessThan(1_001_000);
    expect(page.events.length).toBeGreaterThan(10_000);
  });
});

/** Returns an object whose storage counts the rows that are read. */
function counting(kv: KeyValues): { instance: object; rows: () => number } {
  let count = 0;
  const counted: KeyValues = {
    get<Value>(key: string) {
      count++;
      return kv.get<Value>(key);
    },
    put: (key, value) => kv.put(key, value),
    delete: (key) => kv.delete(key),
    *list<Value>(range: Parameters<KeyValues['list']>[0]) {
      for (const entry of kv.list<Value>(range)) {
        count++;
        yield entry;
      }
    },
  };
  const rows = (): number => {
    const before = count;
    count = 0;
    return before;
  };
  return { instance: objectWith({ kv: counted }), rows };
}

test('a page reads only the rows that it needs', async () => {
  await runInDurableObject(env.COUNTER.getByName('feed rows'), (_, { storage }) => {
    const { instance, rows } = counting(storage.kv);
    const all = feed<string>(instance, 'rows', { keep: 10_000 });
    // A row of the storage has about 20 events.
    for (let number = 0; number < 5_000; number++) all.append('x'.repeat(97));
    rows();
    const { before } = all.read({ limit: 1 });
    expect(rows()).toBeLessThanOrEqual(3);
    let cursor = before;
    for (let count = 0; count < 50; count++) ({ before: cursor } = all.read({ before: cursor }));
    rows();
    // 50 events are in three or four rows. The other reads find the beginning and check the cursor.
    expect(all.read({ before: cursor }).events).toHaveLength(50);
    expect(rows()).toBeLessThanOrEqual(4 + 3);
    expect(all.read({ after: cursor }).events).toHaveLength(50);
    expect(rows()).toBeLessThanOrEqual(4 + 6);
  });
});

describe('with the storage of an object', () => {
  test('an event of the same method is read, unless it is rolled back', async () => {
    await runInDurableObject(env.COUNTER.getByName('feed same'), (_, { storage }) => {
      const all = feed<string>(objectWith(storage), 'same');
      all.append('first');
      const rolledBack = (): never => {
        all.append('in vain');
        cursor = all.read().after;
        expect(eventsOf(all.read())).toEqual(['first', 'in vain']);
        throw new EvalError('rolled back');
      };
      let cursor = '';
      expect(() => storage.transactionSync(rolledBack)).toThrow(EvalError);
      expect(eventsOf(all.read())).toEqual(['first']);
      expect(() => all.read({ before: cursor })).toThrow(expired);
      all.append('second');
      expect(eventsOf(all.read())).toEqual(['first', 'second']);
      for (const option of ['before', 'after']) {
        expect(() => all.read({ [option]: cursor })).toThrow(expired);
      }
    });
  });

  test('a page that was read only in part changes nothing', async () => {
    await runInDurableObject(env.COUNTER.getByName('feed abandoned'), (_, { storage }) => {
      const all = feed<string>(objectWith(storage), 'abandoned');
      for (let number = 0; number < 500; number++) all.append('x'.repeat(500));
      const readAndRollBack = (): never => {
        expect(all.read({ limit: 10 }).events).toHaveLength(10);
        storage.kv.put('other', 1);
        all.append('in vain');
        expect(all.read({ limit: 10 }).events).toHaveLength(10);
        throw new EvalError('rolled back');
      };
      for (let time = 0; time < 20; time++) {
        expect(() => storage.transactionSync(readAndRollBack)).toThrow(EvalError);
        expect(all.read({ limit: 10 }).events).toHaveLength(10);
        all.append(`${time}`);
      }
      expect(eventsOf(all.read({ limit: 20 }))).toEqual(
        Array.from({ length: 20 }, (__, index) => `${index}`),
      );
    });
  });

  test('after the storage was emptied, the earlier cursors are invalid', async () => {
    await runInDurableObject(env.COUNTER.getByName('feed emptied'), async (_, { storage }) => {
      const all = feed<number>(objectWith(storage), 'emptied');
      all.append(1, 2, 3);
      const { after } = all.read();
      const { before } = all.read({ limit: 1 });
      await storage.deleteAll();
      for (const cursor of [before, after]) {
        expect(() => all.read({ before: cursor })).toThrow(expired);
        expect(() => all.read({ after: cursor })).toThrow(expired);
      }
      all.append(4, 5, 6, 7);
      for (const cursor of [before, after]) {
        expect(() => all.read({ before: cursor })).toThrow(expired);
        expect(() => all.read({ after: cursor })).toThrow(expired);
      }
      expect(eventsOf(all.read())).toEqual([4, 5, 6, 7]);
    });
  });
});

test('pages of any size join in both directions, while events are appended and dropped', async () => {
  let names = 0;
  await runInDurableObject(env.COUNTER.getByName('feed pages joined'), (_, { storage }) => {
    const instance = objectWith(storage);
    const sizes = fc.array(fc.oneof(fc.nat(200), fc.nat(3_000)), { minLength: 1, maxLength: 60 });
    const step = fc.record({ limit: fc.integer({ min: 1, max: 20 }), appended: fc.nat(3) });
    const steps = fc.array(step, { minLength: 1, maxLength: 30 });
    const run = fc.property(
      sizes,
      steps,
      fc.integer({ min: 1, max: 80 }),
      (lengths, pages, keep) => {
        const all = feed<string>(instance, `joined ${++names}`, { keep });
        const list: string[] = [];
        const append = (length: number): void => {
          const text = `${list.length} ${'x'.repeat(length)}`;
          all.append(text);
          list.push(text);
        };
        for (const length of lengths) append(length);
        const newest = all.read({ limit: 1 });
        const seen = [...newest.events];
        let { before, after } = newest;
        for (const { limit, appended } of pages) {
          for (let count = 0; count < appended; count++) append(10);
          if (before !== undefined) {
            const older = all.read({ before, limit });
            expect(older.after).toBe(before);
            expect(older.events.length).toBeLessThanOrEqual(limit);
            seen.unshift(...older.events);
            ({ before } = older);
          }
          if (list.length - keep <= Number.parseInt(after, 10)) {
            const newer = all.read({ after, limit });
            seen.push(...newer.events);
            ({ after } = newer);
          } else expect(() => all.read({ after, limit })).toThrow(expired);
          const first = Number.parseInt(seen[0]?.cursor ?? '1', 10);
          expect(eventsOf({ events: seen })).toEqual(
            list.slice(first - 1, first - 1 + seen.length),
          );
          expect(after).toBe(seen.at(-1)?.cursor);
        }
      },
    );
    fc.assert(run, { numRuns: tries(200), seed: 20_261_127 });
  });
});
