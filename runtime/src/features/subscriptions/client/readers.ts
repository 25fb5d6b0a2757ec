/** Connects all loops of one client to its session and its connection. */
import { RpcError } from '../../../wire/errors.ts';
import { limitExceeded, FRAME_SIZE } from '../../../wire/limits.ts';
import { copyOfError } from '../../../client/failures.ts';
import { decodeTail, type Reader, type ReaderConnection } from './reader.ts';
import type { Session } from '../../../client/session.ts';

/** The kinds of messages about subscriptions. */
const OURS = new Set<unknown>(['subscribed', 'next', 'window', 'epoch', 'value', 'complete']);

class Readers implements ReaderConnection {
  readonly #session: Session;
  declare readonly resolve: Session['resolve'];
  readonly #readers = new Map<unknown, Reader>();
  #last = 0;
  /** The ends of subscriptions while there was no connection: the object waits for the readers of streams. */
  readonly #untold: string[] = [];
  /** Whether the object has sent a message about subscriptions on the current connection. */
  #isKnown = false;

  constructor(session: Session) {
    this.#session = session;
    this.resolve = session.resolve;
    const { opened, received, lost, isAwaiting } = session;
    session.isAwaiting = () => this.#readers.size > 0 || isAwaiting();
    session.opened = () => {
      this.#isKnown = false;
      for (const message of this.#untold.splice(0)) this.tell(message);
      // Subscriptions are sent before calls, so that loops get the effects of these calls. A subscription to
      // the result of a call is sent after the call.
      const later = [...this.#readers.values()].filter((reader) => !reader.begin(false));
      opened();
      for (const reader of later) reader.begin();
    };
    session.lost = (error, ...details) => {
      if (error) for (const reader of this.#readers.values()) stop(reader, error);
      lost(error, ...details);
    };
    session.received = (frame) => void this.#receive(frame, received);
  }

  /** @returns its number */
  add(reader: Reader): number {
    this.#readers.set(++this.#last, reader);
    return this.#last;
  }

  begin(message: string): boolean {
    // The brackets of the frame too. The object would reject the frame, and with it all calls on their way.
    if (message.length + 2 > FRAME_SIZE) limitExceeded('frameSize', FRAME_SIZE);
    const isSent = this.tell(message);
    this.#session.connection.open();
    return isSent;
  }

  tell(message: string): boolean {
    const session = this.#session;
    const { isDuplex } = session.connection;
    if (isDuplex) session.send([message]);
    return isDuplex;
  }

  leave({ subscriptionId, cursor }: Reader): void {
    const message = `["unsubscribe",${subscriptionId}]`;
    if (!this.#readers.delete(subscriptionId) || this.tell(message)) return;
    // A reader that has subscribed has a cursor.
    if (cursor !== undefined) this.#untold.push(message);
  }

  async #receive(messages: unknown[][], received: (others: unknown[][]) => void): Promise<void> {
    const [[kind, thrown] = []] = messages;
    const refusal = kind === 'error' && refusalIn(thrown);
    // An object of a version without subscriptions rejects every message about them, and no call is meant.
    const isMalformed = refusal && refusal.code === 'BAD_MESSAGE';
    if (refusal && !(isMalformed && this.#isKnown)) {
      // Which frame the object has rejected is unknown, so all loops that wait for an answer are rejected.
      for (const [n, reader] of this.#readers) {
        if (reader.isBegun) continue;
        if (isMalformed) this.#readers.delete(n);
        stop(reader, refusal);
      }
      if (isMalformed) return;
    }
    const ours: unknown[][] = [];
    const others = messages.filter((message) => !OURS.has(message[0]) || !ours.push(message));
    if (ours.length > 0) this.#isKnown = true;
    received(others);
    // Code that awaits a call continues before a loop gets the effects of the call.
    for (let turn = 0; turn < 5; turn++) await undefined;
    for (const message of ours) {
      const [, id] = message;
      // The number is negative if the client has to subscribe again.
      this.#readers.get(typeof id === 'number' && Math.abs(id))?.receive(message);
    }
  }
}

/** Stops a loop with an error of its own, since code that catches an error can change it. */
function stop(reader: Reader, error: RpcError): void {
  reader.stop({ thrown: copyOfError(error) });
}

/** The error of a rejected frame. */
function refusalIn(thrown: unknown): RpcError | undefined {
  try {
    // A copy, because decoding changes it, and the session decodes it too.
    const error = decodeTail(structuredClone([0, 'error', thrown])).thrown;
    if (error instanceof RpcError) return error;
  } catch {
    // The session ignores a malformed error too.
  }
  return undefined;
}

const all = new WeakMap<Session, Readers>();

export function readersOf(session: Session): ReaderConnection {
  const readers = all.get(session) ?? new Readers(session);
  all.set(session, readers);
  return readers;
}
