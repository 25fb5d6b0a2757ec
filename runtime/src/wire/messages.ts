/**
 * The protocol: the messages between a client and an object, and their text. A frame is a JSON array of messages. A
 * message is a short JSON array. If it begins with a number, it belongs to the call with that number. If it begins
 * with a string, it is about the frame or the connection, and the string is its kind.
 *
 *     up     [[1,"increment"],[2,"increment",[5]]]
 *     down   [[1,1],[2,6]]
 *
 * Large buffers can follow the text of a frame: see `bytes.ts`.
 */
import { RpcError } from './errors.ts';
import { isPlain } from './values/plain.ts';
import { decodeRich, referencedCalls, type Resolve } from './values/rich-decoder.ts';
import { encodeRich, type CodecFeedback, type ReferenceOf } from './values/rich-encoder.ts';
import { encodeThrown, publicError } from './values/thrown.ts';

/** A frame: text; or text, a zero byte, and the bytes that the text refers to. */
export type Frame = string | ArrayBuffer;

/** The Content-Type of a binary frame. */
export const BINARY_TYPE = 'application/octet-stream';

/** A mark in a message: the next element is a value of the general codec. Plain data has no mark. */
export const RICH = 'rich';

/** The WebSocket subprotocol. Its number changes when an old peer would misread new messages. */
export const SUBPROTOCOL = 'lumenize-rpc.1';

/**
 * The name under which a client sends its id: the start of a second WebSocket subprotocol, or a header of
 * a POST. The id is unguessable. It identifies the client across lost connections.
 */
export const CLIENT_ID = 'lumenize-rpc-client';

/**
 * A header of a POST that asks whether the server would reject a WebSocket. A WebSocket that fails to open
 * does not report the reason. The value is the subprotocols that it offered.
 */
export const PROBE = 'lumenize-rpc-probe';

/** An empty frame: both a ping and its reply. */
export const HEARTBEAT = '[]';

/** The last segment of the path of every RPC request. */
export const CALL_SEGMENT = 'call';

/**
 * The target of a call: a method of the object, or of a capability. A capability is given by its class, number and
 * address. The target can also be the result of another call, or the part of that result at a path.
 */
export type Callee =
  | string
  | [method: string, className: string, number: string, ...address: unknown[]]
  | [method: string, id: number, ...path: string[]];

/**
 * Client to object: calls a method. Ids count up from 1 in the order of the calls. A call without
 * arguments ends after the callee.
 */
export type CallMessage =
  | [id: number, callee: Callee]
  | [id: number, callee: Callee, args: unknown[]]
  | [id: number, callee: Callee, form: typeof RICH, args: unknown];

/**
 * Object to client: the value that a method returned, left out if it is `undefined`, or the value that it threw.
 * `[-id]` means that the call has not run: it takes the result of another call, which the object does not have. The
 * client has that result, and sends the call again with it.
 */
export type AnswerMessage =
  | [id: number]
  | [id: number, result: unknown]
  | [id: number, form: typeof RICH, result: unknown]
  | [id: number, form: 'error', thrown: unknown];

/**
 * @param referenceOf - returns the reference to send for an argument, or for a part of an argument
 * @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
 */
export function encodeCall(
  id: number,
  callee: Callee,
  args: unknown[],
  referenceOf?: ReferenceOf,
  feedback?: CodecFeedback,
): string {
  return `[${id},${JSON.stringify(callee)}${encodeArgs(args, referenceOf, feedback)}]`;
}

/** Returns the end of a call: a comma and the arguments, or nothing. */
export function encodeArgs(
  args: unknown[],
  referenceOf?: ReferenceOf,
  feedback?: CodecFeedback,
): string {
  return args.length > 0 ? `,${encodeValue(args, referenceOf, false, feedback)}` : '';
}

/**
 * Returns a value as the last one or two elements of a message: plain JSON, or `"rich"` and the text of the general
 * codec. If the last value of the same method needed the general codec, that codec is tried first, without the check
 * whether plain JSON suffices. The check follows only if the value turns out to be plain, or if the codec fails.
 */
function encodeValue(
  value: unknown,
  referenceOf?: ReferenceOf,
  isLenient?: boolean,
  feedback: CodecFeedback = {},
): string {
  const { isRich } = feedback;
  feedback.isRich = false;
  let text: string | undefined;
  try {
    if (isRich) text = encodeRich(value, referenceOf, isLenient, feedback);
  } catch (error) {
    if (!isPlain(value)) throw error;
  }
  feedback.isRich ||= !isPlain(value);
  if (!feedback.isRich) return JSON.stringify(value);
  return `"${RICH}",${text ?? encodeRich(value, referenceOf, isLenient, feedback)}`;
}

/**
 * Client to object, about its calls and the connection. Each kind occurs at most once in a frame, before
 * the calls:
 *
 * - `["cancel", id, …]`: the client no longer awaits these answers.
 * - `["awaits", oldest, id, …]`: the oldest call that the client awaits, then the later calls that it has stopped
 *   awaiting since its last frame. Without this message, the client awaits the calls of the frame, and no other call
 *   before the last of them. The object deletes the answers of all calls that the client does not await.
 * - `["resent", id, age]`: the calls of this frame up to `id` may have arrived before. The client first
 *   sent the first of them `age` milliseconds ago.
 * - `["bytes"]`: the client reads binary frames, from now on over this connection, or in the answer to
 *   this POST. Until then all bytes are sent as text.
 * - `["key"]`: the client makes one call, whose id is made of its method and its arguments. If the call has begun with
 *   another id, the answer is `[-id]`. Before an answer of the journal, the object sends `["replayed"]`.
 */
