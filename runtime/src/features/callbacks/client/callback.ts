/**
 * Functions as arguments of calls, which the object can call. A bundle contains this file only if you import it.
 */
import type { EncodedMessage } from '../../../wire/encoded-message.ts';
import { RpcError } from '../../../wire/errors.ts';
import { limitExceeded, FRAME_SIZE } from '../../../wire/limits.ts';
import { type AnswerMessage, decodeAnswer, encodeTail, isId } from '../../../wire/messages.ts';
import { unreadableReference } from '../../../wire/values/rich-decoder.ts';
import { type Callback, ArgumentHandle } from '../../../wire/argument-handles.ts';
import { encodeRich, FUNCTION, type Reference } from '../../../wire/values/rich-encoder.ts';
import type { Call } from '../../../client/call.ts';
import type { Session } from '../../../client/session.ts';

/** The size in characters after which a frame of answers is sent, long before it has too many messages. */
const FRAME = 60_000;

/** The maximum size of an answer, in characters plus bytes. An answer has to fit into a frame after other answers. */
const MAX_SIZE = FRAME_SIZE / 2;

type Run = (...args: unknown[]) => unknown;

/** Returns the reference to a function, for the text of a call. */
type Take = (run: Run, call: Call) => Reference;

/** A function that the object can call. */
interface Known {
  readonly functionId: number;
  readonly run: Run;
  /** The unanswered calls that passed the function, and the places for which the object keeps it. */
  readonly holders: Set<unknown>;
}

/** The functions of one session. The map has each function twice: by the function itself, and by its number. */
type Functions = Map<unknown, Known>;

/**
 * Marks a function as an argument of a call, where the contract has `callback(…)`. The object can call the function until
 * the call that passed it ends, or for as long as the object keeps its token. The object receives the value that the
 * function returns or throws. If the function returns a promise, the promise is awaited. If you mark one function twice,
 * the object receives one function.
 *
 * @param fn - the function
 * @returns an argument, or a part of an argument, for a call over a WebSocket or a port. Over HTTP, the call rejects with
 *   `UNSERIALIZABLE`.
 * @example
 * await table.load(csv, callback((percent) => show(percent)));
 */
export function callback<Function extends (...args: never[]) => unknown>(
  fn: Function,
): Callback<Function> {
  return markedFor(fn as never) as object as Callback<Function>;
}

function markedFor(run: Run): ArgumentHandle<Call> {
  return new ArgumentHandle((call: Call) => {
    const session = call.session as Session;
    if (!session.transport.isDuplex) {
      throw new RpcError('UNSERIALIZABLE', 'A callback needs a WebSocket');
    }
    return ((session.functions ??= takeOf(session)) as Take)(run, call);
  });
}

/** Makes a session handle calls of its functions. */
function takeOf(session: Session): Take {
  const { resolve = unreadableReference, received, isAwaiting } = session;
  const known: Functions = new Map();
  const isOther = listener(session, known);
  let last = 0;
  // This resolves a reference in the text of a call that is written again.
  session.resolve = (reference, call) => {
    const one = known.get(reference[0] === FUNCTION && call && reference[1]);
    return one ? markedFor(one.run) : resolve(reference, call);
  };
  // While there are functions, the client sends heartbeats, so that it soon detects a lost connection.
  session.isAwaiting = () => known.size > 0 || isAwaiting();
  session.received = (messages) => received(messages.filter(isOther));
  return (run, call) => {
    const { onSettled } = call;
    const one = known.get(run) ?? { functionId: ++last, run, holders: new Set() };
    known.set(run, one).set(one.functionId, one);
    one.holders.add(call);
    // The call's promise is not used for this, because its rejection would then count as handled.
    call.onSettled = () => {
      onSettled?.();
      release(known, one, call);
    };
    return [FUNCTION, one.functionId];
  };
}

function release(known: Functions, one: Known | undefined, holder: unknown): void {
  if (!one?.holders.delete(holder) || one.holders.size > 0) return;
  known.delete(one.functionId);
  known.delete(one.run);
}

/** @returns a function that handles a message, and returns whether the message belongs to another module */
function listener(session: Session, known: Functions): (message: unknown[]) => boolean {
  /** The answers that have not been sent, and their size. */
  let messages: EncodedMessage[] = [];
  let size = 0;
  const flush = (): void => {
    if (session.connection.isDuplex) session.send(messages);
    messages = [];
    size = 0;
  };
  const answer = async (callId: number, rest: unknown[], run?: Run): Promise<void> => {
    let message: EncodedMessage;
    try {
      if (!run) throw new RpcError('CLOSED', 'The client dropped this callback');
      // Arguments have the form of the result in an answer.
      const read = decodeAnswer(rest as AnswerMessage, session.resolve) as { result?: unknown };
      const args = rest.length > 1 ? read.result : [];
      if (!Array.isArray(args)) throw new RpcError('BAD_MESSAGE', 'Arguments must be an array');
      const call = (): unknown => run(...(args as unknown[]));
      const { aroundCallback } = session;
      const result = await (aroundCallback ? aroundCallback(callId, call) : call());
      message = fitting(
        session.write((referenceOf) => returned(callId, encodeTail(result, referenceOf))),
      );
    } catch (error) {
      message = failure(callId, error);
    }
    if (size > FRAME) flush();
    // The answers of one tick share a frame.
    if (!size) void Promise.resolve().then(flush);
    messages.push(message);
    size += message.length;
  };
  return ([kind, callId, ...rest]) => {
    const one = known.get(callId);
    // A call without a number, or a place that is no text, is ignored, because no call of the client could reject.
    if (kind === 'call') {
      if (isId(callId)) void answer(callId, rest, known.get(rest[0])?.run);
    } else if (kind === 'keep') {
      if (typeof rest[0] === 'string') one?.holders.add(rest[0]);
    } else if (kind === 'drop') release(known, one, rest[0]);
    else return true;
    return false;
  };
}

/** Returns the answer of a callback that threw. Parts that cannot be sent are left out. */
function failure(callId: number, thrown: unknown): EncodedMessage {
  try {
    return fitting(returned(callId, `,"error",${encodeRich(thrown, undefined, true)}`));
  } catch {
    // Nothing can be sent, so the answer is that the callback threw `undefined`.
    return returned(callId, ',"error",[[]]');
  }
}

function returned(callId: number, rest: string): string {
  return `["return",${callId}${rest}]`;
}

/** @throws RpcError `LIMIT_EXCEEDED` */
function fitting(message: EncodedMessage): EncodedMessage {
  return message.length > MAX_SIZE ? limitExceeded('frameSize', MAX_SIZE) : message;
}
