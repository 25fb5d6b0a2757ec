/** Tells reports and traces when calls and the starts of subscriptions of a client begin and end. */
import { type Method, type Outcome, resultPartOf, type ResultPart } from '../../../client/call.ts';
import type { Session } from '../../../client/session.ts';
import { RpcError } from '../../../wire/errors.ts';
import type { EncodedMessage } from '../../../wire/encoded-message.ts';
import { type AnswerMessage, decodeAnswer } from '../../../wire/messages.ts';
import { decodeRich } from '../../../wire/values/rich-decoder.ts';

/**
 * Called when a call or a subscription has ended.
 *
 * @param sent - its message, if it was sent
 */
type End = (ended: Outcome, sent: EncodedMessage | undefined) => void;

/**
 * Called when a call is made, and when the message of a subscription is sent for the first time.
 *
 * @param id - the id of the call, or the number of the subscription
 * @returns `undefined` if nobody needs its end
 */
export type Begin = (kind: 'call' | 'subscription', id: number, method: string) => End | undefined;

/** Observes the calls of a session. A subscription ends when it has begun or was rejected. */
export function observeCalls(session: Session, begin: Begin): void {
  const { call: make, send, lost, connection } = session;
  const { read } = connection;
  /** The subscriptions that have not begun, by their numbers. */
  const starts = new Map<unknown, (ended: Outcome) => void>();

  session.call = (method, ...rest) => {
    const promise = make.call(session, method, ...rest);
    const [call] = resultPartOf(promise) as ResultPart;
    const end = begin('call', call.id, nameOf(method));
    if (!end) return promise;
    const { onSettled } = call;
    const settled = (): void => {
      onSettled?.();
      end(call.outcome as Outcome, call.sentAt ? call.message || undefined : undefined);
    };
    if (call.outcome) settled();
    else call.onSettled = settled;
    return promise;
  };

  session.send = (messages) => {
    for (const message of messages) if (!isCall(message)) noteSent(message);
    send.call(session, messages);
  };

  const noteSent = (message: EncodedMessage): void => {
    const [, kind] = /^\["(subscribe|unsubscribe)",/.exec(String(message)) ?? [];
    if (!kind) return;
    const [, id, , callee] = JSON.parse(String(message)) as [string, number, unknown, unknown];
    if (kind === 'unsubscribe') {
      const thrown = new RpcError('ABORTED', 'The loop has ended before the subscription began');
      endStart(id, { thrown });
    } else if (!starts.has(id)) {
      const end = begin('subscription', id, String(Array.isArray(callee) ? callee[0] : callee));
      if (end) starts.set(id, (ended) => end(ended, message));
    }
  };

  const endStart = (id: unknown, ended: Outcome): void => {
    const end = starts.get(id);
    starts.delete(id);
    end?.(ended);
  };

  const endStarts = (thrown: unknown): void => {
    for (const id of starts.keys()) endStart(id, { thrown });
  };

  connection.read = (frame) => {
    const messages = read(frame);
    if (starts.size > 0) messages?.forEach(noteReceived);
    return messages;
  };

  const noteReceived = (message: unknown[]): void => {
    const [kind, id, ...tail] = message;
    if (kind === 'subscribed') endStart(id, { result: undefined });
    else if (kind === 'complete')
      endStart(
        id,
        readable(() => decodeAnswer([id, ...tail] as AnswerMessage)),
      );
    // The object could not read a frame, which may have had a subscription.
    else if (kind === 'error') {
      const { thrown } = readable(() => ({ thrown: decodeRich(id) })) as { thrown: unknown };
      endStarts(thrown);
    }
  };

  // This runs before the subscriptions are told of the loss, because they end then.
  session.lost = (error, ...rest) => {
    if (error) endStarts(error);
    lost(error, ...rest);
  };
}

/** Returns whether a message is a call, which begins with a digit. All other messages begin with the name of their kind. */
export function isCall(message: EncodedMessage): boolean {
  const text = typeof message === 'string' ? message : message.text;
  return text[1] !== '"';
}

/** Returns the name of a method of the object or of a capability. */
function nameOf(method: Method): string {
  return String((method as { name?: string }).name ?? method);
}

/** Returns the outcome in a message; for a malformed message its error, which the session handles. */
function readable(read: () => Outcome): Outcome {
  try {
    return read();
  } catch (thrown) {
    return { thrown };
  }
}
