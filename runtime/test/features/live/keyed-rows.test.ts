/** Live values whose rows have keys: the object sends only the changed rows, and the client keeps the other rows. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRpcClient, messagePortTransport, subscribe } from '../../../src/client.ts';
import { changed, compileContract, live, read, servePort } from '../../../src/server.ts';
import { type KeyedValue, keyedValueOf } from '../../../src/features/live/server/keyed-value.ts';
import { KeyedRows, type Patch } from '../../../src/features/subscriptions/client/keyed-rows.ts';
import { randomNumbers } from '../../../src/perf/measure/statistics.ts';
import { textFrameCodec } from '../../../src/wire/frame-codec.ts';
import { tries } from '../../support/effort.ts';
import { failureOf } from '../../support/failure-of.ts';
import { thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { difference } from '../../support/same.ts';

class Board {
  value: unknown;

  constructor(value?: unknown) {
    this.value = value;
  }

  cards(): unknown {
    return this.value;
  }

  one(): number {
    return 1;
  }
}

const contract = compileContract({ cards: live([], { key: 'id' }), one: read() });

type Row = Record<string, unknown>;

const row = (id: unknown, text = 'a text that is longer than a few numbers'): Row => ({ id, text });
const rows = (...ids: unknown[]): Row[] => ids.map((id) => row(id));

/** Subscribes to the cards, and returns the messages after each new value. */
class Watched {
  readonly board = new Board();
  readonly raw: RawConnection = openPort(this.board, contract);

  async begin(value: unknown): Promise<unknown[][]> {
    this.board.value = value;
    return this.raw.exchange('["subscribe",1,null,"cards"]');
  }

  async change(value: unknown): Promise<unknown[][]> {
    this.board.value = value;
    changed(this.board);
    await new Promise((resolve) => setTimeout(resolve));
    return this.raw.exchange();
  }
}

interface Change {
  name: string;
  from: unknown;
  to: unknown;
  /** The rows and ranges that the patch has. */
  patch: unknown[];
}

const CHANGES: Change[] = [
  {
    name: 'a change',
    from: rows(1, 2, 3),
    to: [row(1), row(2, 'b'), row(3)],
    patch: [0, 1, row(2, 'b'), 2, 1],
  },
  { name: 'a row at the end', from: rows(1, 2), to: rows(1, 2, 3), patch: [0, 2, row(3)] },
  { name: 'a row at the beginning', from: rows(1, 2), to: rows(0, 1, 2), patch: [row(0), 0, 2] },
  { name: 'a row between two', from: rows(1, 3), to: rows(1, 2, 3), patch: [0, 1, row(2), 1, 1] },
  { name: 'the first row removed', from: rows(1, 2, 3), to: rows(2, 3), patch: [1, 2] },
  { name: 'the last row removed', from: rows(1, 2, 3), to: rows(1, 2), patch: [0, 2] },
  {
    name: 'two rows removed',
    from: rows(1, 2, 3, 4, 5),
    to: rows(1, 3, 5),
    patch: [0, 1, 2, 1, 4, 1],
  },
  {
    name: 'a row moved forwards',
    from: rows(1, 2, 3, 4),
    to: rows(2, 3, 1, 4),
    patch: [1, 2, 0, 1, 3, 1],
  },
  {
    name: 'a row moved backwards',
    from: rows(1, 2, 3, 4),
    to: rows(4, 1, 2, 3),
    patch: [3, 1, 0, 3],
  },
  {
    name: 'a row moved and changed',
    from: rows(1, 2, 3),
    to: [row(3, 'c'), ...rows(1, 2)],
    patch: [row(3, 'c'), 0, 2],
  },
  { name: 'all rows removed', from: rows(1, 2), to: [], patch: [] },
  { name: 'a key that is a string', from: rows('b', 'a'), to: rows('a', 'b'), patch: [1, 1, 0, 1] },
];

