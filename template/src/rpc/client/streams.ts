/**
 * Streams as arguments of calls: the object takes their items as its method reads them. Only who imports this
 * file has it in a bundle. Imports call, session, sources and wire/.
 */
import { free, type Packet, type Said } from '../wire/bytes.ts';
import { encodeItem, STREAM_SIZE, STREAM_WINDOW } from '../wire/items.ts';
import { exceeded } from '../wire/limits.ts';
import { unread } from '../wire/rich-decoder.ts';
import { encodeRich, type Reference, STREAM } from '../wire/rich-encoder.ts';
import type { Call } from './call.ts';
import type { Session } from './session.ts';
import { isStream, type Source, sourceOf } from './sources.ts';

/** How many characters may be under way at first, and always; and by how many more or less it may be then. */
const LEAST = 262_144;
/** Also from how many on a frame of items leaves, so that other frames come between. */
const STEP = 65_536;

/** For how many microtasks the next item is waited for, before those that are there leave. */
const PATIENCE = 10;

/** What streams share that are arguments of one client's calls. */
interface Line {
  readonly session: Session;
  /** By their numbers. */
  readonly streams: Map<unknown, Stream>;
  /** The iterators that have been passed: each can be read once. */
  readonly used: WeakSet<object>;
  last: number;
  /** Sends messages, if there is a connection. */
  tell(messages: readonly Said[]): void;
}

/**
 * Lets streams be arguments of a client's calls, where the contract says `items(…)`: async iterables,
 * generators and `ReadableStream`s. Items are sent as the method takes them, 64 of them or 1 MiB ahead. When
 * the call ends or the method takes no more, the stream is ended: the `return` of an iterator is called, a
 * `ReadableStream` is cancelled. What the stream throws, the method's loop throws. The call's `timeout` runs
 * anew with each item that is given and each that is taken.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const files = createRpcClient<Files>('FILES', 'main', { streams });
 * await files.upload('a.txt', lines());
 */
export function streams(session: Session): void {
  const { call, take, make = unread, connection, transport } = session;
  const { events } = connection;
  const { received } = events;
  const send = session.send.bind(session);
  const known = new Map<unknown, Stream>();
  const line: Line = {
    session,
    streams: known,
    used: new WeakSet(),
    last: 0,
    tell: (messages) => connection.isDuplex && send(messages),
  };
  session.call = (method, args, options) => {
    const all = args.map((arg) =>
      transport.isDuplex && isStream(arg) ? new Stream(line, arg) : arg,
    );
    return call.call(session, method, all, options);
  };
  session.take = (value, of) =>
    value instanceof Stream && of ? value.referenceIn(of) : take?.(value, of);
  session.make = (reference, of) =>
    reference[0] === STREAM ? known.get(reference[1]) : make(reference, of);
  // Calls that leave, or leave again, have their items after them.
  session.send = (messages) => {
    send(messages);
    for (const stream of known.values()) stream.go();
  };
  events.received = (messages) => received(messages.filter((message) => isOther(message, line)));
}

/** Deals with a message, and says whether it is none of ours. */
function isOther([kind, s, i]: unknown[], { streams: known, tell }: Line): boolean {
  const stream = known.get(s);
  if (kind === 'stop') stream?.stop();
  else if (kind !== 'ack') return true;
  // Its call has been given up, or what was sent for it has gone with an earlier run of the call.
  else if (!stream?.acknowledge(i as number)) tell([`["end",${s}]`]);
  return false;
}

/** One that is an argument. */
class Stream {
  readonly #line: Line;
  readonly #value: object;
  #s = 0;
  #call: Call | undefined;
  /** Until it has ended. */
  #source: Source | undefined;
  #timeout = 0;
  /** What has been sent, or is to be, and is not acknowledged. */
  #messages: Said[] = [];
  /** The characters of them, and bytes beside those. */
  #size = 0;
  /** When each was sent, on the clock of `performance.now()`. */
  #times: number[] = [];
  /** How many characters may be under way: as many as are on the line, so that other calls do not wait. */
  #limit = LEAST;
  /** The least time in which an item was acknowledged. */
  #fastest = Infinity;
  /** How many of them have been sent on the connection that is there now, and what stands for that. */
  #sent = 0;
  #frame: object | undefined;
  /** The number of the last item that has been acknowledged. */
  #acknowledged = 0;
  #wake = (): void => {};

