/**
 * Streams as arguments of calls: the object takes their items as its method reads them. A bundle contains this
 * file only if you import it.
 */
import { freeFrame } from '../../../wire/bytes.ts';
import type { Packet, EncodedMessage } from '../../../wire/encoded-message.ts';
import { RpcError } from '../../../wire/errors.ts';
import { encodeItem, STREAM_SIZE, STREAM_WINDOW } from '../wire.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import { isId } from '../../../wire/messages.ts';
import { ArgumentHandle, TO_REFERENCE, type Stream } from '../../../wire/argument-handles.ts';
import { unreadableReference } from '../../../wire/values/rich-decoder.ts';
import { encodeRich, type Reference, STREAM } from '../../../wire/values/rich-encoder.ts';
import type { Call } from '../../../client/call.ts';
import type { Session } from '../../../client/session.ts';
import { type Iterables, type Readable, type Source, sourceOf } from './sources.ts';

/** The initial and the lowest limit of the characters in flight. */
const LEAST = 262_144;
/** The step by which that limit changes. It is also the size of a frame of items, so that other frames come between. */
const STEP = 65_536;

/** The number of microtasks to wait for the next item before the items are sent. */
const PATIENCE = 10;

/** The state that all streams of one client share. */
interface Line {
  readonly session: Session;
  /** The streams that have not ended, by number. */
  readonly streams: Map<unknown, Outgoing>;
  /** The iterators that were passed already. Each can be read only once. */
  readonly used: WeakSet<object>;
  last: number;
  /** Sends messages, if there is a connection. */
  tell(messages: readonly EncodedMessage[]): void;
}

/**
 * Marks a stream as an argument of a call, where the contract has `streamOf(…)`. The stream is an async iterable, a
 * generator or another iterable, or a `ReadableStream`. Items are sent as the method takes them, at most 64 items or
 * 1 MiB ahead. When the call ends or the method takes no more items, the stream ends: the runtime calls the `return` of
 * an iterator, or cancels a `ReadableStream`. If the stream throws, the method's loop throws the same error. The
 * call's `timeout` starts again with each item that the stream yields or the method takes.
 *
 * @param iterable - the source of the items. A generator or a `ReadableStream` can be passed only once.
 * @returns an argument for a call over a WebSocket or a port. Over HTTP, the call rejects with `UNSERIALIZABLE`.
 * @example
 * await files.upload('a.txt', stream(lines()));
 */
export function stream<Item>(iterable: Iterables<Item>): Stream<Item>;
export function stream<Item>(iterable: Readable<Item>): Stream<Item>;
export function stream(iterable: object): Stream<unknown> {
  const marked = new ArgumentHandle((call: Call) => {
    const session = call.session as Session;
    if (!session.transport.isDuplex) {
      throw new RpcError('UNSERIALIZABLE', 'A stream needs a WebSocket');
    }
    return new Outgoing(lineOf(session), iterable)[TO_REFERENCE](call);
  });
  return marked as object as Stream<unknown>;
}

/** Returns the streams of a session. The first stream makes the session send items. */
function lineOf(session: Session): Line {
  const before = session.streams as Line | undefined;
  if (before) return before;
  const { resolve = unreadableReference, received, connection } = session;
  const send = session.send.bind(session);
  const known = new Map<unknown, Outgoing>();
  const line: Line = {
    session,
    streams: known,
    used: new WeakSet(),
    last: 0,
    tell: (messages) => connection.isDuplex && send(messages),
  };
  session.streams = line;
  session.resolve = (reference, of) =>
    // Only the text of a call has streams.
    reference[0] === STREAM && of ? known.get(reference[1]) : resolve(reference, of);
  // Items must be sent after their call, also when the call is sent again.
  session.send = (messages) => {
    send(messages);
    for (const outgoing of known.values()) outgoing.go();
  };
  session.received = (messages) => received(messages.filter((message) => isOther(message, line)));
  return line;
}

/** Handles a message. Returns whether it belongs to another module. */
function isOther([kind, streamId, i]: unknown[], { streams: known, tell }: Line): boolean {
  const outgoing = known.get(streamId);
  if (kind === 'stop') outgoing?.stop();
  else if (kind !== 'ack') return true;
  else if (isId(streamId) && (i === 0 || isId(i))) {
    // The call has ended, or it runs again and needs items that were acknowledged and dropped.
    if (!outgoing?.acknowledge(i)) tell([`["end",${streamId}]`]);
  }
  return false;
}

/** One stream that is an argument. */
class Outgoing {
  readonly #line: Line;
  readonly #value: object;
  #streamId = 0;
  #call: Call | undefined;
  /** The iterator, until it has ended. */
  #source: Source | undefined;
  #timeout = 0;
  /** The messages that are not acknowledged, whether they are sent or not. */
  #messages: EncodedMessage[] = [];
  /** The size of these messages, in characters plus bytes. */
  #size = 0;
  /** The time of `performance.now()` when each of these messages was sent. */
  #times: number[] = [];
  /** At this size no further item is read. It adapts to the connection, so that other calls do not wait. */
  #limit = LEAST;
  /** The shortest time from sending an item to its acknowledgement, in milliseconds. */
  #fastest = Infinity;
  /** The number of these messages that were sent on the current connection. */
  #sent = 0;
  /** The identity of the frame that carried the call on that connection. */
  #frame: object | undefined;
  /** The number of the last acknowledged item. */
  #acknowledged = 0;
  #wake = (): void => {};

