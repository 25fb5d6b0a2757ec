/**
 * Calls that take the results of other calls as arguments. A call that leaves in the same frame is
 * referred to by its id, and the object fills the result in; any other is waited for, and its
 * result sent. Imports call and wire/.
 */
import { type CallMessage, encodeCall } from '../wire/messages.ts';
import { readPath } from '../wire/paths.ts';
import { decodeRich } from '../wire/rich-decoder.ts';
import { type Call, Part } from './call.ts';

/**
 * Writes a call's text, and takes note of the calls whose results are among its arguments.
 *
 * @throws RpcError `UNSERIALIZABLE`
 */
export function writeCall(call: Call, args: unknown[]): void {
  let inputs: Map<number, Call> | undefined;
  call.message = encodeCall(call.id, call.method, args, (value) => {
    const part = Part.of(value);
    if (!part) return undefined;
    // Whoever uses a call as an input sees its failure there.
    part.call.promise.catch(() => {});
    // A call of another client has an id of its own there, and is never referred to on the wire.
    inputs ??= new Map();
    const number = part.call.owner === call.owner ? part.call.id : -inputs.size - 1;
    inputs.set(number, part.call);
    return [number, ...part.path];
  });
  call.inputs = inputs;
}

/**
 * Makes a call ready to leave in a frame, if every input has its result or leaves in it too.
 *
 * @param frame - the calls that leave with it
 * @param retry - called when an input that is not ready has got its result
 * @returns whether the call is ready
 * @throws what an input threw, so that a call whose input failed fails likewise
 */
export function prepareCall(call: Call, frame: readonly Call[], retry: () => void): boolean {
  if (!call.inputs) return true;
  const inputs = [...call.inputs.values()];
  const missing = inputs.filter((input) => !input.outcome && input.frame !== frame);
  for (const input of missing) input.promise.then(retry, retry);
  for (const { outcome } of inputs) if (outcome && 'thrown' in outcome) throw outcome.thrown;
  if (missing.length > 0) return false;
  if (inputs.some((input) => input.outcome)) fillIn(call);
  return true;
}

/** Writes a call's text again, with the results that are there in the place of their references. */
function fillIn(call: Call): void {
  // From the text, since the arguments may have been changed after the call was made.
  const [, , , list] = JSON.parse(call.message) as CallMessage;
  const args = decodeRich(list, ([number, ...path]) => {
    const input = call.inputs?.get(number) as Call;
    const { outcome } = input;
    return outcome && 'result' in outcome
      ? readPath(outcome.result, path)
      : new Part(input, path).proxy();
  });
  writeCall(call, args as unknown[]);
}
