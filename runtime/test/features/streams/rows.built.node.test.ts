/** Rows arrive page by page, and a method that yields wrong rows gets an error. */
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { ROW_WINDOW } from '../../../src/features/subscriptions/wire.ts';
import { all, numbers } from './items.ts';
import { serve } from './serve.ts';

const worker = await serve();

/** A client acknowledges after this number of rows, which is also the size of each page but the first. */
const HALF = ROW_WINDOW / 2;

describe('all rows come, each once and in order', () => {
  test.each([0, 1, 2_047, 2_048, 2_049, 4_096, 10_000])('%i rows of a table', async (count) => {
    using client = worker.connect(`table ${count}`);
    await client.fill(count);
    const rows = await all(subscribe(client).rows(1));
    expect(rows.map(({ number }) => number)).toEqual(numbers(1, count));
    // The first page has the size of a window, and each other page has half of it.
    expect(await client.pages()).toBe(Math.max(Math.floor(count / HALF), 1));
  });

  test('of an asynchronous generator, descending, with numbers as keys', async () => {
    using client = worker.connect('descending');
    const rows = await all(subscribe(client).numbers());
    expect(rows.map(({ number }) => number)).toEqual(numbers(1, 1_000).toReversed());
  });

  test.each([100, 1_000, 10_000, 200_000])('of %i characters', async (length) => {
    using client = worker.connect(`large ${length}`);
    const count = Math.min(Math.ceil(3_000_000 / length), 2_000);
    const rows = await all(subscribe(client).large(length, count));
    expect(rows.map(({ id }) => id)).toEqual(numbers(1, count));
  });
});

test('flat rows and rich rows arrive unchanged', async () => {
  using client = worker.connect('mixed');
  const rows = await all(subscribe(client).mixed(0));
  expect(rows).toEqual(
    numbers(1, 1_000).map((id) => ({ id, more: id % 7 === 0 ? new Date(id) : 'x'.repeat(id) })),
  );
});

// The method may change the decoded argument, so each page decodes the call again.
test('rows of a call with a rich argument arrive over several pages', async () => {
  using client = worker.connect('days');
  const rows = await all(subscribe(client).days(new Date(0)));
  expect(rows).toEqual(numbers(1, 5_000).map((id) => ({ id, day: new Date(id * 86_400_000) })));
});

test.each([1, 2, 8, 500])(
  'a row that cannot be sent is named, after the rows before it: %i',
  async (bad) => {
    using client = worker.connect(`unsendable ${bad}`);
    const ids: number[] = [];
    const reading = (async () => {
      for await (const { id } of subscribe(client).mixed(bad)) ids.push(id);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      path: `[${bad - 1}].more[0]`,
      message: `mixed: item [${bad - 1}]: Cannot send a function at .more[0]`,
    });
    expect(ids).toEqual(numbers(1, bad - 1));
  },
);

test('the iterator is ended after each page, so the object holds nothing between pages', async () => {
  using client = worker.connect('let go');
  await client.fill(10_000);
  const iterator = subscribe(client).rows(1)[Symbol.asyncIterator]();
  await iterator.next();
  expect(await client.trace('rows')).toEqual({ taken: ROW_WINDOW, ended: 1 });
  for (let row = 2; row < HALF; row++) await iterator.next();
  expect(await client.pages()).toBe(1);
  await iterator.next();
  await until(async () => (await client.pages()) === 2);
  expect(await client.trace('rows')).toEqual({ taken: ROW_WINDOW + HALF, ended: 2 });
  await iterator.return?.();
});

test('at most two pages of large rows are under way', async () => {
  using client = worker.connect('two pages');
  const iterator = subscribe(client).large(50_000, 1_000)[Symbol.asyncIterator]();
  await iterator.next();
  await client.lives();
  expect((await client.trace('large')).taken).toBe(6);
  await iterator.return?.();
});

