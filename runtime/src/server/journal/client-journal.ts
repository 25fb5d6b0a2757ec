/** The journal of one client's calls. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { encodeFailure } from '../../wire/messages.ts';
import { textFrameCodec } from '../../wire/frame-codec.ts';
import { CallIds } from './call-ids.ts';
import { rejection } from '../base/rejection.ts';
import { loadAnswers, storeAnswers, type StoredAnswers } from './stored-answers.ts';

/**
 * Answers beyond this many characters and bytes are dropped, oldest first. A row has at most 2 MB. A character
 * takes at most three bytes, and the rest of the row takes less than 100 kB.
 */
const MAX_SIZE = 600_000;

/** The limit for `#input`, whose answers are kept only briefly. */
const MAX_INPUTS_SIZE = 2_000;

/** After how many microtasks without changes a turn is considered to have ended. */
const PATIENCE = 20;

/** The stored form of an entry. */
export interface JournalRow extends StoredAnswers {
  /** Calls that must not run again, as `edges` of a `CallIds`. */
  begun: readonly number[];
  /** The identity of the caller; left out if no hook named the caller. */
  owner?: string | undefined;
  /** When the row was written, in the time of `Date.now()`. */
  used: number;
}

export class ClientJournal {
  /** The identity of the caller, if a hook named the caller. */
  readonly owner: string | undefined;
  /** Called when the entry is no longer busy. */
  onIdle: (() => void) | undefined;
  readonly #write: (row: JournalRow) => void;
  /** Calls that were sent before this time of `Date.now()` may have run, with no record of it. */
  readonly #since: number;
  readonly #answers = new Map<number, EncodedMessage>();
  /**
   * The answers of `readonly` methods, for calls on their way that take them as arguments. They are not stored: a
   * `readonly` method may run again.
   */
  readonly #inputs = new Map<number, EncodedMessage>();
  #inputsSize = 0;
  /** The promised answers of asynchronous methods that are running. */
  readonly #running = new Map<number, Promise<EncodedMessage>>();
  /** Calls that must not run again: they have begun, or their client no longer awaits them. */
  readonly #begun: CallIds;
  /** Calls that their client no longer awaits. */
  readonly #done = new CallIds();
  /** Whether answers of these calls may still be kept: `#dropDone` drops them. */
  #hasDone = false;
  /** The highest id of a call that has arrived, as far as it is known. */
  #newest: number;
  /** The size of `#answers` in characters and bytes. */
  #size = 0;
  /** The number of changes, and how many of them are written. */
  #changes = 0;
  #saved = 0;
  /** Resolves at the end of this turn, when the row is written; `undefined` if that is not planned. */
  #turn: Promise<void> | undefined;

  /**
   * @param write - stores the entry
   * @param owner - the identity of the caller, if there is no row
   * @param since - if there is no row, calls that were sent before this time may have run
   * @param frames - restores answers with bytes
   */
  constructor(
    write: (row: JournalRow) => void,
    owner: string | undefined,
    since: number,
    row: JournalRow | undefined,
    frames = textFrameCodec,
  ) {
    this.#write = write;
    this.owner = row ? row.owner : owner;
    this.#since = row ? -Infinity : since;
    this.#begun = new CallIds(row && [...row.begun]);
    this.#newest = this.#begun.edges.at(-1) ?? 0;
    for (const [id, answer] of row ? loadAnswers(row, frames) : []) this.#keep(id, answer);
  }

  /** Whether a call is running or a write is planned. */
  get isBusy(): boolean {
    return this.#running.size > 0 || this.#turn !== undefined;
  }

  /** The answer of a call that has run, or a promise of it while it runs. */
  answerOf(id: number): EncodedMessage | Promise<EncodedMessage> | undefined {
    return this.#running.get(id) ?? this.#answers.get(id);
  }

  /** The answer of a call, for another call that refers to it. */
  resultOf(id: number): EncodedMessage | Promise<EncodedMessage> | undefined {
    return this.answerOf(id) ?? this.#inputs.get(id);
  }

