/**
 * Stores the answers of calls, so that a call that arrives twice runs once. Answers are written in the same turn as
 * the methods' own writes, so the storage commits both or neither. One row holds everything about a client, so a turn
 * costs one written row for any number of calls.
 */
import type { CompiledContract } from '../contract/types.ts';
import { RpcError } from '../../wire/errors.ts';
import type { FrameCodec } from '../../wire/frame-codec.ts';
import { ClientJournal } from './client-journal.ts';
import type { Connection } from '../contract/connection.ts';
import { JournalRows } from './rows.ts';

/** Number of rows that are checked, and deleted if they are old, for each new row. */
const TIDIED_PER_ROW = 4;

/** Makes `ctx` accessible, which is protected in the type of a Durable Object. */
export interface WithCtx {
  ctx: DurableObjectState;
}

const journals = new WeakMap<object, Journal>();

/** The journal of an object; `undefined` if its contract has `journal: false`. */
function journalOf(instance: object, contract: CompiledContract): Journal | undefined {
  if (!contract.journal) return undefined;
  let journal = journals.get(instance);
  if (!journal) {
    journal = new Journal((instance as WithCtx).ctx.storage, contract);
    journals.set(instance, journal);
  }
  return journal;
}

/**
 * The journal entry of a client; `undefined` without a journal or a client id.
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
  // A caller who has learned the id of another caller's client must not get its answers or use its call ids.
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

/** The journal of one object. */
class Journal {
  readonly #rows: JournalRows;
  /** How long a row is kept after its last write, in milliseconds. */
  readonly #maxAge: number;
  readonly #frames: FrameCodec;
  readonly #entries = new Map<string, ClientJournal>();
  /** The client whose row was checked last; `undefined` at first. */
  #cursor: string | undefined;

  constructor(storage: DurableObjectStorage, { journalAge, frames }: CompiledContract) {
    this.#rows = new JournalRows(storage);
    this.#maxAge = journalAge;
    this.#frames = frames;
  }

  /** The entry of a client, loaded from the storage if it is not in memory. */
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
    const release = (): void => void this.#entries.delete(client);
    if (entry.isBusy) entry.onIdle = release;
    else release();
  }

  #load(client: string, owner: string | undefined): ClientJournal {
    const { row, ...stored } = this.#rows.read(client);
    let { isInTable } = stored;
    let isStored = row !== undefined;
    // A call that was first sent before this time runs only if the client has a row. Rows are kept for the
    // maximum age. Half of it is left for clocks that differ, and for calls that take a while to arrive.
    const since = Date.now() - this.#maxAge / 2;
    return new ClientJournal(
      (changed) => {
        if (!isStored) this.#tidyAfter(client);
        isStored = true;
        isInTable = this.#rows.write(client, changed, isInTable);
      },
      owner,
      since,
      row,
      this.#frames,
    );
  }

  /**
   * Checks the next four rows, and deletes those that are old. It runs for each new row, so every row is checked
   * before the number of rows has grown by a quarter. The cost of a new row does not depend on the size of the table.
   * After the object has woken, the check begins at the new row. Ids are random, so this is as good as any place.
   */
  #tidyAfter(client: string): void {
    const found = this.#rows.after(this.#cursor ?? client, TIDIED_PER_ROW);
    this.#cursor = found.length < TIDIED_PER_ROW ? '' : found.at(-1);
    for (const other of found) {
      if (this.#entries.has(other)) continue;
      const { row } = this.#rows.read(other);
      if (row && row.used < Date.now() - this.#maxAge) this.#rows.delete(other);
    }
  }
}
