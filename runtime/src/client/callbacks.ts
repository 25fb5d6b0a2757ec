/**
 * Functions as arguments of calls: the object calls them back. A bundle contains this file only if you import
 * it. Imports call, session and wire/.
 */
import type { Said } from '../wire/bytes.ts';
import { RpcError } from '../wire/errors.ts';
import { exceeded, FRAME_SIZE } from '../wire/limits.ts';
import { type AnswerMessage, decodeAnswer, encodeRest } from '../wire/messages.ts';
import { unread } from '../wire/rich-decoder.ts';
import { encodeRich, FUNCTION } from '../wire/rich-encoder.ts';
import { INSIDE } from './call.ts';
import type { Session } from './session.ts';

/** The size in characters after which a frame of answers is sent, long before it has too many messages. */
const FRAME = 60_000;

/** The maximum size of an answer, in characters plus bytes: it has to fit into a frame after other answers. */
const MAX_SIZE = FRAME_SIZE / 2;

/** A function that the object can call. */
interface Callback {
  readonly f: number;
  readonly run: (...args: unknown[]) => unknown;
  /** The unanswered calls that passed the function, and the places for which the object keeps it. */
  readonly holders: Set<unknown>;
}

/** Each callback is stored twice: by its function and by its number. */
type Callbacks = Map<unknown, Callback>;

/**
 * Allows functions as arguments of a client's calls, where the contract has `Type.Function`. The object can
 * call a function until the call that passed it ends, or for as long as the object keeps its address. The
 * object gets what the function returns, after it awaits a promise, or what it throws.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const table = createRpcClient<Table>('TABLE', 'main', { callbacks });
 * await table.load(csv, (percent) => show(percent));
 */
export function callbacks(session: Session): void {
  const { take, make = unread, received, isAwaiting, transport } = session;
  const known: Callbacks = new Map();
  const isOther = listener(session, known);
  let last = 0;
  session.take = (value, call) => {
    const reference = take?.(value, call);
    // A capability looks like a function, but has this symbol.
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
    // Not through the call's promise: its rejection would then count as handled.
    call.onSettled = () => {
      onSettled?.();
      release(known, one, call);
    };
    return [FUNCTION, one.f];
  };
  session.make = (reference, call) =>
    known.get(reference[0] === FUNCTION && reference[1])?.run ?? make(reference, call);
  // So that a lost connection is detected soon.
  session.isAwaiting = () => known.size > 0 || isAwaiting();
  session.received = (messages) => received(messages.filter(isOther));
}

function release(known: Callbacks, one: Callback | undefined, holder: unknown): void {
  if (!one?.holders.delete(holder) || one.holders.size > 0) return;
  known.delete(one.f);
  known.delete(one.run);
}

/** @returns a function that handles a message, and returns whether the message belongs to another module */
function listener(session: Session, known: Callbacks): (message: unknown[]) => boolean {
  /** The answers that have not been sent, and their size. */
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
      // Arguments have the form of the result in an answer.
      const read = decodeAnswer(said as AnswerMessage, session.make) as { result?: unknown[] };
      const result = await run(...(read.result ?? []));
      message = fitting(session.write((of) => returned(k, encodeRest(result, of))));
    } catch (error) {
      message = failure(k, error);
    }
    if (size > FRAME) flush();
    // The answers of one tick share a frame.
    if (!size) void Promise.resolve().then(flush);
    messages.push(message);
    size += message.length;
  };
  return ([kind, k, ...said]) => {
    const one = known.get(k);
    if (kind === 'call') void answer(k, said, known.get(said[0])?.run);
    else if (kind === 'keep') one?.holders.add(said[0]);
    else if (kind === 'drop') release(known, one, said[0]);
    else return true;
    return false;
  };
}

/** The answer of a callback that threw. Parts that cannot be sent are left out. */
function failure(k: unknown, thrown: unknown): Said {
  try {
    return fitting(returned(k, `,"error",${encodeRich(thrown, undefined, true)}`));
  } catch {
    // Nothing can be sent, so the answer is that the callback threw `undefined`.
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
