/**
 * Bounds the rows of the journal: a row is forgotten when the rows that were written later have grown by 64 MiB.
 *
 * A stored sum would cost a written row for each client. Instead, the time is stored whenever the rows have grown by
 * another 8 MiB since the object woke. The count of these bytes begins at a random number. So if the object writes less
 * than 8 MiB before it hibernates, it stores a time with a probability that is proportional to the bytes that it
 * writes.
 */

const KEY = '__rpc_journal';

/** The growth of the rows between two stored times, in bytes. */
const STEP = 8_388_608;

/** The number of times that are stored. */
const MAX_TIMES = 8;

/** The stored times, in the time of `Date.now()`, oldest first. */
interface Times {
  anonymous?: readonly number[];
  owned?: readonly number[];
}

/** Clients with an owner count separately, so that strangers who make up ids cannot make the object forget them. */
function kindOf(owner: string | undefined): keyof Times {
  return owner === undefined ? 'anonymous' : 'owned';
}

export class JournalGrowth {
  readonly #storage: DurableObjectStorage;
  /** The stored times, which are read when they are first needed. */
  #times: Times | undefined;
  /** The growth until the next time is stored. */
  readonly #left = { anonymous: Math.random() * STEP, owned: Math.random() * STEP };

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** @param bytes - a number less than `STEP` */
  add(bytes: number, owner: string | undefined): void {
    const kind = kindOf(owner);
    this.#left[kind] -= bytes;
    if (this.#left[kind] > 0) return;
    this.#left[kind] += STEP;
    const times = [...this.#timesOf(kind), Date.now()].slice(-MAX_TIMES);
    this.#times = { ...this.#times, [kind]: times };
    this.#storage.kv.put(KEY, this.#times);
  }

  /** Returns a time. Rows that were last written before this time are forgotten. */
  forgottenBefore(owner: string | undefined): number {
    const times = this.#timesOf(kindOf(owner));
    return times.length < MAX_TIMES ? -Infinity : (times[0] as number);
  }

  #timesOf(kind: keyof Times): readonly number[] {
    this.#times ??= this.#storage.kv.get<Times>(KEY) ?? {};
    return this.#times[kind] ?? [];
  }
}
