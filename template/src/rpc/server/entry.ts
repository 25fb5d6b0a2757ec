/** What an object remembers of one client's calls. Imports call-ids, stored-answers and wire/. */
import type { Said } from '../wire/bytes.ts';
import { CallIds } from './call-ids.ts';
import { loadAnswers, storeAnswers, type StoredAnswers } from './stored-answers.ts';

/**
 * Answers beyond this many characters and bytes are dropped, oldest first. A row has at most 2 MB and a
 * character at most three bytes; what is remembered beside the answers needs less than 100 kB.
 */
const MAX_SIZE = 600_000;

/** The same, of answers that are kept for a moment only. */
const MAX_PASSING_SIZE = 2_000;

/** For how many microtasks without news the end of a turn is waited for. */
const PATIENCE = 20;

/** An entry as it is stored. */
export interface Row extends StoredAnswers {
  /** Calls that must not run again, as the edges of a `CallIds`. */
  begun: readonly number[];
  /** Whose calls these are; none for a caller whom no hook has named. */
  owner?: string | undefined;
  /** When it was written, on the clock of `Date.now()`. */
  used: number;
}

export class Entry {
  /** Whose calls these are. */
  readonly owner: string | undefined;
  /** Called once there is nothing left to wait for. */
  onIdle: (() => void) | undefined;
  readonly #write: (row: Row) => void;
  /** Calls that were sent before, on the clock of `Date.now()`, may have run and been forgotten. */
  readonly #since: number;
  readonly #answers = new Map<number, Said>();
  /**
   * The answers of `readonly` methods, for calls that take them as arguments and are on their way. They
   * are not stored: such a method may run again.
   */
  readonly #passing = new Map<number, Said>();
  #passingSize = 0;
  /** The answers of asynchronous methods that are running. */
  readonly #running = new Map<number, Promise<Said>>();
  /** Calls that must not run again: they have begun, or their client awaits them no more. */
  readonly #begun: CallIds;
  /** Those of them that their client awaits no more. */
  readonly #done = new CallIds();
  /** The characters and bytes of all answers. */
  #size = 0;
  /** What has been taken down, and how much of it is written. */
  #changes = 0;
  #saved = 0;
  /** Ends with this turn, if the row is to be written then. */
  #turn: Promise<void> | undefined;

  /**
   * @param write - stores the entry
   * @param owner - whose calls these are, if there is no row that says it
   * @param since - from when on every call is known, if there is no row
   */
  constructor(
    write: (row: Row) => void,
    owner: string | undefined,
    since: number,
    row: Row | undefined,
  ) {
    this.#write = write;
    this.owner = row ? row.owner : owner;
    this.#since = row ? -Infinity : since;
    this.#begun = new CallIds(row && [...row.begun]);
    for (const [id, answer] of row ? loadAnswers(row) : []) this.#keep(id, answer);
  }

  /** Whether something is under way that ends in this entry. */
  get isBusy(): boolean {
    return this.#running.size > 0 || this.#turn !== undefined;
  }

  /** The answer of a call that has run, or a promise of it while it runs. */
  recall(id: number): Said | Promise<Said> | undefined {
    return this.#running.get(id) ?? this.#answers.get(id);
  }

  /** What another call takes that refers to this one. */
  resultOf(id: number): Said | Promise<Said> | undefined {
    return this.recall(id) ?? this.#passing.get(id);
  }

  /** Keeps the answer of a `readonly` method as long as its client awaits it and there is room. */
  pass(id: number, answer: Said): void {
    this.#passingSize += answer.length;
    this.#passing.set(id, answer);
    if (this.#passingSize <= MAX_PASSING_SIZE) return;
    for (const [oldest, text] of this.#passing) {
      this.#dropPassing(oldest, text);
      if (this.#passingSize <= MAX_PASSING_SIZE) return;
    }
  }

  /** Whether a call may have run although there is no answer; if so, it will not run any more. */
  mayHaveRun(id: number, sentAt: number): boolean {
    if (this.#begun.has(id)) return true;
    if (sentAt >= this.#since) return false;
    // Once there is a row, nothing else tells that the time before it is not known.
    this.begin(id);
    return true;
  }

  /** Forgets the answers of calls that the client awaits no more; both ends are included. */
  forget(first: number, last = first): void {
    if (!this.#done.add(first, last)) return;
    this.#begun.add(first, last);
    for (const [id, answer] of this.#answers) {
      if (this.#done.has(id)) this.#drop(id, answer);
    }
    if (this.#passing.size === 0) return;
    for (const [id, answer] of this.#passing) {
      if (id >= first && id <= last) this.#dropPassing(id, answer);
    }
  }

  /** Takes down the answer of a call, if its client awaits it. */
  note(id: number, answer: Said): void {
    if (this.#done.has(id)) return;
    this.begin(id);
    this.#keep(id, answer);
  }

  /** Takes down that a method begins. Should the object be stopped in it, it is not run again. */
  begin(id: number): void {
    this.#changes++;
    this.#begun.add(id);
  }

  /**
   * Lets a call that ends in a later turn be recalled until then.
   *
   * @returns its answer, once that is written
   */
  expect(id: number, answer: Promise<Said>): Promise<Said> {
    const written = answer.then(async (said) => {
      this.#running.delete(id);
      // Otherwise it was refused before its method began.
      if (this.#begun.has(id)) {
        this.note(id, said);
        await this.saveSoon();
      } else this.#leave();
      return said;
    });
    this.#running.set(id, written);
    return written;
  }

  /** Writes the row, if there is anything new. */
  save(): void {
    if (this.#changes === this.#saved) return;
    this.#saved = this.#changes;
    this.#dropOldest();
    this.#write({
      ...storeAnswers(this.#answers),
      begun: this.#begun.edges,
      owner: this.owner,
      used: Date.now(),
    });
  }

  /** Writes the row at the end of this turn, so that one row is written for all that ends in it. */
  saveSoon(): Promise<void> {
    this.#turn ??= this.#silence().then(() => {
      this.#turn = undefined;
      this.save();
      this.#leave();
    });
    return this.#turn;
  }

  /** Ends when nothing else begins or ends in this turn. There is no event for that. */
  async #silence(): Promise<void> {
    let changes = -1;
    for (let silence = 0; silence < PATIENCE && this.#running.size > 0; silence++) {
      if (this.#changes !== changes) silence = 0;
      changes = this.#changes;
      await undefined;
    }
  }

  #leave(): void {
    if (!this.isBusy) this.onIdle?.();
  }

  #dropOldest(): void {
    for (const [id, answer] of this.#answers) {
      if (this.#size <= MAX_SIZE) return;
      this.#drop(id, answer);
    }
  }

  #keep(id: number, answer: Said): void {
    this.#size += answer.length - (this.#answers.get(id)?.length ?? 0);
    this.#answers.set(id, answer);
  }

  #dropPassing(id: number, answer: Said): void {
    this.#passing.delete(id);
    this.#passingSize -= answer.length;
  }

  #drop(id: number, answer: Said): void {
    this.#size -= answer.length;
    this.#answers.delete(id);
  }
}
