/**
 * The messages of callbacks: functions that the client has passed as arguments. The client numbers its functions, `f`,
 * and an argument is a reference `["Function", f]`. The object numbers its calls of these functions, `k`.
 *
 *     up     [[4,"load","rich",[["a,b",[1]],["Function",1]]]]
 *     down   [["call",912833,1,[50]]]
 *     up     [["return",912833]]
 *     down   [[4,"loaded"]]
 *
 * Object to client:
 *
 * - `["call", k, f]`, `["call", k, f, args]`, `["call", k, f, "rich", list]`: calls the function. Arguments
 *   have the form that they have in a call of a method. From `f` on, the message has the form of an answer
 *   whose result is the arguments.
 * - `["keep", f, place]`: the client keeps the function when the calls that passed it end, since its token
 *   was taken. The place is where the function was passed: a class of capabilities or nothing, a point, and
 *   the path of the argument.
 * - `["drop", f, place]`: the function is no longer kept for this place. The client need not keep a function
 *   that is kept for no place.
 *
 * Client to object:
 *
 * - `["return", k, …]`: what the function returned or threw, or an error if it no longer exists. From `k`
 *   on, the message has the form of an answer.
 */
import { encodeTail } from '../../wire/messages.ts';
import type { ReferenceOf } from '../../wire/values/rich-encoder.ts';

/**
 * @param referenceOf - returns the reference to send for a part of the arguments
 * @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
 */
export function encodeCallbackCall(
  functionId: number,
  callId: number,
  args: readonly unknown[],
  referenceOf?: ReferenceOf,
): string {
  return `["call",${callId},${functionId}${encodeTail(args.length > 0 ? args : undefined, referenceOf)}]`;
}

/** @param place - the place in the function's token */
export function encodeKeepOrDrop(kind: 'keep' | 'drop', functionId: number, place: string): string {
  return `["${kind}",${functionId},${JSON.stringify(place)}]`;
}
