/**
 * Remembers the answers of calls, so that a call which arrives twice runs once. They are written in
 * the same turn as what the methods wrote, and the storage commits both or neither. One row holds
 * all that is remembered of a client, so a turn costs one row written, however many calls it
 * answers. The rows are in the key-value storage, beside what the class keeps there: a table of
 * their own would be a further page of the database to write for each commit, which is most of what
 * a journal costs. Imports contract, entry, peer and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import type { CompiledContract } from './contract.ts';
import { Entry, type Row } from './entry.ts';
import type { Peer } from './peer.ts';

/** Before a client's id: the key of its row. */
const PREFIX = '__rpc_journal:';

/**
 * How long a client is remembered after its last call, in milliseconds: an hour. A call that its
 * client sends again later than that is refused, since it may have run.
 */
const MAX_AGE = 60 * 60 * 1000;

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
    journal = new Journal((instance as WithState).ctx.storage.kv);
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
    throw new RpcError('FORBIDDEN', 'This client id belongs to another caller: make a new client');
  }
  return entry;
}

/** Lets go of what is in memory of a client that has left; its row stays. */
export function releaseEntry(instance: object, contract: CompiledContract, { client }: Peer): void {
  if (client !== undefined) journalOf(instance, contract)?.release(client);
}

/** The journal of one object. */
class Journal {
  readonly #kv: SyncKvStorage;
  readonly #entries = new Map<string, Entry>();
  /** The row that was tidied last. */
  #cursor: string | undefined;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** What is remembered of a client. */
  entry(client: string, owner: string | undefined): Entry {
    const known = this.#entries.get(client);
    if (known) {
      known.onIdle = undefined;
      return known;
    }
    const key = PREFIX + client;
    const row = this.#kv.get<Row>(key);
    let isStored = row !== undefined;
    const write = (changed: Row): void => {
      if (!isStored) this.#tidyAfter(key);
      isStored = true;
      this.#kv.put(key, changed);
    };
    // Half of the time, so that clocks may differ and a call may be on its way for a while.
    const entry = new Entry(write, owner, Date.now() - MAX_AGE / 2, row);
    this.#entries.set(client, entry);
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

  /**
   * Deletes what is old among the next few rows. Each new row has some others looked at, so all are
   * looked at before their number has grown by a quarter, and the millionth costs what the first does.
   * An object that has just woken goes on from the new row: ids are random, so any place will do.
   */
  #tidyAfter(key: string): void {
    const startAfter = this.#cursor ?? key;
    const rows = [...this.#kv.list<Row>({ prefix: PREFIX, startAfter, limit: TIDIED_PER_ROW })];
    this.#cursor = rows.length < TIDIED_PER_ROW ? PREFIX : rows.at(-1)?.[0];
    const oldest = Date.now() - MAX_AGE;
    for (const [found, { used }] of rows) {
      if (used < oldest && !this.#entries.has(found.slice(PREFIX.length))) this.#kv.delete(found);
    }
  }
}
