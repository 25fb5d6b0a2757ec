/** When a client whose messages are rejected is closed: `limits.refusals`. */
import { Type } from 'typebox';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compileContract } from '../../../src/server.ts';
import { RejectionCounts } from '../../../src/server/connections/rejections.ts';
import { openPort } from '../../support/open-port.ts';

const contract = compileContract({ echo: [Type.Integer()] }, { limits: { refusals: 12 } });

const GOOD = '"echo",[1]';
const UNKNOWN = '"nope"';
const WRONG = '"echo",["x"]';
const DEEP = `"echo",[${'['.repeat(101)}${']'.repeat(101)}]`;
/** Counts for ten. */
const UNREADABLE = 'unreadable';

const times = (count: number, call: string): string[] => Array.from({ length: count }, () => call);

test.each<[string, string[], isClosed: boolean]>([
  ['as many as are allowed', times(12, UNKNOWN), false],
  ['one more', times(13, UNKNOWN), true],
  [
    'one more, of different kinds',
    [...times(4, UNKNOWN), ...times(4, WRONG), ...times(5, DEEP)],
    true,
  ],
  ['with a good call among them', [...times(12, WRONG), GOOD, WRONG], false],
  ['and one more', [...times(12, WRONG), GOOD, WRONG, WRONG], true],
  ['after many good calls', [...times(20, GOOD), ...times(13, UNKNOWN)], true],
  ['an unreadable frame', [UNREADABLE, UNKNOWN, UNKNOWN], false],
  ['an unreadable frame, and three calls', [UNREADABLE, ...times(3, UNKNOWN)], true],
])('%s', async (_, sent, isClosed) => {
  const port = openPort({ echo: (value: number) => value }, contract);
  for (const [index, call] of sent.entries()) {
    const answer = await port.ask(call === UNREADABLE ? '0' : `[${index + 1},${call}]`);
    expect(answer.includes('"error"')).toBe(call !== GOOD);
  }
  const last = await port.ask(`[99,${GOOD}]`);
  const reason = 'closed 4429 Too many rejected messages: see limits.refusals';
  expect(last).toBe(isClosed ? reason : '[[99,1]]');
});

test('calls of one frame count one by one, and those that wait are answered', async () => {
  const port = openPort({ echo: (value: number) => value }, contract);
  port.sendMessages(...Array.from({ length: 13 }, (_, index) => `[${index + 1},${UNKNOWN}]`));
  expect(JSON.parse(await port.next())).toHaveLength(13);
  expect(await port.next()).toMatch(/^closed 4429/);
});

describe('what an object remembers', () => {
  const LIMIT = 1_000;
  const client = (index: number): { client: string } => ({ client: `${index}` });

  test('is forgotten after a minute without a rejection', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const counts = new RejectionCounts();
    const count = counts.of(client(1));
    count.add(LIMIT);
    vi.advanceTimersByTime(59_999);
    count.add(1);
    expect(counts.bars(client(1), LIMIT)).toBe(true);
    vi.advanceTimersByTime(59_999);
    expect(counts.bars(client(1), LIMIT)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(counts.bars(client(1), LIMIT)).toBe(false);
    expect(count.exceeds(LIMIT)).toBe(false);
    count.add(LIMIT);
    expect(count.exceeds(LIMIT)).toBe(false);
  });

  test('is shared by the connections of an owner', () => {
    const counts = new RejectionCounts();
    counts.of({ owner: 'ann', client: '1' }).add(LIMIT + 1);
    expect(counts.bars({ owner: 'ann', client: '2' }, LIMIT)).toBe(true);
    expect(counts.bars({ owner: 'bob', client: '1' }, LIMIT)).toBe(false);
    expect(counts.bars({ client: '1' }, LIMIT)).toBe(false);
  });

  test('are a thousand clients, the last ones', () => {
    const counts = new RejectionCounts();
    for (let index = 0; index < 3_000; index++) counts.of(client(index)).add(LIMIT + 1);
    const barred = Array.from({ length: 3_000 }, (_, index) => counts.bars(client(index), LIMIT));
    expect(barred.indexOf(true)).toBe(2_000);
    expect(barred.lastIndexOf(false)).toBe(1_999);
  });

  test('of clients without an owner: together not much more than one may', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const counts = new RejectionCounts();
    const newcomer = (rejected: number): boolean => {
      const count = counts.of({});
      count.add(rejected);
      return count.exceeds(LIMIT);
    };
    for (let index = 0; index < 9; index++) expect(newcomer(101)).toBe(false);
    expect(newcomer(101)).toBe(true);
    expect(newcomer(100)).toBe(false);
    counts.of({ owner: 'ann' }).add(LIMIT);
    expect(counts.bars({ owner: 'ann' }, LIMIT)).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(newcomer(101)).toBe(false);
  });
});
