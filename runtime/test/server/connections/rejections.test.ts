/** Tests when a client with rejected messages is closed: `limits.refusals`. */
import * as Type from '../../../src/typebox.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compileContract } from '../../../src/server.ts';
import { RejectionCounts } from '../../../src/server/connections/rejections.ts';
import { openPort } from '../../support/open-port.ts';

const contract = compileContract({ echo: [Type.Integer()] }, { limits: { refusals: 12 } });

const GOOD = '"echo",[1]';
const UNKNOWN = '"nope"';
const WRONG = '"echo",["x"]';
const DEEP = `"echo",[${'['.repeat(101)}${']'.repeat(101)}]`;
/** An unreadable frame counts as ten rejected messages. */
const UNREADABLE = 'unreadable';

const times = (count: number, call: string): string[] => Array.from({ length: count }, () => call);

test.each<[string, string[], isClosed: boolean]>([
  ['as many rejected calls as the limit allows', times(12, UNKNOWN), false],
  ['one rejected call more', times(13, UNKNOWN), true],
  [
    'one rejected call more, of different kinds',
    [...times(4, UNKNOWN), ...times(4, WRONG), ...times(5, DEEP)],
    true,
  ],
  [
    'as many rejected calls with a valid call among them',
    [...times(12, WRONG), GOOD, WRONG],
    false,
  ],
  [
    'one more rejected call, with a valid call among them',
    [...times(12, WRONG), GOOD, WRONG, WRONG],
    true,
  ],
  [
    'one rejected call more after many valid calls',
    [...times(20, GOOD), ...times(13, UNKNOWN)],
    true,
  ],
  ['an unreadable frame', [UNREADABLE, UNKNOWN, UNKNOWN], false],
  ['an unreadable frame, and three calls', [UNREADABLE, ...times(3, UNKNOWN)], true],
])('%s', async (_, sent, isClosed) => {
  const port = openPort({ echo: (value: number) => value }, contract);
  for (const [index, call] of sent.entries()) {
    const answer = await port.ask(call === UNREADABLE ? '0' : `[${index + 1},${call}]`);
    expect(answer.includes('"error"')).toBe(call !== GOOD);
  }
  const last = await port.ask(`[99,${GOOD}]`);
  const reason =
    'closed 4429 The client has sent too many messages that were rejected: see limits.refusals';
  expect(last).toBe(isClosed ? reason : '[[99,1]]');
});

test('calls of one frame count one by one, and waiting calls are answered', async () => {
  const port = openPort({ echo: (value: number) => value }, contract);
  port.sendMessages(...Array.from({ length: 13 }, (_, index) => `[${index + 1},${UNKNOWN}]`));
  expect(JSON.parse(await port.next())).toHaveLength(13);
  expect(await port.next()).toMatch(/^closed 4429/);
});

