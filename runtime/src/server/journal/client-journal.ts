/**
 * The journal of one client's calls. Its row has the newest answers, and is written at the end of each turn in which
 * calls end. When a turn would write too many answers of earlier turns again, all answers of the row move into a
 * segment, which is not written again. So a turn writes only its own answers and a small row, however much is stored.
 */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { encodeFailure } from '../../wire/messages.ts';
import { type FrameCodec, textFrameCodec } from '../../wire/frame-codec.ts';
import { CallIds } from './call-ids.ts';
import { KeptAnswers } from './kept-answers.ts';
import { rejection } from '../base/rejection.ts';
import { loadAnswers, storeAnswers, type StoredAnswers } from './stored-answers.ts';

/**
 * Answers beyond this many characters and bytes are dropped, oldest first. A segment has at most 2 MB, and a character
 * takes at most three bytes.
 */
const MAX_SIZE = 600_000;

/**
 * A row has answers of at most this many characters and bytes. A larger row would slow down every access to other keys:
 * see `rows.ts`.
 */
const MAX_IN_ROW = 12_000;

/** Answers of earlier turns stay in the row up to this many characters and bytes: about a page of the database. */
const MAX_WRITTEN_AGAIN = 4_000;

/** The limit for `#inputs`, whose answers are kept only briefly. */
const MAX_INPUTS_SIZE = 2_000;

/** The number of gaps of `begun` that are stored. With 9 bytes for each end of a gap, they take at most 4.5 kB. */
const MAX_STORED_GAPS = 250;

/** The number of microtasks without changes after which a turn is considered to have ended. */
const PATIENCE = 20;

/** The row of a client. */
export interface JournalRow extends StoredAnswers {
  /** Calls that must not run again, as `edges` of a `CallIds`. */
  begun: readonly number[];
  /** The identity of the caller; left out if no hook named the caller. */
  owner?: string | undefined;
  /** The time of `Date.now()` when the row was written. */
  used: number;
  /** The numbers of the client's segments, oldest first; left out if there are none. */
  segments?: readonly number[];
}

/** The storage of a client's journal. */
export interface ClientStorage {
  write(row: JournalRow): void;
  /**
   * @param replaced - the number of a segment that is no longer needed
   * @returns the number of the segment
   */
  addSegment(answers: StoredAnswers, replaced?: number): number;
  deleteSegments(numbers: readonly number[]): void;
}

/** The storage of a client that is forgotten when its connection ends. */
export const NOT_STORED: ClientStorage = {
  write: () => {},
  addSegment: () => 0,
  deleteSegments: () => {},
};

/** The stored data of a client. */
export interface StoredClient {
  row: JournalRow;
  segments: readonly StoredSegment[];
}

export interface StoredSegment extends StoredAnswers {
  number: number;
}

/** Answers that have moved out of the row. */
interface Segment {
  readonly number: number;
  /** The size of the segment when it was written, in characters and bytes. */
  readonly size: number;
  /** The answers that the client still awaits. */
  readonly answers: KeptAnswers;
}

export class ClientJournal {
  /** The identity of the caller, if a hook named the caller. */
  readonly owner: string | undefined;
  /** Called when the entry is no longer busy. */
  onIdle: (() => void) | undefined;
  readonly #storage: ClientStorage;
  /** Calls that were sent before this time of `Date.now()` may have run, with no record of it. */
  readonly #since: number;
  /** The answers in the row, or in the next row. */
  #answers = new KeptAnswers();
  /** The size of the answers that have not been written. */
  #unwritten = 0;
  /** The segments, oldest first. */
  #segments: Segment[] = [];
  /**
   * The answers of `readonly` methods, for calls on their way that take the results as arguments. They are not stored,
   * because a `readonly` method may run again.
   */
  readonly #inputs = new KeptAnswers();
  /** The promised answers of asynchronous methods that are running. */
  readonly #running = new Map<number, Promise<EncodedMessage>>();
  /** Calls that must not run again: they have begun, or their client no longer awaits them. */
  readonly #begun: CallIds;
  /** Calls that their client no longer awaits. */
  readonly #done = new CallIds();
  /** True if answers of the calls in `#done` may still be kept: `#dropDone` drops them. */
  #hasDone = false;
  /** The highest id of a call that has arrived, as far as the journal knows. */
  #newest: number;
  /** The number of changes. `#saved` is the number of changes that are written. */
  #changes = 0;
  #saved = 0;
  /** Resolves at the end of this turn, when the row is written; `undefined` if no write is planned. */
  #turn: Promise<void> | undefined;

