/**
 * Functions as arguments of calls: the object calls them back. Only who imports this file has it in a
 * bundle. Imports call, session and wire/.
 */
import type { Said } from '../wire/bytes.ts';
import { RpcError } from '../wire/errors.ts';
import { exceeded, FRAME_SIZE } from '../wire/limits.ts';
import { type AnswerMessage, decodeAnswer, encodeRest } from '../wire/messages.ts';
import { unread } from '../wire/rich-decoder.ts';
import { encodeRich, FUNCTION } from '../wire/rich-encoder.ts';
import { INSIDE } from './call.ts';
import type { Session } from './session.ts';

/** From how many characters on a frame of answers leaves: long before it holds too many of them. */
const FRAME = 60_000;

/** What an answer may take, in characters and bytes: with those before it, it has to fit into a frame. */
const MAX_SIZE = FRAME_SIZE / 2;

/** A function that the object may call. */
interface Callback {
  readonly f: number;
  readonly run: (...args: unknown[]) => unknown;
  /** The unanswered calls that it was passed to; and the session, as long as its address is kept. */
  readonly holders: Set<unknown>;
}

/** Each both by its function and by its number. */
type Callbacks = Map<unknown, Callback>;

/**
 * Lets functions be arguments of a client's calls, where the contract says `Type.Function`. The object may
 * call such a function until the call ends that it was passed to, or for as long as its address is kept.
 * What it returns, or a promise of that, is the answer; what it throws is thrown there.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const table = createRpcClient<Table>('TABLE', 'main', { callbacks });
 * await table.load(csv, (percent) => show(percent));
 */
export function callbacks(session: Session): void {
  const { take, make = unread, connection, transport } = session;
  const { events } = connection;
  const { received, isAwaiting } = events;
  const known: Callbacks = new Map();
  const isOther = listener(session, known);
  let last = 0;
  session.take = (value, call) => {
    const reference = take?.(value, call);
    // Of what only looks like a function, the symbol is known.
    const isFunction = typeof value === 'function' && !(value as { [INSIDE]?: unknown })[INSIDE];
    if (reference || !isFunction || !call || !transport.isDuplex) return reference;
    const { onSettled } = call;
    const one = known.get(value) ?? {
      f: ++last,
      run: value as Callback['run'],
      holders: new Set(),
    };
    known.set(value, one).set(one.f, one);
    one.holders.add(call);
    // Not by its promise, whose rejection would count as seen.
    call.onSettled = () => {
      onSettled?.();
      release(known, one, call);
    };
    return [FUNCTION, one.f];
  };
  session.make = (reference, call) =>
    // Nothing else has numbers or functions for its first part.
    known.get(reference[1])?.run ?? make(reference, call);
  // So that a connection that has been lost is noticed soon.
  events.isAwaiting = () => known.size > 0 || isAwaiting();
  events.received = (messages) => received(messages.filter(isOther));
}

function release(known: Callbacks, one: Callback | undefined, holder: unknown): void {
  if (!one?.holders.delete(holder) || one.holders.size > 0) return;
  known.delete(one.f);
  known.delete(one.run);
}

/** @returns what deals with a message, and says whether it is none of ours */
function listener(session: Session, known: Callbacks): (message: unknown[]) => boolean {
  /** What has not been sent, and how much of a frame that takes. */
  let messages: Said[] = [];
  let size = 0;
  const flush = (): void => {
    if (session.connection.isDuplex) session.send(messages);
    messages = [];
    size = 0;
  };
  const answer = async (k: unknown, said: unknown[], run?: Callback['run']): Promise<void> => {
    let message: Said;
    try {
      if (!run) throw new RpcError('CLOSED', 'The client has dropped this callback');
      // Arguments stand in a message as the result in an answer.
      const read = decodeAnswer(said as AnswerMessage, session.make) as { result?: unknown[] };
      const result = await run(...(read.result ?? []));
      message = fitting(session.write((of) => returned(k, encodeRest(result, of))));
    } catch (error) {
      message = failure(k, error);
    }
    if (size > FRAME) flush();
    // Those of a tick leave together.
    if (!size) void Promise.resolve().then(flush);
    messages.push(message);
    size += message.length;
  };
  return ([kind, k, ...said]) => {
    const one = known.get(k);
    if (kind === 'call') void answer(k, said, known.get(said[0])?.run);
    else if (kind === 'keep') one?.holders.add(session);
    else if (kind === 'drop') release(known, one, session);
    else return true;
    return false;
  };
}

/** What an answer ends with that says what was thrown; what cannot be sent of it is left out. */
function failure(k: unknown, thrown: unknown): Said {
  try {
    return fitting(returned(k, `,"error",${encodeRich(thrown, undefined, true)}`));
  } catch {
    // Nothing of it: `undefined`.
    return returned(k, ',"error",[[]]');
  }
}

function returned(k: unknown, rest: string): string {
  return `["return",${k}${rest}]`;
}

/** @throws RpcError `LIMIT_EXCEEDED` */
function fitting(message: Said): Said {
  return message.length > MAX_SIZE ? exceeded('frameSize', MAX_SIZE) : message;
}