describe('a cursor', () => {
  test('lets another loop go on later', async () => {
    using client = worker.connect('cursor');
    await client.fill(100);
    const stream = subscribe(client).rows(1);
    expect(stream.cursor).toBe(undefined);
    for await (const { number } of stream) if (number === 40) break;
    const after = stream.cursor as string;
    expect(after).toBe('"p0000040"');
    using other = worker.connect('cursor');
    const rows = await all(subscribe(other, { after }).rows(1));
    expect(rows.map(({ number }) => number)).toEqual(numbers(41, 100));
    await client.fill(102);
    const later = subscribe(other, { after: '"p0000100"' }).rows(1);
    expect((await all(later)).map(({ number }) => number)).toEqual([101, 102]);
    expect(later.cursor).toBe('"p0000102"');
  });

  test.each([
    { after: '12.abcdefg', code: 'CURSOR_EXPIRED' },
    { after: 'x', code: 'CURSOR_EXPIRED' },
    { after: '["p"]', code: 'CURSOR_EXPIRED' },
    { after: 'null', code: 'CURSOR_EXPIRED' },
    { after: '5', code: 'INVALID_ARGUMENTS' },
    { after: JSON.stringify('x'.repeat(20_000)), code: 'LIMIT_EXCEEDED' },
  ])('$after.length: $code', async ({ after, code }) => {
    using client = worker.connect('bad cursor');
    await client.fill(10);
    await expect(all(subscribe(client, { after }).rows(1))).rejects.toMatchObject({ code });
    expect(await client.pages()).toBe(0);
  });

  test('is not an argument', async () => {
    using client = worker.connect('argument');
    const { rows } = subscribe(client) as unknown as {
      rows: (...args: unknown[]) => AsyncIterable<unknown>;
    };
    await expect(all(rows(1, 'p0000005'))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[1]',
    });
  });
});

describe('a wrong method', () => {
  const read = async (
    method: 'forgetful' | 'inclusive' | 'twice' | 'placeless' | 'failAfter',
  ): Promise<{ ids: unknown[]; thrown: unknown }> => {
    using client = worker.connect(`wrong ${method}`);
    const ids: unknown[] = [];
    try {
      for await (const { id } of subscribe(client)[method]()) ids.push(id);
    } catch (thrown) {
      return { ids, thrown };
    }
    throw new Error('It ended');
  };

  test('begins from the first row for each page', async () => {
    const { ids, thrown } = await read('forgetful');
    expect(ids).toEqual(numbers(1, ROW_WINDOW));
    expect(String(thrown)).toMatch(/forgetful: row \[2048\] has the id 1 of an earlier row/);
  });

  test('begins with the last row of the page before', async () => {
    const { ids, thrown } = await read('inclusive');
    expect(ids).toEqual(numbers(1, ROW_WINDOW));
    expect(String(thrown)).toMatch(/inclusive: row \[2048\] has the id 2048 of an earlier row/);
  });

  test('yields two rows with one key', async () => {
    const { ids, thrown } = await read('twice');
    expect(ids).toEqual([1]);
    expect(String(thrown)).toMatch(/twice: row \[1\] has the id 1 of an earlier row/);
  });

  test('yields a row without a valid key', async () => {
    const { ids, thrown } = await read('placeless');
    expect(ids).toEqual([1, 'x']);
    expect(String(thrown)).toMatch(/placeless: row \[2\] has no id that is a string or a number/);
  });

  test('throws between two rows', async () => {
    const { ids, thrown } = await read('failAfter');
    expect(ids).toEqual(numbers(1, 700));
    expect(thrown).toEqual(new RangeError('after 700'));
  });

  // A feed reports with this error that its loop has to begin again.
  test('throws the error of an expired feed, and does not run again', async () => {
    using client = worker.connect('refusing');
    const error = { code: 'CURSOR_EXPIRED', message: 'thrown by the class' };
    await expect(all(subscribe(client).refusing())).rejects.toMatchObject(error);
    expect(await client.pages()).toBe(1);
  });
});

test('a key that does not fit into the state of a connection ends the rows', async () => {
  using client = worker.connect('wide');
  await expect(all(subscribe(client).wide())).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message:
      'The connection has too many subscriptions, or their arguments are too large: end some, or open another client',
  });
  expect(await client.pages()).toBe(0);
});

test('a capability that is revoked ends its rows and streams', async () => {
  using client = worker.connect('revoked');
  await client.fill(10_000);
  const reader = await client.reader();
  const iterators = [subscribe(reader).rows(1), subscribe(reader).count('a', 1, 500)].map(
    (stream) => (stream as AsyncIterable<unknown>)[Symbol.asyncIterator](),
  );
  for (const iterator of iterators) await iterator.next();
  await client.revokeReader();
  for (const iterator of iterators) {
    const drain = async (): Promise<void> => {
      while (!(await iterator.next()).done);
    };
    await expect(drain()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  expect((await client.trace('a')).ended).toBe(1);
});