  /** Keeps the answer of a `readonly` method while its client awaits it and there is room. */
  keepForReferences(id: number, answer: EncodedMessage): void {
    this.#inputsSize += answer.length - (this.#inputs.get(id)?.length ?? 0);
    this.#inputs.set(id, answer);
    if (this.#inputsSize <= MAX_INPUTS_SIZE) return;
    for (const [oldest, text] of this.#inputs) {
      this.#dropInput(oldest, text);
      if (this.#inputsSize <= MAX_INPUTS_SIZE) return;
    }
  }

  /** Whether a call has begun; a call that waits for another one has too. */
  hasBegun(id: number): boolean {
    return this.#begun.has(id) || this.#running.has(id);
  }

  /**
   * Whether a call may have run although there is no answer. If so, it will not run again.
   *
   * @param sentAt - when the call was first sent, in the time of `Date.now()`
   */
  isMaybeExecuted(id: number, sentAt: number): boolean {
    if (this.#begun.has(id)) return true;
    if (sentAt >= this.#since) return false;
    // The row must contain this call, because `#since` is not stored.
    this.begin(id);
    return true;
  }

  /** Marks that a call has arrived. */
  arrived(id: number): void {
    if (id > this.#newest) this.#newest = id;
  }

  /**
   * Marks the calls from `first` to `last` inclusive as no longer awaited by the client. Their answers are dropped at
   * the end of the frame, in one walk through all answers for any number of ranges.
   */
  forget(first: number, last = first): void {
    if (!this.#done.add(first, last)) return;
    this.#begun.add(first, last);
    if (first === last) this.#dropOne(first);
    else this.#hasDone = true;
  }

  /**
   * Does the same for single calls.
   *
   * @returns how many of them have never arrived
   */
  forgetAll(ids: readonly number[]): number {
    this.#done.addAll(ids);
    this.#begun.addAll(ids);
    for (const id of ids) this.#dropOne(id);
    return ids.filter((id) => id > this.#newest).length;
  }

  #dropOne(id: number): void {
    const answer = this.#answers.get(id);
    if (answer !== undefined) this.#drop(id, answer);
    const input = this.#inputs.get(id);
    if (input !== undefined) this.#dropInput(id, input);
  }

  #dropDone(): void {
    this.#hasDone = false;
    for (const [id, answer] of this.#answers) if (this.#done.has(id)) this.#drop(id, answer);
    for (const [id, answer] of this.#inputs) {
      if (this.#done.has(id)) this.#dropInput(id, answer);
    }
  }

  /** Adds the answer of a call, if its client still awaits it. */
  storeAnswer(id: number, answer: EncodedMessage): void {
    if (this.#done.has(id)) return;
    this.begin(id);
    this.#keep(id, answer);
  }

  /** Marks a call as begun: it will not run again, even if the object is stopped before it ends. */
  begin(id: number): void {
    this.#changes++;
    this.#begun.add(id);
  }

  /**
   * Makes a call that ends in a later turn available to `answerOf` until then.
   *
   * @returns a promise of the answer, which resolves when the answer is written; of a failure if the storage
   *   does not take it, for example because it is full
   */
  storeAnswerLater(id: number, answer: Promise<EncodedMessage>): Promise<EncodedMessage> {
    const written = answer.then(async (encoded) => {
      this.#running.delete(id);
      // A call that has not begun was rejected before its method ran.
      if (this.#begun.has(id)) {
        this.storeAnswer(id, encoded);
        try {
          await this.saveSoon();
        } catch (error) {
          return storageFailure(id, error);
        }
      } else this.#leave();
      return encoded;
    });
    this.#running.set(id, written);
    return written;
  }

  /** Writes the row if something has changed. */
  save(): void {
    if (this.#hasDone) this.#dropDone();
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

  /** Writes the row at the end of this turn: once for all calls that end in the turn. */
  saveSoon(): Promise<void> {
    this.#turn ??= this.#silence().then(() => {
      this.#turn = undefined;
      try {
        this.save();
      } finally {
        this.#leave();
      }
    });
    return this.#turn;
  }

  /** Resolves when no other call begins or ends in this turn. The runtime has no event for that. */
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

  #keep(id: number, answer: EncodedMessage): void {
    this.#size += answer.length - (this.#answers.get(id)?.length ?? 0);
    this.#answers.set(id, answer);
  }

  #dropInput(id: number, answer: EncodedMessage): void {
    this.#inputs.delete(id);
    this.#inputsSize -= answer.length;
  }

  #drop(id: number, answer: EncodedMessage): void {
    this.#size -= answer.length;
    this.#answers.delete(id);
  }
}

/** The answer of a call that has run, when its own answer could not be stored. */
export function storageFailure(id: number, cause: unknown): string {
  const message = `Call ${id} has run, but its answer could not be stored: ${String(cause)}`;
  return encodeFailure(id, rejection('UNAVAILABLE', message, { maybeExecuted: true }), false);
}
