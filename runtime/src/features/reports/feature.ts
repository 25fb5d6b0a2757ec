/** Reports of an object's calls: `reportCalls` for the option `onCall`. */
import {
  type Around,
  type CallContext,
  contractOf,
  encodeCallFailure,
  type Featured,
  inClassCode,
  nativeCalls,
  settle,
} from '../../server/feature.ts';
import { byteLengthOf, type EncodedMessage, readEncoded } from '../../wire/encoded-message.ts';
import { type AnswerMessage, decodeAnswer } from '../../wire/messages.ts';
import { objectNameOf } from '../../wire/object-name.ts';
import { outcomeOf } from '../../wire/outcome.ts';
import { shownClient } from '../../wire/shown-client.ts';
import { type EndedCall, type OnCall, type StartedCall, tell } from './wire.ts';

/** A call that an object has begun. */
export interface CallStart extends StartedCall {
  /** The name of the object's class. */
  class: string;
  /**
   * `call`: a call of a client, over a WebSocket, HTTP or a port; `subscription`: the start of a subscription of a client,
   * until it has begun or was rejected; `native`: a call through native Workers RPC; `alarm`: the alarm of the class.
   */
  kind: 'call' | 'subscription' | 'native' | 'alarm';
  /** The name that the option `callerName` returned. */
  caller?: string;
  /** True if the call has arrived before, so that the journal has its answer, and no method runs. */
  replayed?: true;
}

/** A call of an object that has ended. */
export interface CallReport extends CallStart, EndedCall {}

/** The options of `reportCalls`. */
export interface CallReportOptions<Caller> {
  /**
   * Names the caller in reports, for example by the user's id. Its parameter is the caller that a hook named with
   * `withCaller`, or `undefined`. Default: reports have no caller.
   */
  callerName?: ((caller: Caller | undefined) => string | undefined) | undefined;
}

/**
 * Reports each call of an object when it begins and when it has ended. It reports calls and subscriptions of clients,
 * including rejected ones, calls through native Workers RPC, and the alarm of the class. The report of a subscription ends
 * when the subscription has begun. A method that the class itself calls is a part of the call, and has no report.
 *
 * @param onCall - called when a call begins. The function that it returns is called with the report when the call has
 *   ended, before the answer is sent. If one of them throws or rejects, the console shows the error, and nothing else
 *   changes.
 * @returns the value of the option `onCall` of `lumenizeRpcDO`
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, {
 *   onCall: reportCalls(() => (report) => console.log(JSON.stringify(report))),
 * });
 */
export function reportCalls<Caller = unknown>(
  onCall: OnCall<CallStart, CallReport>,
  { callerName }: CallReportOptions<Caller> = {},
): Featured {
  const around: Around = (call, run) => {
    const { kind, method, id, connection, bytesIn, instance } = call;
    if (kind === 'run') return inClassCode(run);
    // A call of a callback is a part of the call that makes it, and has no report.
    if (kind === 'callback') return run();
    const arrivedAt = call.arrivedAt ?? performance.now();
    const { class: name, object } = objectNameOf(instance);
    const start: CallStart = { class: name, object, kind, method };
    if (id !== undefined) start.id = id;
    const { client } = connection ?? {};
    if (client !== undefined) start.client = shownClient(client);
    const caller = callerName && connection && tell(callerName, connection.caller as Caller);
    if (caller !== undefined) start.caller = caller;
    if (call.isReplayed) start.replayed = true;
    const onEnd = tell(onCall, start);
    if (typeof onEnd !== 'function') return run();
    // The functions have no names, because bundlers add a call that keeps the name of each named function.
    return settle(
      run,
      (answer) => {
        const failure = call.isReplayed && failureIn(answer as EncodedMessage);
        const outcome = failure ? outcomeOf(failure.error) : 'ok';
        report(
          onEnd,
          { ...start, duration: performance.now() - arrivedAt, outcome, ...failure },
          call,
          answer,
        );
        return answer;
      },
      (error) => {
        const outcome = outcomeOf(error);
        const duration = performance.now() - arrivedAt;
        const contract = bytesIn === undefined ? undefined : contractOf(instance);
        const answer = contract && encodeCallFailure(id as number, error, contract);
        report(onEnd, { ...start, duration, outcome, error }, call, answer);
        throw error;
      },
    );
  };
  return { '~feature': { name: 'reports', version: 1, around, ...nativeCalls } };
}

/** @param answer - the encoded answer of a `call` */
function report(
  onEnd: (report: CallReport) => void,
  ended: CallReport,
  { bytesIn }: CallContext,
  answer: unknown,
): void {
  if (bytesIn !== undefined && answer !== undefined) {
    ended.bytesIn = bytesIn;
    ended.bytesOut = byteLengthOf(answer as EncodedMessage);
  }
  tell(onEnd, ended);
}

/** Returns the error in an answer of the journal; `undefined` for a result. */
function failureIn(answer: EncodedMessage): { error: unknown } | undefined {
  const [message = []] = readEncoded(answer);
  if (message[1] !== 'error' || message.length < 3) return undefined;
  const failure = decodeAnswer(message as AnswerMessage);
  return 'thrown' in failure ? { error: failure.thrown } : undefined;
}
