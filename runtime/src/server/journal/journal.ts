/**
 * Stores the answers of calls, so that a call that arrives twice runs once. Answers are written in the same turn as
 * the methods' own writes, so the storage commits both or neither. Small answers of a client are in one row, so a turn
 * writes one row for each client, for any number of calls.
 */
import { perObject } from '../base/per-object.ts';
import type { CompiledContract } from '../contract/types.ts';
import { RpcError } from '../../wire/errors.ts';
import type { FrameCodec } from '../../wire/frame-codec.ts';
import { ClientJournal } from './client-journal.ts';
import type { Connection } from '../contract/connection.ts';
import { JournalGrowth } from './growth.ts';
import { countRows, JournalRows, largestOf } from './rows.ts';
import { JournalSegments } from './segments.ts';

/** The bytes of rows that are checked, and deleted if they are old, for each byte by which a row grows. */
const CHECKED_PER_BYTE = 4;

/** The time that a call may take to arrive when the object forgets clients early, in milliseconds. */
const MAX_LATENESS = 300_000;

/** Maximum number of clients whose data is kept in memory because the storage has refused to write it. */
const MAX_UNSAVED = 1_000;

/** Makes `ctx` accessible, which is protected in the type of a Durable Object. */
export interface WithCtx {
  ctx: DurableObjectState;
}

/** Returns the journal of an object; `undefined` if its contract has `journal: false`. */
const journalOf = /* @__PURE__ */ perObject((instance: object, contract: CompiledContract) =>
  contract.journal ? new Journal((instance as WithCtx).ctx.storage, contract) : undefined,
);

/**
 * Returns the journal entry of a client; `undefined` without a journal or a client id.
 *
 * @throws RpcError `FORBIDDEN` if the id belongs to another caller
 */
export function clientJournalOf(
  instance: object,
  contract: CompiledContract,
  { client, owner }: Connection,
): ClientJournal | undefined {
  if (client === undefined) return undefined;
  const entry = journalOf(instance, contract)?.entry(client, owner);
  // A caller who has learned the id of another caller's client must not get that client's answers or use its call ids.
  if (entry && entry.owner !== owner) {
    throw new RpcError(
      'FORBIDDEN',
      'This client id belongs to another caller: create a new client',
    );
  }
  return entry;
}

/** Removes a disconnected client's entry from memory. Its row stays. */
export function releaseClientJournal(
  instance: object,
  contract: CompiledContract,
  { client }: Connection,
): void {
  if (client !== undefined) journalOf(instance, contract)?.release(client);
}

/** Returns how many clients the journal has stored, counted up to a limit; `undefined` without a journal. */
export function journaledClientsOf(
  instance: object,
  { journal }: CompiledContract,
  limit: number,
): number | undefined {
  const { storage } = (instance as Partial<WithCtx>).ctx ?? {};
  return journal && storage ? countRows(storage, limit) : undefined;
}

/** Data of a client that has left, which a full storage has refused to write. */
interface Unsaved {
  readonly owner: string | undefined;
  /** Calls that must not run again, as `edges` of a `CallIds`. */
  readonly begun: readonly number[];
}

/** The journal of one object. */
class Journal {
  readonly #rows: JournalRows;
  readonly #segments: JournalSegments;
  readonly #growth: JournalGrowth;
  /** The time that a row is kept after its last write, in milliseconds. */
  readonly #maxAge: number;
  readonly #frames: FrameCodec;
  readonly #entries = new Map<string, ClientJournal>();
  /** Data that the storage has refused, by client, oldest first. It is written when the storage takes another row. */
  readonly #unsaved = new Map<string, Unsaved>();
  /** The client whose row was checked last; `undefined` at first. */
  #cursor: string | undefined;

  constructor(storage: DurableObjectStorage, { journalAge, frames }: CompiledContract) {
    this.#rows = new JournalRows(storage);
    this.#segments = new JournalSegments(storage, (client) => this.#entries.has(client));
    this.#growth = new JournalGrowth(storage);
    this.#maxAge = journalAge;
    this.#frames = frames;
  }

