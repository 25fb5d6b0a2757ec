/**
 * Calls that take the results of other calls, their inputs, as arguments. If an input is in the same frame, or
 * was sent on the same connection, the call refers to it by id, and the object inserts the result. Otherwise
 * the call waits for the input, and contains its result.
 */
import { type ArgumentHandle, TO_REFERENCE } from '../wire/argument-handles.ts';
import { argsOf, type CallMessage, encodeCall } from '../wire/messages.ts';
import { readPath } from '../wire/values/paths.ts';
import { CALL, type CodecFeedback, type ReferenceOf } from '../wire/values/rich-encoder.ts';
import { type Call, promiseOf, resultPartOf } from './call.ts';

/**
 * Writes the text of a call, and records its inputs.
 *
 * @param retry - called when an input has settled
 * @param feedback - the feedback of the method, for its encoder
 * @throws RpcError `UNSERIALIZABLE`
 */
export function encodeCallWithRefs(
  call: Call,
  args: unknown[],
  retry: () => void,
  feedback?: CodecFeedback,
): void {
  let inputs: Map<number, Call> | undefined;
  const referenceOf: ReferenceOf = (value) => {
    const part = resultPartOf(value);
    if (!part)
      return (value as Found)?.[TO_REFERENCE]?.(call) ?? call.session.referenceOf?.(value, call);
    const [input, ...path] = part;
    // The listener is attached once, however long the call waits. If the input fails, this call rejects with its error.
    input.promise.then(retry, retry);
    // The id of another client's call is unknown to the object. A negative number replaces it, and is not sent.
    inputs ??= new Map();
    const number = input.session === call.session ? input.id : -inputs.size - 1;
    inputs.set(number, input);
    return [CALL, number, ...path];
  };
  const { id, method } = call;
  const callee = typeof method === 'string' ? method : method(referenceOf);
  call.message = call.session.write(
    (toReference) => encodeCall(id, callee, args, toReference, feedback),
    referenceOf,
  );
  call.inputs = inputs;
}

/** A value that may be a marked function or stream. */
type Found = Partial<ArgumentHandle<Call>> | undefined;

/**
 * Prepares a call for a frame. The call is ready if each input has a result, is in the same frame, or was sent
 * before it.
 *
 * @param frame - the identity of the next frame
 * @param isDuplex - whether frames arrive in the order in which they are sent
 * @param retry - called when an input has settled
 * @returns whether the call is ready
 * @throws the error of an input that has failed, so that the call rejects with it
 */
export function prepareCall(
  call: Call,
  frame: object,
  isDuplex: boolean,
  retry: () => void,
): boolean {
  if (!call.inputs) return true;
  let isReady = true;
  let hasResults = false;
  for (const [number, { outcome, frame: left }] of call.inputs) {
    // A call of another client was not sent on this connection.
    if (!outcome) isReady &&= left === frame || (isDuplex && number > 0 && !!left);
    else if ('thrown' in outcome) throw outcome.thrown;
    else hasResults = true;
  }
  if (isReady && hasResults) inlineResults(call, retry);
  return isReady;
}

/** Writes the text of a call again, with results in place of references where results have arrived. */
function inlineResults(call: Call, retry: () => void): void {
  // The arguments are read from the text, since the caller may have changed the objects after the call.
  const message = JSON.parse(`[${call.message}]`).pop() as CallMessage;
  const args = argsOf(message, (reference) => {
    const [kind, number, ...keys] = reference;
    if (kind !== CALL) return call.session.resolve?.(reference, call);
    const input = call.inputs?.get(number as number) as Call;
    const path = keys as string[];
    // `prepareCall` throws before this if an input has failed.
    const { outcome } = input as { outcome?: { result: unknown } };
    return outcome ? readPath(outcome.result, path) : promiseOf([input, ...path]);
  });
  encodeCallWithRefs(call, args as unknown[], retry);
}
