/**
 * Remembers the answers of calls, so that a call which arrives twice runs once. They are written in
 * the same turn as what the methods wrote, and the storage commits both or neither. One row holds
 * all that is remembered of a client, so a turn costs one row written, however many calls it
 * answers. Imports contract, entry, peer, rows and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import type { CompiledContract } from './contract.ts';
import { Entry } from './entry.ts';
import type { Peer } from './peer.ts';
import { Rows } from './rows.ts';

/** How many rows are looked at, and deleted if they are old, for each that is new. */
const TIDIED_PER_ROW = 4;

/** `ctx` is protected in the type of a Durable Object, so it is reached through this one. */
export interface WithState {
  ctx: DurableObjectState;
}

const journals = new WeakMap<object, Journal>();

/** The journal of an object, if its contract says that it keeps one. */
function journalOf(instance: object, contract: CompiledContract): Journal | undefined {
  if (!contract.journal) return undefined;
  let journal = journals.get(instance);
  if (!journal) {
    journal = new Journal((instance as WithState).ctx.storage, contract.journalAge);
    journals.set(instance, journal);
  }
  return journal;
}

/**
 * What an object remembers of a client, unless it keeps no journal or the client has no id.
 *
 * @throws RpcError `FORBIDDEN` when the id is another caller's
 */
export function entryOf(
  instance: object,
  contract: CompiledContract,
  { client, owner }: Peer,
): Entry | undefined {
  if (client === undefined) return undefined;
  const entry = journalOf(instance, contract)?.entry(client, owner);
  // Who has learned the id of another's client must get neither its answers nor its numbers.
  if (entry && entry.owner !== owner) {
    throw new RpcError(
      'FORBIDDEN',
      'This client id belongs to another caller: create a new client',
    );
  }
  return entry;
}

/** Lets go of what is in memory of a client that has left; its row stays. */
export function releaseEntry(instance: object, contract: CompiledContract, { client }: Peer): void {
  if (client !== undefined) journalOf(instance, contract)?.release(client);
}

/** The journal of one object. */
class Journal {
  readonly #rows: Rows;
  readonly #maxAge: number;
  readonly #entries = new Map<string, Entry>();
  /** The client whose row was tidied last; at first none. */
  #cursor: string | undefined;

  /** @param maxAge - how long a client is remembered after its last call, in milliseconds */
  constructor(storage: DurableObjectStorage, maxAge: number) {
    this.#rows = new Rows(storage);
    this.#maxAge = maxAge;
  }

  /** What is remembered of a client. */
  entry(client: string, owner: string | undefined): Entry {
    let entry = this.#entries.get(client);
    if (!entry) {
      entry = this.#load(client, owner);
      this.#entries.set(client, entry);
    }
    entry.onIdle = undefined;
    return entry;
  }

  /** At once, or when its last running call has ended. */
  release(client: string): void {
    const entry = this.#entries.get(client);
    if (!entry) return;
    const release = (): void => void this.#entries.delete(client);
    if (entry.isBusy) entry.onIdle = release;
    else release();
  }

  #load(client: string, owner: string | undefined): Entry {
    const { row, ...stored } = this.#rows.read(client);
    let { isInTable } = stored;
    let isStored = row !== undefined;
    // Half of the time, so that clocks may differ and a call may be on its way for a while.
    const since = Date.now() - this.#maxAge / 2;
    return new Entry(
      (changed) => {
        if (!isStored) this.#tidyAfter(client);
        isStored = true;
        isInTable = this.#rows.write(client, changed, isInTable);
      },
      owner,
      since,
      row,
    );
  }

  /**
   * Deletes what is old among the next few rows. Each new row has some others looked at, so all are
   * looked at before their number has grown by a quarter, and the millionth costs what the first does.
   * An object that has just woken begins at the new row: ids are random, so any place will do.
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