describe('a patch is sent for', () => {
  test.each(CHANGES)('$name', async ({ from, to, patch }) => {
    const watched = new Watched();
    expect(await watched.begin(from)).toEqual([
      ['subscribed', 1],
      ['patch', 1, 0, from],
    ]);
    expect(await watched.change(to)).toEqual([['patch', 1, 1, patch]]);
    expect(await watched.change(structuredClone(to))).toEqual([]);
    expect(await watched.change(from)).toEqual([['patch', 1, 2, expect.anything()]]);
  });

  test('a change of one of 1 000 rows of 100 bytes, and has less than 400 bytes', async () => {
    const all = (changedText?: string): Row[] =>
      Array.from({ length: 1_000 }, (_, id) =>
        row(id, id === 500 && changedText ? changedText : 'x'.repeat(85)),
      );
    const watched = new Watched();
    await watched.begin(all());
    const [message] = await watched.change(all('y'.repeat(85)));
    expect(JSON.stringify([message]).length).toBeLessThan(160);
    expect(watched.raw.frames.join('').length).toBeLessThan(120_000);
  });

  test('a row that moves to another list', async () => {
    const watched = new Watched();
    const [one, two, three] = rows(1, 2, 3);
    await watched.begin({ todo: [one, two], done: [three] });
    expect(await watched.change({ todo: [one], done: [two, three] })).toEqual([
      ['patch', 1, 1, [0, 3], false, 'todo', 1, 'done', 2],
    ]);
    expect(await watched.change(new Map([['todo', [three]]]))).toEqual([
      ['patch', 1, 2, [2, 1], true, 'todo', 1],
    ]);
  });

  test('rows with rich values', async () => {
    const watched = new Watched();
    const at = { id: 1, at: new Date(5) };
    await watched.begin([at, row(2)]);
    expect(await watched.change([at, row(2), { id: 3n }])).toEqual([
      ['patch', 1, 1, [0, 2, [{ id: ['BigInt', '3'] }]]],
    ]);
    expect(await watched.change([{ id: 1, at: new Date(6) }, row(2)])).toEqual([
      ['patch', 1, 2, [[{ id: 1, at: ['Date', 6] }], 1, 1]],
    ]);
  });
});

test('a slow reader gets the changes since the value that it was sent last', async () => {
  const watched = new Watched();
  const upTo = (last: number): Row[] => rows(...Array.from({ length: last }, (_, id) => id));
  const sent = await watched.begin(upTo(1));
  for (let last = 2; last <= 40; last++) sent.push(...(await watched.change(upTo(last))));
  const more = ['window', 1, 16];
  expect(sent.slice(-2)).toEqual([['patch', 1, 15, [0, 15, row(15)]], more]);
  const [patch] = await watched.raw.exchange('["ack",1,16]');
  expect(patch).toEqual(['patch', 1, 16, [0, 16, ...upTo(40).slice(16)]]);
  // The reader was told that more follows, so it gets all rows, even if they are equal to the last.
  sent.length = 0;
  for (let last = 41; last <= 55; last++) sent.push(...(await watched.change(upTo(last))));
  sent.push(...(await watched.change(upTo(56))), ...(await watched.change(upTo(55))));
  expect(sent.slice(-2)).toEqual([['patch', 1, 31, [0, 54, row(54)]], more]);
  const [whole] = await watched.raw.exchange('["ack",1,16]');
  expect(whole).toEqual(['patch', 1, 0, upTo(55)]);
});

test('the account of a client counts the rows that the object holds for it', async () => {
  const board = new Board(rows(1, 2, 3));
  const limits = { memoryPerClient: 200 };
  const raw = openPort(
    board,
    compileContract({ cards: live([], { key: 'id' }), one: read() }, { limits }),
  );
  raw.send('[["subscribe",1,null,"cards"]]');
  await raw.next();
  raw.send('[[1,"one"]]');
  expect(await raw.next()).toContain('memoryPerClient');
  raw.send('[["unsubscribe",1],[2,"one"]]');
  expect(await raw.next()).toContain('[2,1]');
});