describe('the number of rejections that an object remembers', () => {
  const LIMIT = 1_000;
  const client = (index: number): { client: string } => ({ client: `${index}` });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is forgotten after a minute without a rejection', () => {
    const counts = new RejectionCounts();
    const count = counts.of(client(1));
    count.add(LIMIT, LIMIT);
    vi.advanceTimersByTime(59_999);
    count.add(1, LIMIT);
    expect(counts.bars(client(1))).toBe(true);
    vi.advanceTimersByTime(59_999);
    expect(counts.bars(client(1))).toBe(true);
    vi.advanceTimersByTime(1);
    expect(counts.bars(client(1))).toBe(false);
    expect(count.isBarred).toBe(false);
    count.add(LIMIT, LIMIT);
    expect(count.isBarred).toBe(false);
  });

  test('is shared by the connections of a client with an owner', () => {
    const counts = new RejectionCounts();
    counts.of({ owner: 'ann', client: '1' }).add(LIMIT + 1, LIMIT);
    expect(counts.bars({ owner: 'ann', client: '1' })).toBe(true);
    expect(counts.bars({ owner: 'ann', client: '2' })).toBe(false);
    expect(counts.bars({ owner: 'bob', client: '1' })).toBe(false);
    expect(counts.bars({ client: '1' })).toBe(false);
    expect(counts.bars({ owner: 'ann' })).toBe(false);
  });

  test.each([
    ['the id of another client', { client: 'x' }, { client: 'y' }],
    [
      'an owner that is a part of the id',
      { owner: 'a', client: 'bc' },
      { owner: 'ab', client: 'c' },
    ],
    ['an id that looks like an id and an owner', { owner: 'a', client: 'b' }, { client: '1 ab' }],
  ])('is not confused by %s', (_, barred, other) => {
    const counts = new RejectionCounts();
    counts.of(barred).add(LIMIT + 1, LIMIT);
    expect(counts.bars(other)).toBe(false);
  });

  test('is kept for a thousand clients that are not barred', () => {
    const counts = new RejectionCounts();
    const first = counts.of(client(0));
    for (let index = 1; index < 1_000; index++) counts.of(client(index)).add(1, Infinity);
    expect(counts.known(client(0))).toBe(first);
    counts.of(client(1_000)).add(1, Infinity);
    expect(counts.known(client(0))).toBeUndefined();
    expect(counts.known(client(1))).toBeDefined();
  });

  test('is kept for a limited number of barred clients: no new client replaces an old one', () => {
    const counts = new RejectionCounts();
    const long = (index: number): object => ({ owner: 'x'.repeat(3_900), client: `${index}` });
    const barredOf = (count: number): number[] =>
      Array.from({ length: count }, (_, index) => index).filter((index) =>
        counts.bars(long(index)),
      );
    for (let index = 0; index < 1_000; index++) counts.of(long(index)).add(LIMIT + 1, LIMIT);
    const barred = barredOf(1_000);
    expect(barred.length).toBeGreaterThan(200);
    expect(barred).toEqual(barred.map((_, index) => index));
    expect(barred.length * 4_000).toBeLessThan(1_010_000);
    // After a minute there is room again.
    vi.advanceTimersByTime(60_000);
    counts.of(client(1)).add(LIMIT + 1, LIMIT);
    expect(counts.bars(client(1))).toBe(true);
    expect(barredOf(1_000)).toEqual([]);
    for (let index = 0; index < 100; index++) counts.of(long(index)).add(LIMIT + 1, LIMIT);
    expect(barredOf(100)).toHaveLength(100);
  });

  test.each([undefined, 'guest'])(
    'is bounded for all clients of the owner %s together',
    (owner) => {
      const counts = new RejectionCounts();
      const newcomer = (rejected: number): boolean => {
        const count = counts.of({ owner });
        count.add(rejected, LIMIT);
        return count.isBarred;
      };
      for (let index = 0; index < 9; index++) expect(newcomer(101)).toBe(false);
      expect(newcomer(101)).toBe(true);
      expect(newcomer(100)).toBe(false);
      for (let index = 0; index < 200; index++) newcomer(100);
      // More clients have fewer rejections each, but at least ten.
      expect(newcomer(11)).toBe(true);
      expect(newcomer(10)).toBe(false);
      const ann = counts.of({ owner: 'ann' });
      ann.add(LIMIT, LIMIT);
      expect(ann.isBarred).toBe(false);
      vi.advanceTimersByTime(60_000);
      expect(newcomer(101)).toBe(false);
    },
  );

  test('is kept for its own minute if a client meets the common bound', () => {
    const counts = new RejectionCounts();
    counts.of(client(1)).add(LIMIT, LIMIT);
    vi.advanceTimersByTime(59_000);
    counts.of(client(2)).add(101, LIMIT);
    vi.advanceTimersByTime(59_999);
    expect(counts.bars(client(2))).toBe(true);
    vi.advanceTimersByTime(1);
    expect(counts.bars(client(2))).toBe(false);
  });

  test('is kept for a thousand owners, those with the most recent rejections', () => {
    const counts = new RejectionCounts();
    counts.of({ owner: 'guest' }).add(LIMIT, LIMIT);
    for (let index = 0; index < 999; index++) counts.of({ owner: `${index}` }).add(1, LIMIT);
    const guest = counts.of({ owner: 'guest' });
    guest.add(101, LIMIT);
    expect(guest.isBarred).toBe(true);
  });
});
