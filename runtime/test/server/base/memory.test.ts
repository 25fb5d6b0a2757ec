/**
 * Tests the account of the bytes that an object holds for its clients: which client is refused, and
 * which client is closed.
 */
import { describe, expect, test } from 'vitest';
import { type ClientMemory, type MemoryHolder, memoryOf } from '../../../src/server/base/memory.ts';

const MB = 1_048_576;
const LIMITS = { memoryPerClient: 4 * MB, memoryPerObject: 10 * MB };

/** Creates clients of one object. */
function object(limits = LIMITS) {
  const instance = {};
  const closed: string[] = [];
  const open = (client: string | undefined, owner?: string): ClientMemory & { leaves(): void } => {
    const held: ClientMemory[] = [];
    const holder: MemoryHolder = {
      owner,
      client,
      giveWay() {
        closed.push(client ?? 'anonymous');
        // Bytes that outlast a connection stay.
        for (const memory of held) memory.release(memory.releasable);
        for (const memory of held) memory.leave(holder);
      },
    };
    const memory = memoryOf(instance, limits, holder);
    held.push(memory);
    return Object.assign(memory, { leaves: () => memory.leave(holder) });
  };
  return { open, closed };
}

test('a client may hold up to its limit, and no more', () => {
  const { open, closed } = object();
  const one = open('one');
  one.admit(3 * MB);
  expect(one.isFull).toBe(false);
  expect(() => one.admit(MB + 1)).toThrow('memoryPerClient is at most 4194304');
  one.admit(MB);
  one.release(2 * MB);
  one.admit(2 * MB);
  // Existing bytes are counted beyond the limit.
  one.add(1);
  expect(one.isFull).toBe(true);
  expect(closed).toEqual([]);
});

test.each([
  ['the same id', 'a', undefined, 'a', undefined, true],
  ['the same id and owner', 'a', 'ada', 'a', 'ada', true],
  ['the same id of another owner', 'a', 'ada', 'a', 'bob', false],
  ['another id of the same owner', 'a', 'ada', 'b', 'ada', false],
  ['no id', undefined, 'ada', undefined, 'ada', false],
])('%s: one account or two', (_, id, owner, otherId, otherOwner, isSame) => {
  const { open } = object();
  const [one, other] = [open(id, owner), open(otherId, otherOwner)];
  one.admit(MB);
  expect(other.held).toBe(isSame ? MB : 0);
});

describe('a full object', () => {
  test('closes the client that holds most in favour of a client that asks for less', () => {
    const { open, closed } = object();
    const [most, some, asking] = [open('most'), open('some'), open('asking')];
    most.admit(4 * MB);
    some.admit(3 * MB);
    asking.admit(2 * MB);
    asking.admit(MB + MB / 2);
    expect(closed).toEqual(['most']);
    expect([most.held, some.held, asking.held]).toEqual([0, 3 * MB, 3.5 * MB]);
  });

  test('closes the client that asks, if it would hold most', () => {
    const { open, closed } = object();
    for (const name of ['a', 'b', 'c', 'd']) open(name).admit(2.5 * MB);
    const asking = open('asking');
    expect(() => asking.admit(3 * MB)).toThrow('memoryPerObject is at most 10485760');
    expect(closed).toEqual(['asking']);
  });

  test('closes no client whose closing would free no memory', () => {
    const { open, closed } = object();
    for (const name of ['a', 'b', 'c']) {
      const hoard = open(name);
      hoard.admit(3.2 * MB);
      hoard.pin(3.2 * MB);
    }
    const [small, large] = [open('small'), open('large')];
    small.admit(60_000);
    expect(() => large.admit(MB)).toThrow('memoryPerObject');
    small.admit(1_000);
    expect(closed).toEqual(['large']);
  });

  test('closes the client whose answer is too large, or the client that holds more', () => {
    const { open, closed } = object();
    const [one, other] = [open('one'), open('other')];
    one.add(8 * MB);
    other.add(3 * MB);
    expect(closed).toEqual(['one']);
    other.add(8 * MB);
    expect(closed).toEqual(['one', 'other']);
  });

  test('refuses no client that holds little, however many clients there are', () => {
    const { open, closed } = object();
    for (let id = 0; id < 2_000; id++) open(`c${id}`).add(10_000);
    open('new').admit(60_000);
    expect(closed).not.toContain('new');
  });
});

test('released accounts are deleted, so that ten thousand clients leave nothing', () => {
  const { open, closed } = object();
  for (let id = 0; id < 10_000; id++) {
    const one = open(`${id}`);
    one.admit(MB);
    one.release(MB);
    one.leaves();
  }
  open('last').admit(4 * MB);
  expect(closed).toEqual([]);
});