  /** Returns the entry of a client, which is loaded from the storage if it is not in memory. */
  entry(client: string, owner: string | undefined): ClientJournal {
    let entry = this.#entries.get(client);
    if (!entry) {
      entry = this.#load(client, owner);
      this.#entries.set(client, entry);
    }
    entry.onIdle = undefined;
    return entry;
  }

  /** Removes an entry from memory: at once, or when its last running call has ended. */
  release(client: string): void {
    const entry = this.#entries.get(client);
    if (!entry) return;
    const release = (): void => {
      this.#entries.delete(client);
      const { unsaved, owner } = entry;
      if (unsaved) this.#keepUnsaved(client, { owner, begun: unsaved });
    };
    if (entry.isBusy) entry.onIdle = release;
    else release();
  }

  #keepUnsaved(client: string, unsaved: Unsaved): void {
    this.#unsaved.set(client, unsaved);
    const [oldest] = this.#unsaved.keys();
    if (this.#unsaved.size > MAX_UNSAVED) this.#unsaved.delete(oldest as string);
  }

  /** Writes the data that the storage has refused, now that it takes rows again. */
  #saveUnsaved(): void {
    const all = [...this.#unsaved];
    this.#unsaved.clear();
    for (const [client, unsaved] of all) {
      try {
        this.#restored(client, unsaved).save();
      } catch {
        this.#keepUnsaved(client, unsaved);
      }
    }
  }

  #load(client: string, owner: string | undefined): ClientJournal {
    const unsaved = this.#unsaved.get(client);
    if (!unsaved) return this.#stored(client, owner);
    this.#unsaved.delete(client);
    return this.#restored(client, unsaved);
  }

  #restored(client: string, { owner, begun }: Unsaved): ClientJournal {
    const entry = this.#stored(client, owner);
    entry.addUnsaved(begun);
    return entry;
  }

  #stored(client: string, owner: string | undefined): ClientJournal {
    const row = this.#rows.read(client);
    let largest = row ? largestOf(row) : 0;
    return new ClientJournal(
      {
        write: (changed) => {
          const known = largest;
          largest = this.#rows.write(client, changed, known);
          if (largest > known) this.#grown(client, changed.owner, largest - known);
          if (this.#unsaved.size > 0) this.#saveUnsaved();
        },
        addSegment: (answers, replaced) =>
          this.#segments.add(client, row ? row.owner : owner, answers, replaced),
        deleteSegments: (numbers) => this.#segments.delete(client, numbers),
      },
      owner,
      row ? 0 : this.#knownSince(owner),
      row && { row, segments: this.#segments.read(client, row.segments) },
      this.#frames,
    );
  }

  /**
   * Returns a time. A call that was first sent before this time runs only if its client has a row. The time is half of
   * the maximum age ago, to allow for clocks that differ, and for calls that take a while to arrive.
   */
  #knownSince(owner: string | undefined): number {
    return Math.max(
      Date.now() - this.#maxAge / 2,
      this.#growth.forgottenBefore(owner) + MAX_LATENESS,
    );
  }

  #grown(client: string, owner: string | undefined, bytes: number): void {
    this.#tidyAfter(client, CHECKED_PER_BYTE * bytes);
    this.#growth.add(bytes, owner);
  }

  /**
   * Checks the next rows, and deletes rows that are old. It runs when the rows grow, so every row is checked before
   * all rows together have grown by a quarter. The cost does not depend on the number of rows.
   * After the object has woken, the check begins at the row that grows. Ids are random, so it can begin at any row.
   */
  #tidyAfter(client: string, bytes: number): void {
    const { rows, isLast } = this.#rows.after(this.#cursor ?? client, bytes);
    this.#cursor = isLast ? '' : rows.at(-1)?.[0];
    for (const [other, { used, owner, segments }] of rows) {
      if (this.#entries.has(other)) continue;
      const oldest = Math.max(Date.now() - this.#maxAge, this.#growth.forgottenBefore(owner));
      if (used >= oldest) continue;
      this.#rows.delete(other);
      this.#segments.delete(other, segments);
    }
  }
}