  constructor(line: Line, value: object) {
    this.#line = line;
    this.#value = value;
  }

  /** @throws TypeError for what has been passed before */
  referenceIn(call: Call): Reference {
    if (!this.#call) this.#begin(call);
    return [STREAM, this.#s];
  }

  #begin(call: Call): void {
    const { streams: known, used } = this.#line;
    const source = sourceOf(this.#value);
    if (used.has(source)) throw new TypeError('A stream can be passed only once');
    used.add(source);
    this.#source = source;
    this.#call = call;
    this.#timeout = call.deadline - performance.now();
    this.#s = ++this.#line.last;
    known.set(this.#s, this);
    const { onSettled } = call;
    call.onSettled = () => {
      onSettled?.();
      if (this.#source) this.#line.tell([`["end",${this.#s}]`]);
      this.stop();
    };
    void this.#run(call, source);
  }

  /** Sends what has not been sent, when the call has left. */
  go(): void {
    const { frame } = this.#call as Call;
    if (frame !== this.#frame) this.#sent = 0;
    this.#frame = frame;
    this.#wake();
    if (!frame) return;
    while (this.#sent < this.#messages.length) {
      const first = this.#sent;
      for (let size = 0; size < STEP && this.#sent < this.#messages.length; this.#sent++) {
        size += (this.#messages[this.#sent] as Said).length;
        this.#times[this.#sent] = performance.now();
      }
      this.#line.tell(this.#messages.slice(first, this.#sent));
    }
  }

  /** @returns whether it has what comes after */
  acknowledge(i: number): boolean {
    if (i < this.#acknowledged) return false;
    let time: number | undefined;
    for (; this.#acknowledged < i && this.#sent > 0; this.#acknowledged++, this.#sent--) {
      const { length, frame } = this.#messages.shift() as Packet;
      this.#size -= length;
      free(frame);
      time = this.#times.shift();
    }
    if (time) this.#adapt(performance.now() - time);
    this.#extend();
    this.#wake();
    return true;
  }

  /** Ends it: nobody takes any more of it. */
  stop(): void {
    this.#line.streams.delete(this.#s);
    this.#messages = [];
    this.#leave();
    this.#wake();
  }

  #leave(): void {
    const source = this.#source;
    this.#source = undefined;
    // Nobody is left to be told of what that throws.
    void (async () => source?.return?.())().catch(() => {});
  }

  async #run(call: Call, source: Source): Promise<void> {
    let i = 0;
    while (this.#source) {
      if (this.#messages.length >= STREAM_WINDOW || this.#size >= this.#limit || !call.sentAt) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      let message: Said;
      try {
        const { done, value } = await source.next();
        if (!this.#source) return;
        if (done) message = `["end",${this.#s},${i}]`;
        else message = this.#line.session.write((of) => encodeItem(this.#s, i + 1, value, of));
        if (message.length > STREAM_SIZE) exceeded('the size of an item', STREAM_SIZE);
        if (done) this.#source = undefined;
        else i++;
      } catch (error) {
        if (!this.#source) return;
        message = `["end",${this.#s},${i},"error",${textOf(error)}]`;
        this.#leave();
      }
      this.#size += message.length;
      this.#extend();
      void this.#goSoon(this.#messages.push(message));
    }
  }

  /** @param took - from when an item was sent until it was acknowledged */
  #adapt(took: number): void {
    this.#fastest = Math.min(this.#fastest, took);
    // As much as would not have to be under way for the same pace.
    const waiting = this.#limit * (1 - this.#fastest / took);
    if (waiting < STEP) this.#limit = Math.min(this.#limit + STEP, STREAM_SIZE);
    else if (waiting > 2 * STEP) this.#limit = Math.max(this.#limit - STEP, LEAST);
  }

  /** Lets the call live as long as something moves. */
  #extend(): void {
    (this.#call as { deadline: number }).deadline = performance.now() + this.#timeout;
  }

  /** Those that are there at about the same time leave together. */
  async #goSoon(count: number): Promise<void> {
    for (let turn = 0; turn < PATIENCE; turn++) await undefined;
    if (count === this.#messages.length) this.go();
  }
}

/** What was thrown; what cannot be sent of it is left out, or all of it: `undefined`. */
function textOf(thrown: unknown): string {
  try {
    return encodeRich(thrown, undefined, true);
  } catch {
    return '[[]]';
  }
}
