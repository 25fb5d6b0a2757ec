/** Counts of rejected messages, which outlast connections: a client that connects again does not begin at zero. */
import { clientKeyOf, type ClientIdentity } from './fair-share.ts';

/** After this time without a rejection, a count begins again, in milliseconds. */
const MEMORY = 60_000;

/** Maximum number of clients that are remembered. The oldest is forgotten first. */
const MAX_REMEMBERED = 1_000;

/** Number of rejected messages after which a client's frames wait for frames of other clients. */
const PATIENCE = 100;

/** The rejected messages of one client. */
export class RejectionCount {
  #count = 0;
  /** When the last message was rejected, in the time of `Date.now()`. */
  #at = 0;
  readonly #all: RejectionCounts;
  readonly #isAnonymous: boolean;

  constructor(all: RejectionCounts, isAnonymous: boolean) {
    this.#all = all;
    this.#isAnonymous = isAnonymous;
  }

  add(count: number): void {
    const now = Date.now();
    if (now - this.#at >= MEMORY) this.#count = 0;
    this.#at = now;
    this.#count += count;
    if (this.#isAnonymous) this.#all.addAnonymous(count, now);
  }

  /** Each call that runs cancels one rejected message. */
  subtract(): void {
    if (this.#count > 0) this.#count--;
  }

  get mustWait(): boolean {
    return this.#count >= PATIENCE;
  }

  /** @param limit - `limits.refusals` */
  exceeds(limit: number): boolean {
    if (this.#count <= PATIENCE && this.#count <= limit) return false;
    if (Date.now() - this.#at >= MEMORY) return false;
    return this.#count > limit || (this.#isAnonymous && this.#all.isFlooded(limit));
  }
}

/** The counts of one object. */
export class RejectionCounts {
  readonly #counts = new Map<string, RejectionCount>();
  /** Rejected messages of clients without an owner, in the minute that began at `#since`. */
  #anonymous = 0;
  #since = 0;

  /** The count of a client, which its connections share. One without an id has a count for each connection. */
  of(identity: ClientIdentity): RejectionCount {
    const holder = clientKeyOf(identity);
    const known = holder === undefined ? undefined : this.#counts.get(holder);
    if (known) return known;
    const count = new RejectionCount(this, identity.owner === undefined);
    if (holder === undefined) return count;
    this.#counts.set(holder, count);
    if (this.#counts.size > MAX_REMEMBERED) {
      this.#counts.delete(this.#counts.keys().next().value as string);
    }
    return count;
  }

  /** Whether a client had more messages rejected than it may, less than a minute ago. */
  bars(identity: ClientIdentity, limit: number): boolean {
    const holder = clientKeyOf(identity);
    return holder !== undefined && this.#counts.get(holder)?.exceeds(limit) === true;
  }

  addAnonymous(count: number, now: number): void {
    if (now - this.#since >= MEMORY) {
      this.#since = now;
      this.#anonymous = 0;
    }
    this.#anonymous += count;
  }

  /**
   * Whether clients without an owner together had more messages rejected in a minute than one client may. Such a
   * client can take a new id for each connection, so its own count does not stop it.
   */
  isFlooded(limit: number): boolean {
    return this.#anonymous > limit && Date.now() - this.#since < MEMORY;
  }
}

const all = new WeakMap<object, RejectionCounts>();

export function rejectionCountsOf(instance: object): RejectionCounts {
  let counts = all.get(instance);
  if (!counts) all.set(instance, (counts = new RejectionCounts()));
  return counts;
}