  /**
   * @param owner - the identity of the caller, if nothing is stored
   * @param since - if nothing is stored, calls that were sent before this time may have run
   * @param frames - restores answers with bytes
   */
  constructor(
    storage: ClientStorage,
    owner: string | undefined,
    since: number,
    stored: StoredClient | undefined,
    frames = textFrameCodec,
  ) {
    const row = stored?.row;
    this.#storage = storage;
    this.owner = row ? row.owner : owner;
    this.#since = row ? -Infinity : since;
    this.#begun = new CallIds(row && [...row.begun], MAX_STORED_GAPS);
    this.#newest = this.#begun.edges.at(-1) ?? 0;
    if (!stored) return;
    for (const segment of stored.segments) {
      const answers = keptAnswers(segment, frames);
      this.#segments.push({ number: segment.number, size: answers.size, answers });
    }
    this.#answers = keptAnswers(stored.row, frames);
  }

  /** True if a call is running or a write is planned. */
  get isBusy(): boolean {
    return this.#running.size > 0 || this.#turn !== undefined;
  }

  /** Calls that must not run again, as `edges` of a `CallIds`; `undefined` if all of them are stored. */
  get unsaved(): readonly number[] | undefined {
    return this.#changes === this.#saved ? undefined : this.#begun.edges;
  }

  /** Adds the calls in `unsaved` of an earlier entry of the client. */
  addUnsaved(edges: readonly number[]): void {
    this.#changes++;
    for (let at = 0; at < edges.length; at += 2) this.#begun.add(edges[at]!, edges[at + 1]);
    this.#newest = Math.max(this.#newest, edges.at(-1) ?? 0);
  }

  /** Returns the answer of a call that has run, or a promise of the answer while the call runs. */
  answerOf(id: number): EncodedMessage | Promise<EncodedMessage> | undefined {
    return this.#running.get(id) ?? this.#answers.get(id) ?? this.#segmentOf(id)?.answers.get(id);
  }

  /** Returns the answer of a call, for another call that takes its result. */
  resultOf(id: number): EncodedMessage | Promise<EncodedMessage> | undefined {
    return this.answerOf(id) ?? this.#inputs.get(id);
  }

  /** Keeps the answer of a `readonly` method while its client awaits it and there is room. */
  keepForReferences(id: number, answer: EncodedMessage): void {
    this.#inputs.set(id, answer);
    this.#inputs.shrinkTo(MAX_INPUTS_SIZE);
  }

  /** Returns whether a call has begun. A call that waits for another call has begun, too. */
  hasBegun(id: number): boolean {
    return this.#begun.has(id) || this.#running.has(id);
  }

  /** Returns whether a call with another id has begun. */
  hasOther(id: number): boolean {
    return this.#begun.edges.some((edge) => edge !== id);
  }

