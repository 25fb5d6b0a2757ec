/**
 * What the two ends say of callbacks: functions of the client, which it has passed as arguments. The client
 * numbers them, `f`, and an argument is a reference `["Function", f]`; the object numbers its calls of them,
 * `k`.
 *
 *     up     [[4,"load","rich",[[["a,b",[1]]],["Function",1]]]]
 *     down   [["call",912833,1,[50]]]
 *     up     [["return",912833]]
 *     down   [[4,"loaded"]]
 *
 * Object to client:
 *
 * - `["call", k, f]`, `["call", k, f, args]`, `["call", k, f, "rich", list]`: calls it, with arguments as a
 *   call of a method has them. From `f` on it reads as an answer does, whose result is the arguments.
 * - `["keep", f]`: it is to stay when the calls end that it was passed to, since its address has been taken.
 * - `["drop", f]`: it need not any more.
 *
 * Client to object:
 *
 * - `["return", k, …]`: what it returned or threw, or that there is no such function any more. From `k` on
 *   it is an answer.
 *
 * Imports messages and rich-encoder.
 */
import { encodeRest } from './messages.ts';
import type { ReferenceOf } from './rich-encoder.ts';

/**
 * @param referenceOf - says which parts of the arguments are sent as references
 * @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent
 */
export function encodeCallOf(
  f: number,
  k: number,
  args: readonly unknown[],
  referenceOf?: ReferenceOf,
): string {
  return `["call",${k},${f}${encodeRest(args.length > 0 ? args : undefined, referenceOf)}]`;
}

/** The text of `["keep", f]` or `["drop", f]`. */
export function encodeHold(kind: 'keep' | 'drop', f: number): string {
  return `["${kind}",${f}]`;
}
