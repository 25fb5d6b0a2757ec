/** Reports of a client's calls. A bundle contains this file only if you import it. */
import { type Method, type Outcome, resultPartOf, type ResultPart } from '../../../client/call.ts';
import type { Session } from '../../../client/session.ts';
import { RpcError } from '../../../wire/errors.ts';
import { byteLengthOf, type EncodedMessage } from '../../../wire/encoded-message.ts';
import { type AnswerMessage, decodeAnswer, type Frame } from '../../../wire/messages.ts';
import { frameLength, type ReceivedFrame } from '../../../wire/pieces.ts';
import { decodeRich } from '../../../wire/values/rich-decoder.ts';
import { shownClient } from '../../../wire/shown-client.ts';
import { outcomeOf } from '../../../wire/outcome.ts';
import { type EndedCall, type OnCall, type StartedCall, tell } from '../wire.ts';

/** A call that a client has begun. */
export interface ClientCallStart extends StartedCall {
  /** The binding that was passed to `createRpcClient`. */
  binding: string;
  /** `subscription` is the start of a subscription on a connection, until it has begun or was rejected. */
  kind: 'call' | 'subscription';
}

/** A call of a client that has ended. */
export interface ClientCallReport extends ClientCallStart, EndedCall {}

/** Ends the report of a call. */
type End = (ended: Outcome, bytesIn: number | undefined, bytesOut: number | undefined) => void;

/**
 * Reports each call of a client when it is made and when it has settled. A call that is sent again after a lost
 * connection is one call. A subscription is reported until it has begun.
 *
 * @param onCall - called when a call is made. The function that it returns is called with the report when the call has
 *   settled, before the code that awaits it continues. If one of them throws or rejects, the console shows the error, and
 *   nothing else changes.
 * @returns the value of the option `onCall` of `createRpcClient`
 * @example
 * const counter = createRpcClient<Counter>('COUNTER', 'main', {
 *   onCall: reportCalls(() => ({ method, outcome, duration }) => console.log(method, outcome, duration)),
 * });
 */
export function reportCalls(
  onCall: OnCall<ClientCallStart, ClientCallReport>,
): (session: Session, binding: string, instance: string) => void {
  return (session, binding, instance) => {
    const { call: make, send, lost, connection, transport } = session;
    const { read } = connection;
    /** The sizes of the answers that have arrived, by the ids of their calls. */
    const sizes = new Map<number, number>();
    /** The subscriptions that have not begun, by their numbers. */
    const starts = new Map<unknown, (ended: Outcome) => void>();

    const begin = (kind: ClientCallStart['kind'], id: number, method: string): End | undefined => {
      const startedAt = performance.now();
      const start: ClientCallStart = { binding, object: instance, kind, method, id };
      const { clientId } = transport;
      if (clientId) start.client = shownClient(clientId());
      const onEnd = tell(onCall, start);
      if (typeof onEnd !== 'function') return undefined;
      return (ended, bytesIn, bytesOut) => {
        const duration = performance.now() - startedAt;
        const failure = 'thrown' in ended && { error: ended.thrown };
        const outcome = failure ? outcomeOf(failure.error) : 'ok';
        const report: ClientCallReport = { ...start, duration, outcome, ...failure };
        if (bytesIn !== undefined) report.bytesIn = bytesIn;
        if (bytesOut !== undefined) report.bytesOut = bytesOut;
        tell(onEnd, report);
      };
    };

    session.call = (method, ...rest) => {
      const promise = make.call(session, method, ...rest);
      const [call] = resultPartOf(promise) as ResultPart;
      const end = begin('call', call.id, nameOf(method));
      if (!end) return promise;
      const settled = (): void => {
        const size = sizes.get(call.id) || undefined;
        sizes.delete(call.id);
        const { message, outcome, sentAt } = call;
        end(outcome as Outcome, size, sentAt && message ? byteLengthOf(message) : undefined);
      };
      if (call.outcome) settled();
      else {
        const { onSettled } = call;
        sizes.set(call.id, 0);
        call.onSettled = () => {
          onSettled?.();
          settled();
        };
      }
      return promise;
    };

    session.send = (messages) => {
      for (const message of messages) noteSent(message);
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
        if (end) starts.set(id, (ended) => end(ended, undefined, byteLengthOf(message)));
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
      // A binary frame is empty once it has been read.
      const size = sizeOf(frame);
      const messages = read(frame);
      if (!messages) return messages;
      const answers = messages.filter(([id]) => sizes.has(id as number));
      for (const [id] of answers) sizes.set(id as number, size() / answers.length);
      if (starts.size > 0) messages.forEach(noteReceived);
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
  };
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

/** @returns a function that returns the size of a frame in bytes */
function sizeOf(frame: ReceivedFrame): () => number {
  if (typeof frame === 'string') return () => byteLengthOf(frame);
  const parts = Array.isArray(frame) ? (frame as readonly Frame[]) : [frame as ArrayBuffer];
  const size = parts.reduce((sum, part) => sum + frameLength(part), 0);
  return () => size;
}
