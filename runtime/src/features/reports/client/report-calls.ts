/** Reports of a client's calls. A bundle contains this file only if you import it. */
import type { Session } from '../../../client/session.ts';
import { byteLengthOf } from '../../../wire/encoded-message.ts';
import type { Frame } from '../../../wire/messages.ts';
import { frameLength, type ReceivedFrame } from '../../../wire/pieces.ts';
import { shownClient } from '../../../wire/shown-client.ts';
import { outcomeOf } from '../../../wire/outcome.ts';
import { type EndedCall, type OnCall, type StartedCall, tell } from '../wire.ts';
import { observeCalls } from './observe-calls.ts';

/** A call that a client has begun. */
export interface ClientCallStart extends StartedCall {
  /** The binding that was passed to `createRpcClient`. */
  binding: string;
  /** `subscription` is the start of a subscription on a connection, until it has begun or was rejected. */
  kind: 'call' | 'subscription';
}

/** A call of a client that has ended. */
export interface ClientCallReport extends ClientCallStart, EndedCall {}

/**
 * Reports each call of a client when it is made and when it has settled. A call that is sent again after a lost
 * connection is one call. The report of a subscription ends when the subscription has begun.
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
    const { connection, transport } = session;
    /** The sizes of the answers that have arrived, by the ids of their calls. */
    const sizes = new Map<number, number>();

    observeCalls(session, (kind, id, method) => {
      const startedAt = performance.now();
      const start: ClientCallStart = { binding, object: instance, kind, method, id };
      const { clientId } = transport;
      if (clientId) start.client = shownClient(clientId());
      const onEnd = tell(onCall, start);
      if (typeof onEnd !== 'function') return undefined;
      if (kind === 'call') sizes.set(id, 0);
      return (ended, sent) => {
        const duration = performance.now() - startedAt;
        const failure = 'thrown' in ended && { error: ended.thrown };
        const outcome = failure ? outcomeOf(failure.error) : 'ok';
        const report: ClientCallReport = { ...start, duration, outcome, ...failure };
        const bytesIn = kind === 'call' && sizes.get(id);
        if (bytesIn) report.bytesIn = bytesIn;
        if (bytesIn !== false) sizes.delete(id);
        if (sent) report.bytesOut = byteLengthOf(sent);
        tell(onEnd, report);
      };
    });

    const { read } = connection;
    connection.read = (frame) => {
      if (sizes.size === 0) return read(frame);
      // A binary frame is empty once it has been read.
      const size = sizeOf(frame);
      const messages = read(frame);
      const answered = (messages ?? []).filter((message) => sizes.has(message[0] as number));
      for (const message of answered) sizes.set(message[0] as number, size / answered.length);
      return messages;
    };
  };
}

/** Returns the size of a frame in bytes. */
function sizeOf(frame: ReceivedFrame): number {
  if (typeof frame === 'string') return byteLengthOf(frame);
  const parts = Array.isArray(frame) ? (frame as readonly Frame[]) : [frame as ArrayBuffer];
  return parts.reduce((sum, part) => sum + frameLength(part), 0);
}
