/**
 * The protocol: what the two ends say to each other, and its text. A frame is a JSON array of
 * messages; a message is a small JSON array. One that begins with a number belongs to the call of
 * that number; one that begins with a string is about the frame or the connection, and the string
 * names its kind.
 *
 *     up     [[1,"increment"],[2,"increment",[5]]]
 *     down   [[1,1],[2,6]]
 *
 * Imports the rest of wire/.
 */
import { RpcError } from './errors.ts';
import { exceeded, type Limits } from './limits.ts';
import { isPlain } from './plain.ts';
import { decodeRich, referencedCalls } from './rich-decoder.ts';
import {
  type CallReference,
  describe,
  encodeRich,
  type ReferenceOf,
  Unserializable,
} from './rich-encoder.ts';
import { checkValue } from './value-limits.ts';

/** Names, in a message, the general codec's form of what follows; plain data needs no name. */
const RICH = 'rich';

/** The WebSocket subprotocol; its number changes when an old peer would misread a new one. */
export const SUBPROTOCOL = 'lumenize-rpc.1';

/** The last segment of the path of every RPC request. */
export const CALL_SEGMENT = 'call';

/**
 * Client to object: run a method. Ids count up from 1 in the order of the calls. Arguments are left
 * out when there are none.
 */
export type CallMessage =
  | [id: number, method: string]
  | [id: number, method: string, args: unknown[]]
  | [id: number, method: string, form: typeof RICH, args: unknown];

/** Client to object: nobody waits for the answer to this call any more. */
type CancelMessage = [kind: 'cancel', id: number];

/** Object to client: what a method returned, left out when `undefined`, or what it threw. */
export type AnswerMessage =
  | [id: number]
  | [id: number, result: unknown]
  | [id: number, form: typeof RICH, result: unknown]
  | [id: number, form: 'error', thrown: unknown];

/**
 * @param referenceOf - says which arguments, or parts of them, stand for results of calls
 * @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent
 */
export function encodeCall(
  id: number,
  method: string,
  args: unknown[],
  referenceOf?: ReferenceOf,
): string {
  if (args.length === 0) return `[${id},${JSON.stringify(method)}]`;
  return `[${id},${JSON.stringify(method)},${encodeValue(args, referenceOf)}]`;
}

/** The elements, as text, that stand for a value at the end of a message. */
function encodeValue(value: unknown, referenceOf?: ReferenceOf): string {
  return isPlain(value) ? JSON.stringify(value) : `"${RICH}",${encodeRich(value, { referenceOf })}`;
}

export function encodeCancel(id: number): string {
  return JSON.stringify(['cancel', id] satisfies CancelMessage);
}

/** @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent */
export function encodeResult(id: number, result: unknown): string {
  return result === undefined ? `[${id}]` : `[${id},${encodeValue(result)}]`;
}

/**
 * An error must arrive, so what it carries and cannot cross is left out.
 *
 * @param stacks - whether errors keep their stacks
 */
export function encodeFailure(id: number, thrown: unknown, stacks: boolean): string {
  const dropped = new Set<unknown>();
  while (dropped.size < MAX_DROPPED) {
    try {
      return `[${id},"error",${encodeRich(thrown, { dropped, stacks })}]`;
    } catch (refusal) {
      if (!(refusal instanceof Unserializable) || refusal.value === thrown) break;
      dropped.add(refusal.value);
    }
  }
  return `[${id},"error",${encodeRich(bareError(thrown), { stacks })}]`;
}

/** How many unsupported values an error may carry before everything but its message is left out. */
const MAX_DROPPED = 16;

/** What remains of a thrown value that cannot be sent. */
function bareError(thrown: unknown): Error {
  const { name, message, stack } =
    thrown instanceof Error
      ? thrown
      : { name: 'Error', message: `The method threw ${describe(thrown)}, which cannot be sent` };
  return Object.assign(new Error(message), { name, stack });
}

/** Object to client: `["error", thrown]`, a message could not be read, and no call can be named. */
export function encodeRefusal(error: RpcError): string {
  return `["error",${encodeRich(error, { stacks: false })}]`;
}

/** @throws RpcError `BAD_MESSAGE` when the text is no frame */
export function decodeFrame(text: string): unknown[][] {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch (cause) {
    throw new RpcError('BAD_MESSAGE', 'The frame is not JSON', { cause });
  }
  if (!Array.isArray(frame) || !frame.every(Array.isArray)) {
    throw new RpcError('BAD_MESSAGE', 'A frame is a JSON array of arrays');
  }
  return frame;
}

/** Whether a message's first element numbers a call. */
export function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) > 0;
}

/** @throws RpcError `BAD_MESSAGE` when a message that begins with an id is no call */
export function checkCall(message: unknown[]): asserts message is CallMessage {
  const [, method, third] = message;
  const hasForm =
    message.length === 2 ||
    (message.length === 3 && Array.isArray(third)) ||
    (message.length === 4 && third === RICH);
  if (typeof method !== 'string' || !hasForm) {
    throw new RpcError('BAD_MESSAGE', 'A call is [id, method], then its arguments if any');
  }
}

/** The ids of the calls whose results a call takes as arguments. */
export function inputsOf(message: CallMessage): number[] {
  return message.length === 4 ? referencedCalls(message[3]) : [];
}

/**
 * @param resolve - gives the value that a reference to another call stands for
 * @throws RpcError `BAD_MESSAGE` or `LIMIT_EXCEEDED`
 */
export function decodeArgs(
  message: CallMessage,
  limits: Limits,
  resolve: (call: CallReference) => unknown,
): unknown[] {
  if (message.length === 2) return [];
  const isTree = message.length === 3;
  const args = isTree ? message[2] : decodeRich(message[3], resolve);
  if (!Array.isArray(args)) throw new RpcError('BAD_MESSAGE', 'Arguments are an array');
  if (args.length > limits.argumentCount) exceeded('argumentCount', limits.argumentCount);
  checkValue(args, isTree, limits);
  return args;
}

/**
 * What an answer holds.
 *
 * @returns `{ result }` or `{ thrown }`
 * @throws RpcError `BAD_MESSAGE` when it holds neither
 */
export function decodeAnswer(message: AnswerMessage): { result: unknown } | { thrown: unknown } {
  if (message.length < 3) return { result: message[1] };
  const [, form, value] = message as [number, string, unknown];
  if (form === RICH) return { result: decodeRich(value) };
  if (form === 'error') return { thrown: decodeRich(value) };
  throw new RpcError('BAD_MESSAGE', 'An answer is [id], [id, result] or [id, form, value]');
}
