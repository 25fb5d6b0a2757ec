/** Counts rejected messages. The counts outlast connections, so a client that connects again does not begin at zero. */
import { rejectionResponse } from '../base/requests.ts';
import { perObject } from '../base/per-object.ts';
import { type ClientIdentity, clientKeyOf } from '../base/client-key.ts';
import { LIMIT_EXCEEDED_STATUS } from '../../wire/status.ts';

/** The reason that a client receives when too many of its messages were rejected. */
export const TOO_MANY_REJECTIONS =
  'The client has sent too many messages that were rejected: see limits.refusals';

/** The time without a rejection after which a count begins again, in milliseconds. */
const MEMORY = 60_000;

/** Maximum number of clients that are counted and not barred. The oldest is forgotten first. */
const MAX_COUNTED = 1_000;

/**
 * Maximum characters of the identities of barred clients. Beyond it, no further barred client is remembered. A client
 * that is not remembered gains no more than it would gain by a new id.
 */
const MAX_BARRED_SIZE = 1_000_000;

/** The characters that a barred client takes in memory, without its identity. */
const BARRED_SIZE = 100;

/** Maximum number of owners that are remembered. The owner whose last rejection is the oldest is forgotten first. */
const MAX_OWNERS = 1_000;

/** Number of rejected messages after which a client's frames wait for frames of other clients. */
const PATIENCE = 100;

/** The number of rejected messages that a client may always have, for mistakes, unless `limits.refusals` is less. */
const LEAST = 10;

/** The rejected messages of all clients of one owner, or of all clients without an owner. */
class OwnerCount {
  /** The rejected messages in the minute that began at `#since`. */
  #count = 0;
  #since = 0;

  add(count: number, now: number): void {
    if (now - this.#since >= MEMORY) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += count;
  }

  /**
   * Returns how many rejected messages one client of the owner may have. If all of its clients together exceed the
   * limit of one client, each may have 100, because a client can take a new id for each connection. Beyond twice the
   * limit, each may have fewer.
   *
   * @param limit - the value of `limits.refusals`
   */
  shareOf(limit: number): number {
    if (this.#count <= limit) return limit;
    const share = (2 * PATIENCE * limit) / this.#count;
    return Math.min(limit, Math.max(LEAST, Math.min(share, PATIENCE)));
  }
}

/** The rejected messages of one client. */
export class RejectionCount {
  #count = 0;
  /** The time of `Date.now()` when the last message was rejected. */
  #at = 0;
  #isBarred = false;
  readonly #owner: OwnerCount;
  readonly #onBarred: (() => void) | undefined;

  /** @param onBarred - called at each rejection beyond the limit */
  constructor(owner: OwnerCount, onBarred?: () => void) {
    this.#owner = owner;
    this.#onBarred = onBarred;
  }

  /** @param limit - the value of `limits.refusals` */
  add(count: number, limit: number): void {
    const now = Date.now();
    if (now - this.#at >= MEMORY) {
      this.#count = 0;
      this.#isBarred = false;
    }
    this.#at = now;
    this.#count += count;
    this.#owner.add(count, now);
    this.#isBarred ||= this.#count > this.#owner.shareOf(limit);
    if (this.#isBarred) this.#onBarred?.();
  }

  /** Subtracts one rejected message for a call that runs. */
  subtract(): void {
    if (this.#count > 0) this.#count--;
  }

  get mustWait(): boolean {
    return this.#count >= PATIENCE;
  }

  /**
   * True if the client has exceeded its limit of rejected messages, and the last rejection is less than a minute ago.
   */
  get isBarred(): boolean {
    return this.#isBarred && Date.now() - this.#at < MEMORY;
  }
}

/** The counts of one object. */
export class RejectionCounts {
  readonly #owners = new Map<string | undefined, OwnerCount>();
  /** Clients that are not barred. */
  readonly #counted = new Map<string, RejectionCount>();
  /** Barred clients. The client with the oldest rejection is first. */
  readonly #barred = new Map<string, RejectionCount>();
  #barredSize = 0;

  /** Returns the count of a client; `undefined` if none of its messages has been rejected. */
  known(identity: ClientIdentity): RejectionCount | undefined {
    if (this.#counted.size + this.#barred.size === 0) return undefined;
    const key = clientKeyOf(identity);
    return key === undefined ? undefined : (this.#barred.get(key) ?? this.#counted.get(key));
  }

  /** Returns the count that a client's connections share. A client without an id has a count for each connection. */
  of(identity: ClientIdentity): RejectionCount {
    const known = this.known(identity);
    if (known) return known;
    const owner = this.#ownerOf(identity.owner);
    const key = clientKeyOf(identity);
    if (key === undefined) return new RejectionCount(owner);
    const count = new RejectionCount(owner, () => this.#bar(key, count));
    this.#counted.set(key, count);
    dropOldest(this.#counted, MAX_COUNTED);
    return count;
  }

  /** Returns whether a client has exceeded its limit of rejected messages within the last minute. */
  bars(identity: ClientIdentity): boolean {
    return this.known(identity)?.isBarred === true;
  }

  #ownerOf(name: string | undefined): OwnerCount {
    const owner = this.#owners.get(name) ?? new OwnerCount();
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    dropOldest(this.#owners, MAX_OWNERS);
    return owner;
  }

  #bar(key: string, count: RejectionCount): void {
    this.#counted.delete(key);
    this.#unbar(key);
    for (const [other, { isBarred }] of this.#barred) {
      if (isBarred) break;
      this.#unbar(other);
    }
    const size = key.length + BARRED_SIZE;
    if (this.#barredSize + size > MAX_BARRED_SIZE) return;
    this.#barredSize += size;
    this.#barred.set(key, count);
  }

  #unbar(key: string): void {
    if (this.#barred.delete(key)) this.#barredSize -= key.length + BARRED_SIZE;
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

/** Returns the response to a request of a client with too many rejected messages. */
export function tooManyRejections(): Response {
  return rejectionResponse(LIMIT_EXCEEDED_STATUS, TOO_MANY_REJECTIONS);
}

/** Returns the counts of an object. */
export const rejectionCountsOf = /* @__PURE__ */ perObject(() => new RejectionCounts());