test.each([
  ['a value', 'x'.repeat(1_100)],
  ['rows', rows(...Array.from({ length: 20 }, (_, id) => id))],
])('%s beyond the memory of the object are an error', async (_, value) => {
  const limits = { memoryPerObject: 2_000 };
  const entries = { cards: live([], { key: 'id' }), one: read() };
  const raw = openPort(new Board(value), compileContract(entries, { limits }));
  const [, complete] = await raw.exchange('["subscribe",1,null,"cards"]');
  expect(thrownBy(complete)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

describe('a value that is not a list is sent as a whole', () => {
  test.each([
    ['null', null],
    ['a text', 'none'],
    ['an object with another property', { cards: rows(1), count: 1 }],
  ])('%s', async (_, value) => {
    const watched = new Watched();
    await watched.begin(rows(1, 2));
    const sent = await watched.change(value);
    expect(sent).toEqual([['value', 1, value]]);
    expect(await watched.change(rows(1, 2))).toEqual([['patch', 1, 0, rows(1, 2)]]);
  });
});

/** The values of a client that follows a board. */
interface Followed<Value> {
  first: () => Promise<Value>;
  /** Changes the value, and waits for the next value of the client. */
  next: <Next>(value: Next) => Promise<Next>;
}

function followed<Value>(value: Value): Followed<Value> {
  const { port1, port2 } = new MessageChannel();
  const board = new Board(value);
  servePort(port2, board, contract);
  const transport = messagePortTransport(port1);
  const client = createRpcClient<Board>('BOARD', 'rows', { transport });
  onTestFinished(() => client.close());
  const values = subscribe(client).cards()[Symbol.asyncIterator]();
  const newest = async <Newest>(): Promise<Newest> => (await values.next()).value as Newest;
  return {
    first: () => newest<Value>(),
    next: <Next>(to: Next) => {
      board.value = to;
      changed(board);
      return newest<Next>();
    },
  };
}

const RICH = [
  { id: 1, at: new Date(1) },
  { id: 2n, tags: new Set(['a']) },
  { id: 'c', bytes: new Uint8Array([1, 2, 3]) },
  { id: 4, large: new Uint8Array(5_000).fill(7) },
  { id: 5, nested: new Map([['k', [undefined, NaN]]]) },
  Object.assign(Object.create(null) as object, { id: 6 }),
  { id: 7, list: [[], ['Date'], {}], self: {} },
];
for (const one of RICH) if ('self' in one) one.self = one;

describe('a client', () => {
  test.each(CHANGES)(
    'has the list after $name, and keeps the objects of unchanged rows',
    async ({ from, to }) => {
      const { first, next } = followed(from);
      const before = await first();
      expect(before).toEqual(from);
      const after = await next(to);
      expect(after).toEqual(to);
      for (const one of after as Row[]) {
        const same = (before as Row[]).find(({ id }) => id === one['id']);
        if (same && JSON.stringify(same) === JSON.stringify(one)) expect(one).toBe(same);
        else expect(before).not.toContain(one);
      }
    },
  );

  test('has rows of any type, and keeps the rows that stay', async () => {
    const { first, next } = followed(RICH);
    const before = await first();
    expect(difference(RICH, before)).toBeUndefined();
    const after = await next(RICH.toReversed());
    expect(difference(RICH.toReversed(), after)).toBeUndefined();
    for (const [index, one] of before.toReversed().entries()) expect(after[index]).toBe(one);
  });

  test('has lists by name, and keeps a list that stays', async () => {
    const [one, two, three] = rows(1, 2, 3);
    const { first, next } = followed({ todo: [one, two], done: [three], none: [] });
    const before = await first();
    expect(before).toEqual({ todo: [one, two], done: [three], none: [] });
    const after = await next({ todo: [two, one], done: [three], none: [] });
    expect(after).toEqual({ todo: [two, one], done: [three], none: [] });
    expect(after.todo[0]).toBe(before.todo[1]);
    expect(after.done).toBe(before.done);
    expect(after.todo).not.toBe(before.todo);
  });

  test('has a list again after a value that is not a list', async () => {
    const { first, next } = followed(rows(1, 2));
    const before = await first();
    expect(await next(null)).toBe(null);
    const after = await next(rows(1, 2));
    expect(after).toEqual(rows(1, 2));
    expect(after[0]).toBe(before[0]);
    expect(await next(null)).toBe(null);
    expect(await next([])).toEqual([]);
    expect(await next(rows(2))).toEqual(rows(2));
  });

  test('that sorts its list itself still gets the right list', async () => {
    const { first, next } = followed(rows(1, 2, 3));
    (await first()).reverse();
    const after = await next(rows(1, 2, 3, 4));
    expect(after).toEqual(rows(1, 2, 3, 4));
    after.reverse();
    await next(null);
    expect(await next(rows(1, 2, 3, 4))).toEqual(rows(1, 2, 3, 4));
  });
});

describe('a client that gets a patch for a value that it does not have', () => {
  const [one, two, three] = rows(1, 2, 3) as [Row, Row, Row];

  /** Connects a client with an object that the test plays. */
  async function scripted(): Promise<{
    values: AsyncIterator<unknown>;
    send: (...messages: unknown[][]) => void;
    /** Waits until the client has subscribed `count` times. */
    subscribed: (count: number) => Promise<void>;
  }> {
    const { port1, port2 } = new MessageChannel();
    const object = RawConnection.port(port2);
    const transport = messagePortTransport(port1);
    const client = createRpcClient<Board>('BOARD', 'scripted', { transport });
    onTestFinished(() => client.close());
    const values = subscribe(client).cards()[Symbol.asyncIterator]();
    const count = (): number => object.frames.join().split('["subscribe",1,').length - 1;
    return {
      values,
      send: (...messages) => object.send(JSON.stringify(messages)),
      subscribed: (times) => expect.poll(count).toBe(times),
    };
  }

  test('subscribes again, and shows no wrong list', async () => {
    const { values, send, subscribed } = await scripted();
    const first = values.next();
    await subscribed(1);
    send(['subscribed', 1], ['patch', 1, 0, [one, two]]);
    expect(await first).toEqual({ done: false, value: [one, two] });
    const second = values.next();
    send(['patch', 1, 2, [0, 1]], ['patch', 1, 1, [1, 1]], ['patch', 1, 0, [three]]);
    await subscribed(2);
    // The object has to begin with all rows.
    send(['subscribed', 1], ['patch', 1, 1, [1, 1]]);
    await subscribed(3);
    send(['subscribed', 1], ['patch', 1, 0, [two, three]], ['patch', 1, 1, [1, 1, 0, 1]]);
    expect(await second).toEqual({ done: false, value: [three, two] });
  });

  test('gets the newest value again if its loop has not taken it', async () => {
    const { values, send, subscribed } = await scripted();
    const first = values.next();
    await subscribed(1);
    send(['subscribed', 1], ['patch', 1, 0, [one]]);
    await first;
    send(['patch', 1, 1, [0, 1, two]], ['patch', 1, 3, [0, 1]]);
    await subscribed(2);
    send(['subscribed', 1], ['patch', 1, 0, [one, two]]);
    expect(await values.next()).toEqual({ done: false, value: [one, two] });
  });

  test('does not show an equal list again', async () => {
    const { values, send, subscribed } = await scripted();
    const first = values.next();
    await subscribed(1);
    send(['subscribed', 1], ['patch', 1, 0, [one]]);
    await first;
    const second = values.next();
    send(['patch', 1, 2, [0, 1]]);
    await subscribed(2);
    send(['subscribed', 1], ['patch', 1, 0, [one]]);
    await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 20))]);
    send(['patch', 1, 1, [0, 1, two]]);
    expect(await second).toEqual({ done: false, value: [one, two] });
  });

  test.each([
    [['patch', 1, 0, 'rows']],
    [['patch', 1, 0, [0, 1]]],
    [['patch', 1, 0, [[['Unknown', 1]]]]],
  ])('ends its loop for %j', async (message) => {
    const { values, send, subscribed } = await scripted();
    const first = failureOf(values.next());
    await subscribed(1);
    send(['subscribed', 1], message);
    expect(await first).toMatchObject({ code: 'BAD_MESSAGE' });
  });
});

