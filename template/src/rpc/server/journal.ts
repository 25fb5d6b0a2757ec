/**
 * Remembers the answers of calls, so that a call which arrives twice runs once. They are written in
 * the same turn as what the methods wrote, and the storage commits both or neither. One row holds
 * all that is remembered of a client, so a frame costs one row written, however many calls it
 * carries. Imports contract and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { encodeFailure } from '../wire/messages.ts';
import type { CompiledContract } from './contract.ts';

/** Of how many clients answers are kept; of the others only which calls may have run. */
const CLIENTS_WITH_ANSWERS = 1_000;

/** How long a client is remembered after its last call, in milliseconds: a week. */
const MAX_AGE = 7 * 24 * 60 * 60 * 1000;

/** At the first client that an object does not know, and after how many, the table is tidied. */
const TIDY_EVERY = 100;

/** Answers beyond this many characters are dropped, oldest first: a row holds at most 2 MB. */
const MAX_SIZE = 1_000_000;

/** How many acknowledged answers are kept, for a copy of a request that arrives late. */
const SPARE = 16;

interface Row extends Record<string, SqlStorageValue> {
  last: number;
  forgotten: number;
  answers: string;
}

/** `ctx` is protected in the type of a Durable Object, so it is reached through this one. */
export interface WithState {
  ctx: DurableObjectState;
}

const journals = new WeakMap<object, Journal>();

/** The journal of an object, if its contract says that it keeps one. */
export function journalOf(instance: object, contract: CompiledContract): Journal | undefined {
  if (!contract.journal) return undefined;
  let journal = journals.get(instance);
  if (!journal) {
    journal = new Journal((instance as WithState).ctx.storage);
    journals.set(instance, journal);
  }
  return journal;
}

/** The journal of one object: a table of its own beside whatever the class keeps. */
class Journal {
  readonly #storage: DurableObjectStorage;
  readonly #entries = new Map<string, Entry>();
  #strangers = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#createTable();
  }

  /** What is remembered of a client. */
  entry(client: string): Entry {
    let entry = this.#entries.get(client);
    if (!entry) {
      entry = new Entry((...row) => this.#write(client, row), this.#read(client));
      this.#entries.set(client, entry);
    }
    return entry;
  }

  /** Lets go of the entry of a client that has left, unless a call is running; its row stays. */
  release(client: string): void {
    if (!this.#entries.get(client)?.isBusy) this.#entries.delete(client);
  }

  #read(client: string): Row | undefined {
    const query = 'SELECT last, forgotten, answers FROM _rpc_journal WHERE client = ?';
    const [row] = this.#storage.sql.exec<Row>(query, client).toArray();
    if (!row && this.#strangers++ % TIDY_EVERY === 0) this.#tidy();
    return row;
  }

  #write(client: string, row: (string | number)[]): void {
    const statement = 'INSERT OR REPLACE INTO _rpc_journal VALUES (?, ?, ?, ?, ?)';
    try {
      this.#storage.sql.exec(statement, client, ...row, Date.now());
    } catch (error) {
      // A method may have called `deleteAll`.
      if (!/no such table/.test(String(error))) throw error;
      this.#createTable();
      this.#storage.sql.exec(statement, client, ...row, Date.now());
    }
  }

  #createTable(): void {
    this.#storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS _rpc_journal (
         client TEXT PRIMARY KEY, last INTEGER, forgotten INTEGER, answers TEXT, used INTEGER
       ) WITHOUT ROWID`,
    );
  }

  /** The clock decides only what is forgotten. A call that has been forgotten is refused, not run. */
  #tidy(): void {
    const { sql } = this.#storage;
    sql.exec('DELETE FROM _rpc_journal WHERE used < ?', Date.now() - MAX_AGE);
    sql.exec(
      `UPDATE _rpc_journal SET forgotten = last + 1, answers = '' WHERE answers <> '' AND used <
         (SELECT used FROM _rpc_journal ORDER BY used DESC LIMIT 1 OFFSET ?)`,
      CLIENTS_WITH_ANSWERS,
    );
  }
}

/** What is remembered of one client's calls. */
export class Entry {
  readonly #write: (last: number, forgotten: number, answers: string) => void;
  readonly #answers = new Map<number, string>();
  /** The answers of asynchronous methods that are running. */
  readonly #running = new Map<number, Promise<string>>();
  /** Calls of this turn that run, whose answers have to be noted. */
  readonly #executing = new Set<number>();
  #last: number;
  /** Calls with a lower id are not remembered, and may have run. */
  #forgotten: number;
  #size = 0;
  #isChanged = false;

  constructor(write: (last: number, forgotten: number, answers: string) => void, row?: Row) {
    this.#write = write;
    this.#last = row?.last ?? 0;
    this.#forgotten = row?.forgotten ?? 1;
    // An answer begins with `[` and its id, and JSON has no line breaks.
    for (const answer of row?.answers ? row.answers.split('\n') : []) {
      this.#note(Number.parseInt(answer.slice(1)), answer);
    }
    this.#isChanged = false;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** The answer of a call that has run, or a promise of it while it runs. */
  recall(id: number): string | Promise<string> | undefined {
    return this.#running.get(id) ?? this.#answers.get(id);
  }

  /** Whether the call may have run without leaving a trace. */
  hasForgotten(id: number): boolean {
    return id < this.#forgotten;
  }

  /** The client has the answers of all calls before this one. */
  acknowledge(id: number): void {
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= SPARE) break;
      if (oldest >= id) continue;
      this.#size -= this.#answers.get(oldest)?.length ?? 0;
      this.#answers.delete(oldest);
      this.#forgotten = Math.max(this.#forgotten, oldest + 1);
    }
  }

  /** Takes down that a method is about to run. */
  executes(id: number): void {
    this.#executing.add(id);
  }

  /** Takes down the answer of a call, if its method ran. */
  end(id: number, answer: string): void {
    if (this.#executing.delete(id)) this.#note(id, answer);
  }

  /** Takes down that a call is running, until its answer is there. */
  begin(id: number, answer: Promise<string>): void {
    this.suspend(id);
    const ended = answer.then((text) => {
      this.#running.delete(id);
      this.#note(id, text);
      this.save();
      return text;
    });
    this.#running.set(id, ended);
  }

  /**
   * Takes down that a method has begun and goes on in another turn. Should the object be stopped
   * before its end, the client will be told so, and the method not run again.
   */
  suspend(id: number): void {
    if (this.#executing.delete(id)) this.#note(id, lostAnswer(id, 'the object was stopped in it'));
  }

  /** Writes the row, if there is anything new. */
  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#write(this.#last, this.#forgotten, [...this.#answers.values()].join('\n'));
  }

  #note(id: number, answer: string): void {
    this.#isChanged = true;
    this.#last = Math.max(this.#last, id);
    this.#set(id, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= MAX_SIZE) break;
      this.#set(oldest, lostAnswer(oldest, 'its answer was too large to be kept'));
    }
  }

  #set(id: number, answer: string): void {
    this.#size += answer.length - (this.#answers.get(id)?.length ?? 0);
    this.#answers.set(id, answer);
  }
}

/** What a client is told that asks again for an answer which is not there. */
function lostAnswer(id: number, why: string): string {
  const details = { maybeExecuted: true };
  return encodeFailure(
    id,
    new RpcError('DISCONNECTED', `Call ${id} ran, but ${why}`, details),
    false,
  );
}