  /**
   * Returns whether a call may have run although no answer is stored. If so, the call will not run again.
   *
   * @param sentAt - the time of `Date.now()` when the call was first sent
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
   * Marks single calls as no longer awaited by the client, as `forget` does.
   *
   * @returns how many of the calls have never arrived
   */
  forgetAll(ids: readonly number[]): number {
    this.#done.addAll(ids);
    this.#begun.addAll(ids);
    for (const id of ids) this.#dropOne(id);
    return ids.filter((id) => id > this.#newest).length;
  }

  #dropOne(id: number): void {
    if (!this.#answers.delete(id)) this.#segmentOf(id)?.answers.delete(id);
    this.#inputs.delete(id);
  }

  #dropDone(): void {
    this.#hasDone = false;
    const kept = [this.#answers, this.#inputs, ...this.#segments.map(({ answers }) => answers)];
    for (const answers of kept) {
      for (const [id] of answers) if (this.#done.has(id)) answers.delete(id);
    }
  }

  /** Adds the answer of a call, if its client still awaits it. */
  storeAnswer(id: number, answer: EncodedMessage): void {
    if (this.#done.has(id)) return;
    this.begin(id);
    // A call that waited for another call comes here twice. By the second time, its answer may be in a segment.
    if (this.#segmentOf(id)?.answers.get(id) === answer) return;
    this.#answers.set(id, answer);
    this.#unwritten += answer.length;
  }

  /** Marks a call as begun: it will not run again, even if the object is stopped before it ends. */
  begin(id: number): void {
    this.#changes++;
    this.#begun.add(id);
  }

  /**
   * Makes a call that ends in a later turn available to `answerOf` until then.
   *
   * @returns a promise that resolves to the answer when the answer is written. If the storage cannot write it, for
   *   example because it is full, the promise resolves to the answer of a failed call.
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
    const changes = this.#changes;
    if (changes === this.#saved) return;
    this.#answers.shrinkTo(MAX_SIZE);
    const unneeded = this.#segments.length > 0 ? this.#dropSegments() : [];
    let stored = storeAnswers(this.#answers);
    const writtenAgain = this.#answers.size - this.#unwritten;
    if (sizeOf(stored) > MAX_IN_ROW || writtenAgain > MAX_WRITTEN_AGAIN) {
      this.#moveIntoSegment(stored, unneeded.pop());
      stored = { answers: '' };
    }
    if (unneeded.length > 0) this.#storage.deleteSegments(unneeded);
    this.#unwritten = 0;
    const { owner } = this;
    const row: JournalRow = { ...stored, begun: this.#begun.edges, owner, used: Date.now() };
    if (this.#segments.length > 0) row.segments = this.#segments.map(({ number }) => number);
    this.#storage.write(row);
    // This comes last, so that the next frame writes the changes again if a full storage has refused them.
    this.#saved = changes;
  }

  /** @returns the numbers of segments without awaited answers, and of the oldest segments beyond the limit */
  #dropSegments(): number[] {
    let size = this.#answers.size;
    for (const segment of this.#segments.toReversed()) {
      if (!segment.answers.isEmpty) size += segment.size;
      if (size > MAX_SIZE) segment.answers.clear();
    }
    const dropped = this.#segments.filter(({ answers }) => answers.isEmpty);
    if (dropped.length > 0)
      this.#segments = this.#segments.filter(({ answers }) => !answers.isEmpty);
    return dropped.map(({ number }) => number);
  }

  #moveIntoSegment(stored: StoredAnswers, replaced: number | undefined): void {
    const answers = this.#answers;
    const number = this.#storage.addSegment(stored, replaced);
    this.#segments.push({ number, size: answers.size, answers });
    this.#answers = new KeptAnswers();
  }

  /** Returns the segment with the answer of a call. */
  #segmentOf(id: number): Segment | undefined {
    return this.#segments.find(({ answers }) => answers.get(id) !== undefined);
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

  /** Resolves when no other call begins or ends in this turn. The runtime has no event for the end of a turn. */
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
}

function sizeOf({ answers, bytes }: StoredAnswers): number {
  return answers.length + (bytes?.byteLength ?? 0);
}

function keptAnswers(stored: StoredAnswers, frames: FrameCodec): KeptAnswers {
  const kept = new KeptAnswers();
  for (const [id, answer] of loadAnswers(stored, frames)) kept.set(id, answer);
  return kept;
}

/** Returns the answer of a call that has run, but whose own answer could not be stored. */
export function storageFailure(id: number, cause: unknown): string {
  const message = `Call ${id} has run, but its answer could not be stored: ${String(cause)}`;
  return encodeFailure(id, rejection('UNAVAILABLE', message, { maybeExecuted: true }), false);
}
