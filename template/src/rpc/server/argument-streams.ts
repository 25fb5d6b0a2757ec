/**
 * The streams that came with calls which are running, by the clients that send them. They are in memory only;
 * while a method waits for an item, a timer keeps the object awake. Imports argument-stream, limits, peer,
 * refusal, sockets and wire/.
 */
import { exceeded } from '../wire/limits.ts';
import { isId } from '../wire/messages.ts';
import { ArgumentStream } from './argument-stream.ts';
import type { Limits } from './limits.ts';
import type { Peer } from './peer.ts';
import { refusal } from './refusal.ts';
import { connectionOf } from './sockets.ts';

/** How often a client is looked for whose next item is awaited, in milliseconds. */
const BEAT = 10_000;

/** For how long a client that is away is waited for, in milliseconds. */
const AWAY = 30_000;

/** Those of one object. */
class ArgumentStreams {
  readonly #instance: object;
  /** By the client, and then by its numbers. */
  readonly #clients = new Map<unknown, Map<number, ArgumentStream>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(instance: object) {
    this.#instance = instance;
  }

  /**
   * @param id - of the call
   * @returns the stream, which is there already if the call waits for another
   * @throws RpcError `LIMIT_EXCEEDED`, or `BAD_MESSAGE` for the stream of another call
   */
  open(s: number, id: number, peer: Peer, limits: Limits): ArgumentStream {
    const key = keyOf(peer);
    const streams = this.#clients.get(key) ?? new Map<number, ArgumentStream>();
    const known = streams.get(s);
    if (known?.id === id) return known;
    if (known) throw refusal('BAD_MESSAGE', `Stream ${s} already belongs to call ${known.id}`);
    if (streams.size >= limits.argumentStreams) {
      exceeded('argumentStreams', limits.argumentStreams);
    }
    const { client, owner } = peer;
    const stream = new ArgumentStream(s, id, {
      limits,
      connection: () => (peer.isOpen ? peer : connectionOf(this.#instance, client, owner)),
      await: () => (this.#timer ??= this.#wait()),
    });
    this.#clients.set(key, streams.set(s, stream));
    return stream;
  }

  find(s: number, peer: Peer): ArgumentStream | undefined {
    return this.#clients.get(keyOf(peer))?.get(s);
  }

  /** Forgets a stream whose call has ended; whoever reads it still is told so. */
  close(stream: ArgumentStream, peer: Peer): void {
    stream.close(refusal('CLOSED', `Stream ${stream.s} ended with its call`));
    const key = keyOf(peer);
    const streams = this.#clients.get(key);
    streams?.delete(stream.s);
    if (streams?.size === 0) this.#clients.delete(key);
    if (this.#clients.size > 0) return;
    clearTimeout(this.#timer as never);
    this.#timer = undefined;
  }

  #wait(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#beat(), BEAT);
  }

  /** Asks the clients that items are awaited of whether they still have them, and gives up who is away. */
  #beat(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const streams of this.#clients.values()) {
      for (const stream of streams.values()) {
        if (!stream.isAwaited) continue;
        this.#timer ??= this.#wait();
        stream.look(now, AWAY);
      }
    }
  }
}

/** What a client is known by through lost connections. */
function keyOf(peer: Peer): unknown {
  const { client, owner } = peer;
  return client === undefined ? peer : JSON.stringify([client, owner]);
}

const all = new WeakMap<object, ArgumentStreams>();

/** Of an object; they are made when the first stream comes. */
export function argumentStreamsOf(instance: object): ArgumentStreams {
  let streams = all.get(instance);
  if (!streams) {
    streams = new ArgumentStreams(instance);
    all.set(instance, streams);
  }
  return streams;
}

/**
 * Takes a message about a stream. One of which nothing is known has ended: that is nobody's fault.
 *
 * @throws RpcError for what no client of ours sends: the frame ends there
 */
export function hearStream([kind, s, ...said]: unknown[], instance: object, peer: Peer): void {
  if (!isId(s)) throw refusal('BAD_MESSAGE', 'The number of a stream must be a positive integer');
  const stream = all.get(instance)?.find(s, peer);
  if (kind === 'item') stream?.push(said, peer);
  else stream?.finish(said);
}
