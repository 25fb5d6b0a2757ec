/** Rows, frame by frame: when a page is full, when the next page begins, and which rows end it. */
import * as Type from '../../../src/typebox.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { createRpcClient } from '../../../src/client.ts';
import { compileContract, read, rows, servePort } from '../../../src/server.ts';
import { ofKind, thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

/** The size of a page, in characters. */
const PAGE_SIZE = 131_072;

/** The maximum size of a message with a row. */
const MAX_ROW_SIZE = 1_048_576;

interface Numbers {
  id: number;
  text: string;
  [column: string]: unknown;
}

class Table {
  pages = 0;
  #gate = Promise.withResolvers<void>();

  /** Yields rows whose size is overestimated, because their numbers are small. */
  *numbers(count: number, length: number, after = 0): Generator<Numbers> {
    this.pages++;
    for (let id = after + 1; id <= count; id++) {
      yield { id, text: 'x'.repeat(length), a: 1, b: 1, c: 1, d: 1 };
    }
  }

  async *numbersSoon(count: number, length: number, after = 0): AsyncGenerator<Numbers> {
    yield* this.numbers(count, length, after);
  }

  /** Yields rows whose size is underestimated, because their text is escaped. */
  async *escaped(count: number, after = 0): AsyncGenerator<{ id: number; text: string }> {
    this.pages++;
    for (let id = after + 1; id <= count; id++) yield { id, text: '\u0001'.repeat(100) };
  }

  /** Yields rows. The second half of a window waits for `open`. */
  async *gated(after = 0): AsyncGenerator<{ id: number }> {
    this.pages++;
    for (let id = after + 1; id <= 5_000; id++) {
      if (id === 1_025) await this.#gate.promise;
      yield { id };
    }
  }

  open(): void {
    this.#gate.resolve();
  }

  /** Yields texts of these lengths. */
  *texts(lengths: number[], after = 0): Generator<{ id: number; text: string }> {
    this.pages++;
    for (let id = after + 1; id <= lengths.length; id++) {
      yield { id, text: 'x'.repeat(lengths[id - 1] as number) };
    }
  }

  /** Yields `large` large rows, and then small rows. */
  *smaller(large: number, count: number, after = 0): Generator<{ id: number; text: string }> {
    for (let id = after + 1; id <= count; id++) {
      yield { id, text: 'x'.repeat(id <= large ? 20_000 : 1) };
    }
  }

  /** Yields `small` small rows, and then large rows. */
  *larger(small: number, count: number, after = 0): Generator<{ id: number; text: string }> {
    for (let id = after + 1; id <= count; id++) {
      yield { id, text: 'x'.repeat(id > small ? 20_000 : 1) };
    }
  }

  /** Begins with the row after which it has to begin. */
  *inclusive(from = 1): Generator<{ id: number }> {
    for (let id = from; id <= 10; id++) yield { id };
  }

  /** The value of the bad row is no object, so the encoder finds it only at the end of the list. */
  *unsendable(bad: number, count: number, after = 0): Generator<{ id: number; value: unknown }> {
    for (let id = after + 1; id <= count; id++) yield { id, value: id === bad ? () => {} : 1 };
  }

  async *unsendableSoon(
    bad: number,
    count: number,
    after = 0,
  ): AsyncGenerator<{ id: number; value: unknown }> {
    yield* this.unsendable(bad, count, after);
  }

  *odd(value: unknown, _after = 0): Generator<unknown> {
    yield value;
  }

  sized(_text: string, _after = 0): Iterable<{ id: number }> {
    return [{ id: 1 }][Symbol.iterator]();
  }

  *between(_from?: number, after = 0): Generator<{ id: number }> {
    for (let id = after + 1; id <= 3_000; id++) yield { id };
  }

  one(): number {
    return 1;
  }
}

const integer = Type.Integer();
const after = Type.Optional(integer);

const contract = compileContract({
  numbers: rows('id', [integer, integer, after]),
  numbersSoon: rows('id', [integer, integer, after]),
  escaped: rows('id', [integer, after]),
  gated: rows('id', [after]),
  open: [],
  texts: rows('id', [Type.Array(integer), after]),
  smaller: rows('id', [integer, integer, after]),
  larger: rows('id', [integer, integer, after]),
  inclusive: rows('id', [after]),
  unsendable: rows('id', [integer, integer, after]),
  unsendableSoon: rows('id', [integer, integer, after]),
  odd: rows('id', [Type.Unknown(), after]),
  sized: rows('id', [Type.String(), after]),
  between: rows('id', [after, after]),
  one: read(),
});

const serve = (): { raw: RawConnection; table: Table } => {
  const table = new Table();
  return { raw: openPort(table, contract), table };
};

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

const isWindow = ([kind]: unknown[]): boolean => kind === 'window';
const isEnd = ([kind]: unknown[]): boolean => kind === 'complete';

const messagesOf = ({ frames }: RawConnection): unknown[][] =>
  frames.flatMap((frame) => JSON.parse(frame) as unknown[][]);

const idsIn = (messages: unknown[][]): number[] =>
  ofKind(messages, 'next').flatMap(([, , , list]) =>
    (list as { id: number }[]).map(({ id }) => id),
  );

describe.each([50, 100, 200, 400, 1_000])('rows of %i characters and small numbers', (length) => {
  test.each(['numbers', 'numbersSoon'] as const)('all rows of %s arrive', async (method) => {
    const { port1, port2 } = new MessageChannel();
    const served = servePort(port2, new Table(), contract);
    onTestFinished(() => served.close());
    using client = createRpcClient<Table>('TABLE', 'x', { transport: messagePortTransport(port1) });
    const ids: number[] = [];
    for await (const { id } of subscribe(client)[method](3_000, length)) ids.push(id);
    expect(ids).toEqual(upTo(3_000));
  });
});

describe('a page', () => {
  test.each(['numbers', 'numbersSoon'])(
    'of %s is full by its size, and two pages are under way',
    async (method) => {
      const { raw, table } = serve();
      raw.sendMessages(`["subscribe",1,null,"${method}",[9999,1000]]`);
      const [, , window] = (await raw.until(isWindow)).find(isWindow) ?? [];
      await expect.poll(() => table.pages).toBe(2);
      await expect.poll(() => idsIn(messagesOf(raw)).length).toBe(window);
      await raw.exchange();
      expect(idsIn(messagesOf(raw))).toEqual(upTo(window as number));
      const characters = JSON.stringify(ofKind(messagesOf(raw), 'next')).length;
      expect(characters).toBeGreaterThan(2 * PAGE_SIZE * 0.9);
      expect(characters).toBeLessThan(2 * PAGE_SIZE * 1.1);
    },
  );

  test('is full by its size, even if the size was underestimated', async () => {
    const { raw } = serve();
    raw.sendMessages('["subscribe",1,null,"escaped",[9999]]');
    const [, , window] = (await raw.until(isWindow)).find(isWindow) ?? [];
    expect(window).toBeLessThan(2_048);
    await expect.poll(() => idsIn(messagesOf(raw)).length).toBe(window);
  });

  test('of small rows after large rows has more rows again, up to the first window', async () => {
    const { raw } = serve();
    const windows: unknown[] = [];
    let heard = await raw.exchange('["subscribe",1,null,"smaller",[40,9000]]');
    while (ofKind(heard, 'complete').length === 0) {
      windows.push(...heard.filter(isWindow).map(([, , window]) => window));
      heard = await raw.exchange(`["ack",1,${idsIn(heard).at(-1)}]`);
    }
    expect(windows[0]).toBe(14);
    expect(windows.slice(-3)).toEqual([896, 1_792, 2_048]);
  });

  test('of large rows after small rows has as few rows as a first page', async () => {
    const { raw } = serve();
    await raw.exchange('["subscribe",1,null,"larger",[2048,5000]]');
    const [, , window] = (await raw.exchange('["ack",1,2048]')).find(isWindow) ?? [];
    expect(window).toBe(14);
  });

  test('goes on if its earlier rows are acknowledged meanwhile', async () => {
    const { raw, table } = serve();
    raw.sendMessages('["subscribe",1,null,"gated"]');
    await expect.poll(() => idsIn(messagesOf(raw)).length).toBe(1_024);
    raw.sendMessages('["ack",1,1024]', '[1,"open"]');
    // These rows are a window more than the acknowledged rows: the rest of a page, and another page.
    await expect.poll(() => idsIn(messagesOf(raw)).length).toBe(3_072);
    expect(idsIn(messagesOf(raw))).toEqual(upTo(3_072));
    expect(table.pages).toBe(2);
  });

  test('does not begin because of acknowledgements of rows that were not sent', async () => {
    const { raw } = serve();
    await raw.exchange('["subscribe",1,null,"between"]');
    expect(await raw.exchange('["ack",1,2049]', '["ack",1,9007199254740991]')).toEqual([]);
    expect(idsIn(await raw.exchange('["ack",1,1024]'))).toEqual(upTo(3_000).slice(2_048));
  });
});

describe('a row', () => {
  const refused = { code: 'LIMIT_EXCEEDED', message: 'the size of a row is at most 1048576' };

  test.each([
    ['is the first', []],
    ['follows small rows', [1, 1]],
  ])('that is too large, and %s, is rejected', async (_, before) => {
    const { raw } = serve();
    const most = MAX_ROW_SIZE - `["next",1,${before.length + 1},[{"id":1,"text":""}]]`.length;
    const fits = await raw.exchange(`["subscribe",1,null,"texts",[[${[...before, most]}]]]`);
    expect(idsIn(fits)).toEqual(upTo(before.length + 1));
    const heard = await raw.exchange(`["subscribe",2,null,"texts",[[${[...before, most + 1]}]]]`);
    expect(idsIn(heard)).toEqual(upTo(before.length));
    expect(thrownBy(heard.at(-1))).toMatchObject(refused);
  });

  test.each([
    ['unsendable', 'the last page', 2, 3],
    ['unsendable', 'a full page', 2_048, 5_000],
    ['unsendableSoon', 'the last page', 2, 3],
    ['unsendableSoon', 'a full page', 2_048, 5_000],
  ])(
    'of %s in %s that cannot be sent is named, after the rows before it',
    async (method, _, bad, count) => {
      const { raw } = serve();
      raw.sendMessages(`["subscribe",1,null,"${method}",[${bad},${count}]]`);
      const heard = await raw.until(isEnd);
      expect(idsIn(heard)).toEqual(upTo(bad - 1));
      expect(thrownBy(heard.at(-1))).toMatchObject({
        code: 'UNSERIALIZABLE',
        path: `[${bad - 1}].value`,
      });
      expect(ofKind(heard, 'complete')).toHaveLength(1);
      expect(await raw.exchange('["ack",1,1024]')).toEqual([]);
    },
  );

  test.each([
    ...['null', '5', '{"id":null}', '{"id":true}', '{}', '[]'].map((value) => `[${value}]`),
    '"rich",[[[{"id":["Number","NaN"]}]]]',
  ])('%s has no valid key', async (value) => {
    const { raw } = serve();
    const heard = await raw.exchange(`["subscribe",1,null,"odd",${value}]`);
    expect(thrownBy(heard.at(-1))).toMatchObject({
      name: 'TypeError',
      message: 'odd: row [0] has no id that is a string or a number, and id is the key of the rows',
    });
  });
});

test('a call of 12 000 characters can have rows, and a larger call is rejected', async () => {
  const { raw } = serve();
  const most = 12_000 - '[1,"sized",[""]]'.length;
  const subscribing = (length: number): string =>
    `["subscribe",1,null,"sized",["${'x'.repeat(length)}"]]`;
  expect(idsIn(await raw.exchange(subscribing(most)))).toEqual([1]);
  const [complete] = await raw.exchange(subscribing(most + 1));
  expect(thrownBy(complete)).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'the size of the call of a subscription is at most 12000',
  });
});

test('a method that yields the row of the cursor again gets an error', async () => {
  const { raw } = serve();
  const [, complete] = await raw.exchange('["subscribe",1,"5","inclusive"]');
  expect(thrownBy(complete)).toMatchObject({
    message: expect.stringContaining('inclusive: row [0] has the id 5 of an earlier row'),
  });
});

test('an argument that is left out before the cursor stays left out', async () => {
  const { raw } = serve();
  await raw.exchange('["subscribe",1,null,"between"]');
  expect(idsIn(await raw.exchange('["ack",1,2048]'))).toEqual(upTo(3_000).slice(2_048));
});