  constructor(line: Line, value: object) {
    this.#line = line;
    this.#value = value;
  }

  /** @throws TypeError for a stream that was passed before */
  [TO_REFERENCE](call: Call): Reference {
    if (!this.#call) this.#begin(call);
    return [STREAM, this.#streamId];
  }

  #begin(call: Call): void {
    const { streams: known, used } = this.#line;
    const source = sourceOf(this.#value);
    if (used.has(source))
      throw new TypeError('A stream can be passed only once: make a new one for this call');
    used.add(source);
    this.#source = source;
    this.#call = call;
    this.#timeout = call.deadline - performance.now();
    this.#streamId = ++this.#line.last;
    known.set(this.#streamId, this);
    const { onSettled } = call;
    call.onSettled = () => {
      onSettled?.();
      if (this.#source) this.#line.tell([`["end",${this.#streamId}]`]);
      this.stop();
    };
    void this.#run(call, source);
  }

  /** Sends the messages that have not been sent, if the call was sent. */
  go(): void {
    const { frame } = this.#call as Call;
    if (frame !== this.#frame) this.#sent = 0;
    this.#frame = frame;
    this.#wake();
    if (!frame) return;
    while (this.#sent < this.#messages.length) {
      const first = this.#sent;
      for (let size = 0; size < STEP && this.#sent < this.#messages.length; this.#sent++) {
        size += (this.#messages[this.#sent] as EncodedMessage).length;
        this.#times[this.#sent] = performance.now();
      }
      this.#line.tell(this.#messages.slice(first, this.#sent));
    }
  }

  /** @returns whether the client still has the items after `i` */
  acknowledge(i: number): boolean {
    if (i < this.#acknowledged) return false;
    let time: number | undefined;
    for (; this.#acknowledged < i && this.#sent > 0; this.#acknowledged++, this.#sent--) {
      const { length, frame } = this.#messages.shift() as Packet;
      this.#size -= length;
      freeFrame(frame);
      time = this.#times.shift();
    }
    if (time) this.#adapt(performance.now() - time);
    this.#extend();
    this.#wake();
    return true;
  }

  /** Ends the stream: the method needs no more items. */
  stop(): void {
    this.#line.streams.delete(this.#streamId);
    this.#messages = [];
    this.#leave();
    this.#wake();
  }

  #leave(): void {
    const source = this.#source;
    this.#source = undefined;
    // An error is ignored, because no code waits for the iterator any more.
    void (async () => source?.return?.())().catch(() => {});
  }

  async #run(call: Call, source: Source): Promise<void> {
    let i = 0;
    while (this.#source) {
      if (this.#messages.length >= STREAM_WINDOW || this.#size >= this.#limit || !call.sentAt) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      let message: EncodedMessage;
      try {
        const { done, value } = await source.next();
        if (!this.#source) return;
        if (done) message = `["end",${this.#streamId},${i}]`;
        else
          message = this.#line.session.write((referenceOf) =>
            encodeItem(this.#streamId, i + 1, value, referenceOf),
          );
        if (message.length > STREAM_SIZE) limitExceeded('the size of an item', STREAM_SIZE);
        if (done) this.#source = undefined;
        else i++;
      } catch (error) {
        if (!this.#source) return;
        message = `["end",${this.#streamId},${i},"error",${textOf(error)}]`;
        this.#leave();
      }
      this.#size += message.length;
      this.#extend();
      void this.#goSoon(this.#messages.push(message));
    }
  }

  /** @param took - the time from sending an item to its acknowledgement, in milliseconds */
  #adapt(took: number): void {
    this.#fastest = Math.min(this.#fastest, took);
    // This is the number of characters in flight that the speed does not need.
    const waiting = this.#limit * (1 - this.#fastest / took);
    if (waiting < STEP) this.#limit = Math.min(this.#limit + STEP, STREAM_SIZE);
    else if (waiting > 2 * STEP) this.#limit = Math.max(this.#limit - STEP, LEAST);
  }

  /** Restarts the timeout of the call. */
  #extend(): void {
    (this.#call as { deadline: number }).deadline = performance.now() + this.#timeout;
  }

  /** Sends items that become ready within a few microtasks in one frame. */
  async #goSoon(count: number): Promise<void> {
    for (let turn = 0; turn < PATIENCE; turn++) await undefined;
    if (count === this.#messages.length) this.go();
  }
}

/** Returns a thrown value as text, without parts that cannot be sent; `undefined` if the value cannot be read. */
function textOf(thrown: unknown): string {
  try {
    return encodeRich(thrown, undefined, true);
  } catch {
    return '[[]]';
  }
}
