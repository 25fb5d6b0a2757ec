/**
 * The loops of one client, between its connection and its calls. Imports failures, reader, session and
 * wire/.
 */
import type { RpcError } from '../wire/errors.ts';
import { copyOf } from './failures.ts';
import { answerOf, type Reader, type ReaderOwner } from './reader.ts';
import type { Session } from './session.ts';

/** The kinds of messages about subscriptions. */
const OURS = new Set<unknown>(['subscribed', 'next', 'window', 'value', 'complete']);

class Readers implements ReaderOwner {
  readonly #session: Session;
  readonly #readers = new Map<unknown, Reader>();
  #last = 0;
  /** Whether the object has said anything of subscriptions, on the connection that is there now. */
  #isKnown = false;

  constructor(session: Session) {
    this.#session = session;
    const { events } = session.connection;
    const { opened, received, lost, isAwaiting } = events;
    events.isAwaiting = () => this.#readers.size > 0 || isAwaiting();
    events.opened = () => {
      this.#isKnown = false;
      // What is called next may have effects that a loop is to be given. What is subscribed to may also be
      // the result of a call, which comes first then.
      const later = [...this.#readers.values()].filter((reader) => !reader.begin(false));
      opened();
      for (const reader of later) reader.begin();
    };
    events.lost = (error, isFinal) => {
      if (error) this.#stopAll(error);
      lost(error, isFinal);
    };
    events.received = (frame) => void this.#receive(frame, received);
  }

  /** @returns its number */
  add(reader: Reader): number {
    this.#readers.set(++this.#last, reader);
    return this.#last;
  }

  begin(message: string): boolean {
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

  leave({ n }: Reader): void {
    if (this.#readers.delete(n)) this.tell(`["unsubscribe",${n}]`);
  }

  async #receive(messages: unknown[][], received: (others: unknown[][]) => void): Promise<void> {
    const [[kind, ...thrown] = []] = messages;
    // An object that is older than subscriptions refuses whatever is said of one.
    const refusal = !this.#isKnown && kind === 'error' && refusalIn(thrown);
    if (refusal) return this.#stopAll(refusal, true);
    const ours: unknown[][] = [];
    const others = messages.filter((message) => !OURS.has(message[0]) || !ours.push(message));
    if (ours.length > 0) this.#isKnown = true;
    received(others);
    // Whoever awaits a call goes on before a loop is given what the call brought about.
    for (let turn = 0; turn < 5; turn++) await undefined;
    for (const message of ours) {
      const [, n] = message as [string, number];
      // Of one that has to be begun again the number is negative.
      (this.#readers.get(n) ?? this.#readers.get(-n))?.hear(message);
    }
  }

  /** @param isSilent - without a word to the object, which has no part in it */
  #stopAll(error: RpcError, isSilent?: boolean): void {
    const readers = [...this.#readers.values()];
    if (isSilent) this.#readers.clear();
    // Each throws an error of its own, for whoever adds to it.
    for (const reader of readers) reader.stop({ thrown: copyOf(error) });
  }
}

/** The refusal of a frame, if that is what was said, and says that it could not be read. */
function refusalIn([thrown]: unknown[]): RpcError | undefined {
  try {
    const refusal = answerOf([0, 'error', thrown]).thrown as RpcError | undefined;
    return refusal?.code === 'BAD_MESSAGE' ? refusal : undefined;
  } catch {
    // It says nothing to calls either.
    return undefined;
  }
}

const all = new WeakMap<Session, Readers>();

export function readersOf(session: Session): ReaderOwner {
  let readers = all.get(session);
  if (!readers) {
    readers = new Readers(session);
    all.set(session, readers);
  }
  return readers;
}
