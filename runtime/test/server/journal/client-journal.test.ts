/** What an object remembers of a client: when it is written. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CallIds } from '../../../src/server/journal/call-ids.ts';
import { ClientJournal, type JournalRow } from '../../../src/server/journal/client-journal.ts';

test('an answer that comes late is given when it is written', async () => {
  const rows: JournalRow[] = [];
  const entry = new ClientJournal((row) => rows.push(row), undefined, 0, undefined);
  for (const id of [1, 2]) entry.begin(id);
  // While another call runs, the end of the turn is waited for.
  void entry.storeAnswerLater(2, new Promise(() => {}));
  expect(await entry.storeAnswerLater(1, Promise.resolve('[1,5]'))).toBe('[1,5]');
  expect(rows.map(({ answers }) => answers)).toEqual(['[1,5]']);
});

test('a client whose calls have ended is not waited for', async () => {
  const entry = new ClientJournal(() => {}, undefined, 0, undefined);
  let idle = 0;
  entry.onIdle = () => idle++;
  entry.begin(1);
  const answered = entry.storeAnswerLater(1, Promise.resolve('[1,5]'));
  expect(entry.isBusy).toBe(true);
  await answered;
  expect(entry.isBusy).toBe(false);
  expect(idle).toBe(1);
});

describe('answers that are no longer awaited', () => {
  /** An entry with answers, and how many of them have been looked at since, one by one or in walks. */
  function counted(count: number): { entry: ClientJournal; looked: () => number } {
    const entry = new ClientJournal(() => {}, undefined, 0, undefined);
    let looked = 0;
    for (let id = 1; id <= count; id++) {
      entry.arrived(id);
      // A text whose length is read when its answer is dropped.
      entry.storeAnswer(id, { length: 9, text: `[${id}]`, buffers: [] } as unknown as string);
    }
    const { has } = CallIds.prototype;
    vi.spyOn(CallIds.prototype, 'has').mockImplementation(function spied(this: CallIds, id) {
      looked++;
      return has.call(this, id);
    });
    return { entry, looked: () => looked };
  }

  afterEach(() => void vi.restoreAllMocks());

  test('are looked up, not searched, for single calls', () => {
    const { entry, looked } = counted(2_000);
    const ids = Array.from({ length: 3_000 }, (_, index) => 1_000_000 + 2 * index);
    expect(entry.forgetAll(ids)).toBe(3_000);
    entry.save();
    // Twice for each id: whether it is in one of the two sets.
    expect(looked()).toBe(6_000);
    expect(entry.answerOf(1)).toBeDefined();
  });

  test('are searched once, for any number of ranges', () => {
    const { entry, looked } = counted(2_000);
    for (let first = 1_000_000; first < 2_000_000; first += 1_000) {
      entry.forget(first, first + 500);
    }
    entry.forget(1, 1_500);
    entry.save();
    expect(looked()).toBe(2_000);
    expect(entry.answerOf(1_500)).toBeUndefined();
    expect(entry.answerOf(1_501)).toBeDefined();
  });

  test('of calls that have arrived are no unknown ones', () => {
    const { entry } = counted(5);
    expect(entry.forgetAll([5, 3, 7])).toBe(1);
    expect([1, 2, 3, 4, 5].filter((id) => entry.answerOf(id) !== undefined)).toEqual([1, 2, 4]);
  });
});