describe('where the Worker runs locally, a mistake in the keys rejects with its reason', () => {
  const which = 'a string, a number or a bigint, and id is the key of the rows';
  test.each([
    ['no key', [row(1), { text: 'a' }], `the row [1] has no id that is ${which}`],
    ['a key of another type', [row(null)], `the row [0] has no id that is ${which}`],
    ['a row that is not an object', [5], `the row [0] has no id that is ${which}`],
    [
      'the key of another row',
      { todo: rows(1, 2), done: rows(3, 3) },
      'the row .done[1] has the same id as the row .done[0]: each row needs its own key',
    ],
    [
      'the key of another row in a Map',
      new Map([['to do', rows('a', 'a')]]),
      'the row .get("to do")[1] has the same id as the row .get("to do")[0]: each row needs its own key',
    ],
  ])('%s', async (_, value, message) => {
    const { first } = followed(value);
    await expect(first()).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      message: `cards: ${message}`,
    });
  });

  test('the same key in two lists is no mistake', async () => {
    const value = { todo: rows(1), done: rows(1) };
    expect(await followed(value).first()).toEqual(value);
  });
});

test('the error for a row that cannot be sent names its path', async () => {
  const { first } = followed([row(1), { id: 2, run: () => {} }]);
  const error = { code: 'UNSERIALIZABLE', path: '[1].run' };
  await expect(first()).rejects.toMatchObject(error);
});

test('a key that is not a text is an error of the contract', () => {
  const problem =
    /entry for cards has a key that is not a string: write live\(\[…\], { key: 'id' }\)/;
  expect(() => compileContract({ cards: live([], { key: 5 as never }) })).toThrow(problem);
});

// Nothing checks the keys of a deployed Worker.
test('random lists arrive unchanged, even if keys are missing or occur twice', () => {
  const random = randomNumbers(20_261_127);
  const pick = (count: number): number => Math.floor(random() * count);
  const contracted = { frames: textFrameCodec, referenceOf: undefined };
  const client = new KeyedRows();
  const receiver = { connection: undefined as never, subscriptionId: 1, patches: 0 };
  const pool = [{}, { id: 1 }, { id: 1, a: 2 }, { id: '1' }, { id: 2n }, null, [], [1, 2], 7, 'a'];
  let sent: KeyedValue | undefined;
  for (let round = 0; round < tries(2_000); round++) {
    const list = Array.from({ length: pick(8) }, () => structuredClone(pool[pick(pool.length)]));
    const value = pick(2) ? list : { one: list.slice(0, pick(8)), other: list };
    const encoded = keyedValueOf(value, 'id', contracted, Infinity);
    const update = encoded?.updateFrom(pick(20) ? sent : undefined);
    sent = encoded;
    const message = update?.(receiver);
    if (message !== undefined) {
      const [, , number, ...patch] = JSON.parse(String(message)) as [...unknown[]];
      client.patch(patch as Patch, number === 0, undefined);
    }
    expect(client.value).toEqual(value);
  }
});
