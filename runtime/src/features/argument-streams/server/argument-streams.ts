/**
 * The streams that are arguments of running calls, by client. They are in memory only. While a method waits for an
 * item, a timer keeps the object awake.
 */
import {
  type CompiledContract,
  type Connection,
  connectionOfClient,
  badMessage,
  rejection,
  perObject,
} from '../../../server/feature.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import { isId } from '../../../wire/messages.ts';
import { isEnd, isItem } from '../wire.ts';
import { ArgumentStream } from './argument-stream.ts';

/** The milliseconds between two checks of a client whose next item a method awaits. */
const BEAT = 10_000;

/** The time that the object waits for a disconnected client, in milliseconds. */
const AWAY = 30_000;

/** The argument streams of one object. */
class ArgumentStreams {
  readonly #instance: object;
  /** The streams by the key of the client's memory, then by the client's number of the stream. */
  readonly #clients = new Map<unknown, Map<number, ArgumentStream>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(instance: object) {
    this.#instance = instance;
  }

  /**
   * @param id - the id of the call
   * @returns the stream, which already exists if the call waits for another call
   * @throws RpcError `LIMIT_EXCEEDED`, or `BAD_MESSAGE` if the stream belongs to another call
   */
  open(
    streamId: number,
    id: number,
    connection: Connection,
    contract: CompiledContract,
  ): ArgumentStream {
    const { limits, streamTimeout: timeout } = contract;
    const key = connection.memory.key;
    const streams = this.#clients.get(key) ?? new Map<number, ArgumentStream>();
    const known = streams.get(streamId);
    if (known?.id === id) return known;
    if (known) badMessage(`Stream ${streamId} already belongs to call ${known.id}`);
    if (streams.size >= limits.argumentStreams) {
      limitExceeded('argumentStreams', limits.argumentStreams);
    }
    const { client, owner } = connection;
    const stream = new ArgumentStream(streamId, id, {
      limits,
      timeout,
      memory: connection.memory,
      connection: () =>
        connection.isOpen ? connection : connectionOfClient(this.#instance, client, owner),
      await: () => (this.#timer ??= this.#wait(timeout)),
    });
    this.#clients.set(key, streams.set(streamId, stream));
    return stream;
  }

  find(streamId: number, connection: Connection): ArgumentStream | undefined {
    return this.#clients.get(connection.memory.key)?.get(streamId);
  }

  /** Removes a stream whose call has ended. Code that still reads it gets `CLOSED`. */
  close(stream: ArgumentStream, connection: Connection): void {
    stream.close(rejection('CLOSED', `Stream ${stream.streamId} ended with its call`));
    const key = connection.memory.key;
    const streams = this.#clients.get(key);
    streams?.delete(stream.streamId);
    if (streams?.size === 0) this.#clients.delete(key);
    if (this.#clients.size > 0) return;
    clearTimeout(this.#timer as never);
    this.#timer = undefined;
  }

  /** @param timeout - the option `streamTimeout`, after which a stream without items ends */
  #wait(timeout: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#beat(timeout), Math.min(BEAT, timeout));
  }

  /** Checks each client whose items a method awaits. */
  #beat(timeout: number): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const streams of this.#clients.values()) {
      for (const stream of streams.values()) {
        if (!stream.isAwaited) continue;
        this.#timer ??= this.#wait(timeout);
        stream.checkClient(now, AWAY);
      }
    }
  }
}

/** Returns the argument streams of an object. They are created with the first stream. */
export const argumentStreamsOf = /* @__PURE__ */ perObject(
  (instance) => new ArgumentStreams(instance),
);

/**
 * Handles a message about a stream. A message about an unknown stream is ignored, because that stream has ended.
 *
 * @throws RpcError for a message that our client never sends; the rest of the frame is ignored
 */
export function handleStreamMessage(
  [kind, streamId, ...rest]: unknown[],
  instance: object,
  connection: Connection,
): void {
  if (!isId(streamId)) throw malformed('The number of a stream must be a positive integer');
  const stream = argumentStreamsOf(instance).find(streamId, connection);
  if (kind === 'item') {
    if (!isItem(rest)) throw malformed('An item must be ["item", s, i], then its value');
    stream?.push(rest, connection);
  } else {
    if (isEnd(rest)) return stream?.finish(rest);
    const error = malformed('An end must be ["end", s, i], then an optional error');
    // The client will send no other end.
    stream?.close(error);
    throw error;
  }
}

function malformed(problem: string): RpcError {
  return rejection('BAD_MESSAGE', problem);
}