export type ControlMessage =
  | [kind: 'cancel' | 'awaits' | 'resent', ...numbers: number[]]
  | [kind: 'bytes' | 'key'];

/**
 * Both directions, in a binary frame: the lengths in bytes of the buffers that the next message refers to.
 * The references are `["Bytes", index]`. See `bytes.ts`.
 */
export type LengthsMessage = [kind: 'bytes', ...lengths: number[]];

/**
 * @param referenceOf - returns the reference to send for a part of the result
 * @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
 */
export function encodeResult(
  id: number,
  result: unknown,
  referenceOf?: ReferenceOf,
  feedback?: CodecFeedback,
): string {
  return `[${id}${encodeTail(result, referenceOf, feedback)}]`;
}

/**
 * Returns the end of a message, after its other elements: a comma and a value, or nothing for `undefined`.
 * `decodeAnswer` reads it.
 *
 * @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
 */
export function encodeTail(
  value: unknown,
  referenceOf?: ReferenceOf,
  feedback?: CodecFeedback,
): string {
  return value === undefined ? '' : `,${encodeValue(value, referenceOf, undefined, feedback)}`;
}

/** @param details - see `encodeThrown` */
export function encodeFailure(id: number, thrown: unknown, details: boolean): string {
  return `[${id}${encodeThrown(thrown, details)}]`;
}

/**
 * Object to client: `["error", thrown]` means that the object could not read a message, so the error belongs to no
 * call. `["error", thrown, id]` means that the object could not read a frame, and none of its calls has run. The id is
 * the id of the first call of the frame, or -1 if the frame has only messages of a feature.
 */
export function encodeRejection(error: RpcError, firstCall?: number): string {
  const id = firstCall === undefined ? '' : `,${firstCall}`;
  return `["error",${encodeRich(publicError(error))}${id}]`;
}

/** @throws RpcError `BAD_MESSAGE` for a malformed frame */
export function decodeFrame(text: Frame): unknown[][] {
  const frame = parseFrame(text);
  if (!frame) throw new RpcError('BAD_MESSAGE', 'Malformed frame');
  return frame;
}

/** @returns the messages of a frame; `undefined` for a malformed frame */
export function parseFrame(text: Frame): unknown[][] | undefined {
  try {
    const frame: unknown = JSON.parse(text as string);
    if (Array.isArray(frame) && frame.every(Array.isArray)) return frame;
  } catch {
    // Invalid JSON has the same result as JSON that is not a frame.
  }
  return undefined;
}

/** Returns whether the first element of a message is the id of a call. */
export function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) > 0;
}

/** @throws RpcError `BAD_MESSAGE` when a message that begins with an id is not a call */
export function checkCall(message: unknown[]): asserts message is CallMessage {
  const third = message[2];
  const hasForm =
    message.length === 2 ||
    (message.length === 3 && Array.isArray(third)) ||
    (message.length === 4 && third === RICH);
  if (!isCallee(message[1]) || !hasForm) {
    throw new RpcError('BAD_MESSAGE', 'A call must be [id, method], then optional arguments');
  }
}

function isCallee(callee: unknown): callee is Callee {
  if (!Array.isArray(callee)) return typeof callee === 'string';
  const [method, first, ...rest] = callee;
  if (typeof method !== 'string') return false;
  return isId(first) ? rest.every(isString) : isString(first) && isString(rest[0]);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns the id of the call whose result, or a part of it, is the target of this call. */
export function resultIdOf(callee: unknown): number | undefined {
  return Array.isArray(callee) && isId(callee[1]) ? callee[1] : undefined;
}

/** Returns the arguments of a call. A peer can send something other than an array. */
export function argsOf(message: CallMessage, resolve?: Resolve): unknown {
  if (message.length < 4) return message[2] ?? [];
  return decodeRich(message[3], resolve);
}

/** Returns the ids of the calls whose results a call takes, as arguments or as its target. */
export function referencedCallIds(message: CallMessage): number[] {
  const inputs = message.length === 4 ? referencedCalls(message[3]) : [];
  const called = resultIdOf(message[1]);
  return called === undefined ? inputs : [called, ...inputs];
}

/**
 * Decodes an answer.
 *
 * @param resolve - returns the value of a reference
 * @returns `{ result }` or `{ thrown }`
 * @throws RpcError `BAD_MESSAGE` for a malformed answer
 */
export function decodeAnswer(
  message: AnswerMessage,
  resolve?: Resolve,
): { result: unknown } | { thrown: unknown } {
  if (message.length < 3) return { result: message[1] };
  const [, form, value] = message as [number, string, unknown];
  // `decodeRich` rejects a value of an unknown form, since 0 is not a list.
  const decoded = decodeRich(form === RICH || form === 'error' ? value : 0, resolve);
  return form === RICH ? { result: decoded } : { thrown: decoded };
}
