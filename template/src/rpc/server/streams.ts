/**
 * The streams in an object's memory: found again when their clients come back, and ended when they do not.
 * Imports contract, limits, open-stream, peer and wire/.
 */
import { exceeded, MAX_DELAY } from '../wire/limits.ts';
import type { CompiledContract } from './contract.ts';
import { type Opened, OpenStream, type Siblings } from './open-stream.ts';
import type { Peer } from './peer.ts';

/** What one stream may hold of unacknowledged items, in characters of the text that is sent. */
const MAX_HELD = 1_048_576;

/** What all of an object may hold together. One item each they may always. */
const MAX_HELD_BY_ALL = 33_554_432;

/** What each may hold although the others hold all that they may: many small items. */
const LEAST_HELD = 16_384;

/** Those of one object. */
class Streams implements Siblings {
  readonly #open = new Map<string, OpenStream>();
  readonly #keys = new WeakMap<OpenStream, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  held = 0;

  /** Of many an equal part. Those that were there when there were fewer may hold more, until it is consumed. */
  get share(): number {
    if (this.held >= MAX_HELD_BY_ALL) return LEAST_HELD;
    return Math.min(MAX_HELD, MAX_HELD_BY_ALL / this.#open.size);
  }

  /** The one that a client has under a number, wherever it was begun. */
  find(peer: Peer, n: number): OpenStream | undefined {
    return peer.client === undefined ? undefined : this.#open.get(keyOf(peer, n));
  }

  get all(): OpenStream[] {
    return [...this.#open.values()];
  }

  /** @throws RpcError `LIMIT_EXCEEDED` when there are as many as there may be */
  admit({ limits }: CompiledContract): void {
    if (this.#open.size >= limits.streams) exceeded('streams', limits.streams);
  }

  open(opened: Opened): OpenStream {
    const { peer, n, contract } = opened;
    // Nobody without an id comes back.
    const key = peer.client === undefined ? `${++this.#last}` : keyOf(peer, n);
    const stream = new OpenStream(opened, this);
    this.#open.set(key, stream);
    this.#keys.set(stream, key);
    this.#timer ??= this.#wait(contract.streamTimeout);
    return stream;
  }

  forget(stream: OpenStream): void {
    this.#open.delete(this.#keys.get(stream) ?? '');
    if (this.#open.size > 0) return;
    clearTimeout(this.#timer as never);
    this.#timer = undefined;
  }

  /** Ends those that wait for their clients too long. Until there is none, its timer keeps the object awake. */
  #expire(): void {
    this.#timer = undefined;
    const now = Date.now();
    let next = Infinity;
    for (const stream of this.all) {
      const left = stream.deadline - now;
      if (left <= 0) stream.expire();
      else next = Math.min(next, left);
    }
    if (this.#open.size > 0) this.#timer = this.#wait(next);
  }

  #wait(delay: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#expire(), Math.min(delay, MAX_DELAY));
  }
}

const all = new WeakMap<object, Streams>();

export function streamsOf(instance: object): Streams {
  const streams = all.get(instance) ?? new Streams();
  all.set(instance, streams);
  return streams;
}

function keyOf({ owner, client }: Peer, n: number): string {
  return JSON.stringify([owner, client, n]);
}
