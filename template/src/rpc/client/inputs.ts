/**
 * Calls that take the results of other calls as arguments. A call that leaves in the same frame, or has
 * left on the same connection, is referred to by its id, and the object fills the result in; any other
 * is waited for, and its result sent. Imports call and wire/.
 */
import { argsOf, type CallMessage, encodeCall } from '../wire/messages.ts';
import { readPath } from '../wire/paths.ts';
import { CALL, type Reference } from '../wire/rich-encoder.ts';
import { type Call, partOf, proxyOf } from './call.ts';

/**
 * Writes a call's text, and takes note of the calls whose results are among its arguments.
 *
 * @param retry - called when an input has got its result
 * @throws RpcError `UNSERIALIZABLE`
 */
export function writeCall(call: Call, args: unknown[], retry: () => void): void {
  let inputs: Map<number, Call> | undefined;
  const referenceOf = (value: unknown): Reference | undefined => {
    const part = partOf(value);
    if (!part) return call.owner.take?.(value, call);
    // Once for all the time that the call waits. A failure is seen by whoever awaits the call.
    part.call.promise.then(retry, retry);
    // A call of another client has an id of its own there, and is never referred to on the wire.
    inputs ??= new Map();
    const number = part.call.owner === call.owner ? part.call.id : -inputs.size - 1;
    inputs.set(number, part.call);
    return [CALL, number, ...part.path];
  };
  const { id, method } = call;
  const callee = typeof method === 'string' ? method : method(referenceOf);
  call.message = call.owner.write((of) => encodeCall(id, callee, args, of), referenceOf);
  call.inputs = inputs;
}

/**
 * Makes a call ready to leave in a frame, if every input has its result, leaves in the frame too or has
 * left before it.
 *
 * @param frame - the one in which it would leave
 * @param isDuplex - whether frames arrive in the order in which they leave
 * @param retry - called when an input has got its result
 * @returns whether the call is ready
 * @throws what an input threw, so that a call whose input failed fails likewise
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
    // Of another client none has left on this connection.
    if (!outcome) isReady &&= left === frame || (isDuplex && number > 0 && !!left);
    else if ('thrown' in outcome) throw outcome.thrown;
    else hasResults = true;
  }
  if (isReady && hasResults) fillIn(call, retry);
  return isReady;
}

/** Writes a call's text again, with the results that are there in the place of their references. */
function fillIn(call: Call, retry: () => void): void {
  // From the text, since the arguments may have been changed after the call was made.
  const message = JSON.parse(`[${call.message}]`).pop() as CallMessage;
  const args = argsOf(message, (reference) => {
    const [kind, number, ...keys] = reference;
    if (kind !== CALL) return call.owner.make?.(reference, call);
    const input = call.inputs?.get(number as number) as Call;
    const path = keys as string[];
    // None that has thrown comes so far.
    const { outcome } = input as { outcome?: { result: unknown } };
    return outcome ? readPath(outcome.result, path) : proxyOf(input, path);
  });
  writeCall(call, args as unknown[], retry);
}
