/**
 * Remembers the answers of calls, so that a call which arrives twice runs once. They are written in
 * the same turn as what the methods wrote, and the storage commits both or neither. One row holds
 * all that is remembered of a client, so a frame costs one row written, however many calls it
 * carries. The rows are in the key-value storage, beside what the class keeps there: a table of
 * their own would be a further page of the database to write for each commit, which is most of what
 * a journal costs. Imports contract and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { encodeFailure } from '../wire/messages.ts';
import type { CompiledContract } from './contract.ts';

/** Before a client's id: the key of its row. */
const PREFIX = '__rpc_journal:';

/** Of how many clients answers are kept; of the others only which calls may have run. */
const CLIENTS_WITH_ANSWERS = 1_000;

/** How long a client is remembered after its last call, in milliseconds: a day. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** At the first client that an object does not know, and after how many, the journal is tidied. */
const TIDY_EVERY = 100;

/** Answers beyond this many characters are dropped, oldest first: a row holds at most 2 MB. */
const MAX_SIZE = 900_000;

/** A client's id is a UUID; a longer one than this is nobody's, and would make too long a key. */
const MAX_CLIENT_LENGTH = 100;

interface Row {
  /** The highest id of a call that has run. */
  last: number;
  /** Calls with a lower id are not remembered, and may have run. */
  forgotten: number;
  /** The texts of answers, joined by line breaks. */
  answers: string;
  /** When it was written, on the clock of `Date.now()`. */
  used: number;
}

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

/** What an object remembers of a client, unless it keeps no journal or the client has no id. */
export function entryOf(
  instance: object,
  contract: CompiledContract,
  client: string | undefined,
): Entry | undefined {
  if (client === undefined || client.length > MAX_CLIENT_LENGTH) return undefined;
  return journalOf(instance, contract)?.entry(client);
}

/** Lets go of what is in memory of a client that has left; its row stays. */
export function releaseEntry(
  instance: object,
  contract: CompiledContract,
  client: string | undefined,
): void {
  if (client !== undefined) journalOf(instance, contract)?.release(client);
}

/** The journal of one object. */
class Journal {
  readonly #kv: SyncKvStorage;
  readonly #entries = new Map<string, Entry>();
  #strangers = 0;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** What is remembered of a client. */
  entry(client: string): Entry {
    let entry = this.#entries.get(client);
    if (!entry) {
      const key = PREFIX + client;
      const row = this.#kv.get<Row>(key);
      if (!row && this.#strangers++ % TIDY_EVERY === 0) this.#tidy();
      entry = new Entry((changed) => this.#kv.put(key, changed), row);
      this.#entries.set(client, entry);
    }
    return entry;
  }

  /** Unless a call is running. */
  release(client: string): void {
    if (!this.#entries.get(client)?.isBusy) this.#entries.delete(client);
  }

  /** The clock decides only what is forgotten. A call that has been forgotten is refused, not run. */
  #tidy(): void {
    const rows = Array.from(this.#kv.list<Row>({ prefix: PREFIX }), ([key, row]) => {
      const { last, used, answers } = row;
      return { key, last, used, isEmpty: answers === '' };
    });
    rows.sort((one, other) => other.used - one.used);
    for (const [index, { key, last, used, isEmpty }] of rows.entries()) {
      if (used < Date.now() - MAX_AGE) this.#kv.delete(key);
      else if (index >= CLIENTS_WITH_ANSWERS && !isEmpty) {
        this.#kv.put<Row>(key, { last, forgotten: last + 1, answers: '', used });
      }
    }
  }
}

/** What is remembered of one client's calls. */
export class Entry {
  readonly #write: (row: Row) => void;
  readonly #answers = new Map<number, string>();
  /** The answers of asynchronous methods that are running. */
  readonly #running = new Map<number, Promise<string>>();
  /** The call whose method has been started, and whose answer has to be noted; 0 if there is none. */
  #executing = 0;
  #last: number;
  /** Calls with a lower id are not remembered, and may have run. */
  #forgotten: number;
  #size = 0;
  #isChanged = false;

  constructor(write: (row: Row) => void, row?: Row) {
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
    for (const [oldest, answer] of this.#answers) {
      if (oldest >= id) continue;
      this.#size -= answer.length;
      this.#answers.delete(oldest);
      this.#forgotten = Math.max(this.#forgotten, oldest + 1);
    }
  }

  /** Takes down that a method is about to run. */
  executes(id: number): void {
    this.#executing = id;
  }

  /** Takes down the answer of a call, if its method ran. */
  end(id: number, answer: string): void {
    if (this.#executing !== id) return;
    this.#executing = 0;
    this.#note(id, answer);
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
    this.end(id, lostAnswer(id, 'the object was stopped in it'));
  }

  /** Writes the row, if there is anything new. */
  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#write({
      last: this.#last,
      forgotten: this.#forgotten,
      answers: [...this.#answers.values()].join('\n'),
      used: Date.now(),
    });
  }

  #note(id: number, answer: string): void {
    this.#isChanged = true;
    this.#last = Math.max(this.#last, id);
    this.#set(id, answer);
    if (this.#size > MAX_SIZE) this.#dropOldest();
  }

  #dropOldest(): void {
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
