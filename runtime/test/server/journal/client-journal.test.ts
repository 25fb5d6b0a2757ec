/** Tests when the journal of a client is written. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CallIds } from '../../../src/server/journal/call-ids.ts';
import {
  ClientJournal,
  type ClientStorage,
  type JournalRow,
  NOT_STORED,
  type StoredClient,
} from '../../../src/server/journal/client-journal.ts';
import type { StoredAnswers } from '../../../src/server/journal/stored-answers.ts';
import { tries } from '../../support/effort.ts';

/** A storage that counts the written characters and bytes. */
class CountingStorage implements ClientStorage {
  /** The characters and bytes of all written rows and segments. */
  written = 0;
  readonly rows: JournalRow[] = [];
  readonly segments = new Map<number, StoredAnswers>();
  #number = 0;

  write(row: JournalRow): void {
    this.written += JSON.stringify(row).length + (row.bytes?.byteLength ?? 0);
    this.rows.push(structuredClone(row));
  }

  addSegment(answers: StoredAnswers, replaced = ++this.#number): number {
    this.written += JSON.stringify(answers).length + (answers.bytes?.byteLength ?? 0);
    this.segments.set(replaced, answers);
    return replaced;
  }

  deleteSegments(numbers: readonly number[]): void {
    for (const number of numbers) this.segments.delete(number);
  }

  /** Returns the stored journal as a restart finds it. */
  get stored(): StoredClient {
    const row = this.rows.at(-1) as JournalRow;
    const segments = (row.segments ?? []).map((number) => {
      const { answers, bytes } = this.segments.get(number) as StoredAnswers;
      return { number, answers, bytes };
    });
    return { row, segments };
  }
}

const journalIn = (storage: ClientStorage): ClientJournal =>
  new ClientJournal(storage, undefined, 0, undefined);

test('a late answer is returned when it has been written', async () => {
  const storage = new CountingStorage();
  const entry = journalIn(storage);
  for (const id of [1, 2]) entry.begin(id);
  // While another call runs, the write waits for the end of the turn.
  void entry.storeAnswerLater(2, new Promise(() => {}));
  expect(await entry.storeAnswerLater(1, Promise.resolve('[1,5]'))).toBe('[1,5]');
  expect(storage.rows.map(({ answers }) => answers)).toEqual(['[1,5]']);
});

test('the journal does not wait for a client whose calls have ended', async () => {
  const entry = journalIn(NOT_STORED);
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
  /**
   * Returns an entry with answers, and the number of answers that were examined since, one by one
   * or in walks.
   */
  function counted(count: number): { entry: ClientJournal; looked: () => number } {
    const entry = journalIn(NOT_STORED);
    let looked = 0;
    for (let id = 1; id <= count; id++) {
      entry.arrived(id);
      // The length of this text is read when its answer is dropped.
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

  test('are looked up for single calls, without a search', () => {
    const { entry, looked } = counted(2_000);
    const ids = Array.from({ length: 3_000 }, (_, index) => 1_000_000 + 2 * index);
    expect(entry.forgetAll(ids)).toBe(3_000);
    entry.save();
    // A search would examine each answer.
    expect(looked()).toBe(0);
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

  test('of calls that have arrived do not count as unknown', () => {
    const { entry } = counted(5);
    expect(entry.forgetAll([5, 3, 7])).toBe(1);
    expect([1, 2, 3, 4, 5].filter((id) => entry.answerOf(id) !== undefined)).toEqual([1, 2, 4]);
  });
});

describe('the data that a turn writes', () => {
  /** Returns the answer of a call, with this number of characters. */
  const answer = (id: number, length: number): string => `[${id},"${'x'.repeat(length)}"]`;

  /** The size of a row without its answers: numbers of segments, and gaps. */
  const ROW = 10_000;

  test.each([
    ['one large answer', [590_000]],
    ['many answers', Array.from({ length: 500 }, () => 1_000)],
    ['many small answers', Array.from({ length: 5_000 }, () => 100)],
    ['as much as stays in a row', [11_900]],
    ['a little', [3_900]],
  ])('does not grow with stored answers: %s', (_, stored) => {
    const storage = new CountingStorage();
    const entry = journalIn(storage);
    let id = 0;
    for (const length of stored) entry.storeAnswer(++id, answer(id, length));
    entry.save();
    const before = storage.written;
    for (let turn = 0; turn < 500; turn++) {
      entry.storeAnswer(++id, answer(id, 3));
      entry.save();
    }
    const rest = stored.reduce((sum, length) => sum + length, 0);
    expect(storage.written - before).toBeLessThan(500 * 4_500 + Math.min(rest, 12_000));
  });

  test.each([10, 100, 1_000, 10_000, 100_000])(
    'is at most three times the answers of %d characters that are never acknowledged',
    (length) => {
      const storage = new CountingStorage();
      const entry = journalIn(storage);
      for (let id = 1; id <= 1_000; id++) {
        entry.storeAnswer(id, answer(id, length));
        entry.save();
      }
      expect(storage.written).toBeLessThan(1_000 * (2 * length + 6_000));
    },
  );

  test('is small for any ids of calls', () => {
    const storage = new CountingStorage();
    const entry = journalIn(storage);
    for (let turn = 0; turn < 100; turn++) {
      const ids = Array.from({ length: 100 }, (_, index) => 2 ** 52 + 2 * (100 * turn + index));
      entry.forgetAll(ids);
      entry.begin(ids.at(-1) as number);
      const before = storage.written;
      entry.save();
      expect(storage.written - before).toBeLessThan(ROW);
    }
  });

  test('can be read back: all awaited answers, up to the limit', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            lengths: fc.array(fc.constantFrom(1, 100, 3_000, 9_000, 200_000), { maxLength: 5 }),
            awaitedFrom: fc.nat(10),
          }),
          { maxLength: 30 },
        ),
        (turns) => {
          const storage = new CountingStorage();
          const entry = journalIn(storage);
          const answers = new Map<number, { text: string; before: number }>();
          let id = 0;
          let total = 0;
          for (const { lengths, awaitedFrom } of turns) {
            entry.forget(1, id - awaitedFrom);
            for (const old of answers.keys()) if (old <= id - awaitedFrom) answers.delete(old);
            const before = total;
            for (const length of lengths) {
              const text = answer(++id, length);
              answers.set(id, { text, before });
              entry.storeAnswer(id, text);
              total += text.length;
            }
            entry.save();
          }
          if (id === 0) return;
          const again = new ClientJournal(storage, undefined, 0, storage.stored);
          for (const [known, { text, before }] of answers) {
            expect(again.hasBegun(known)).toBe(true);
            expect(again.answerOf(known)).toBe(entry.answerOf(known));
            // A segment has the answers of its turn, and the answers of earlier turns that were in
            // the row.
            if (total - before < 580_000) expect(again.answerOf(known)).toBe(text);
          }
          const segments = [...storage.segments.values()];
          expect(segments.reduce((sum, { answers: { length } }) => sum + length, 0)).toBeLessThan(
            1_000_000,
          );
          expect(storage.stored.segments).toHaveLength(segments.length);
        },
      ),
      { numRuns: tries(500) },
    );
  });
});
