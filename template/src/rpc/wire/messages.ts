/**
 * The protocol: what the two ends say to each other, and its text. A frame is a JSON array of
 * messages; a message is a small JSON array. One that begins with a number belongs to the call of
 * that number; one that begins with a string is about the frame or the connection, and the string
 * names its kind.
 *
 *     up     [[1,"increment"],[2,"increment",[5]]]
 *     down   [[1,1],[2,6]]
 *
 * What is in bytes stands beside the text of a frame, if there is much of it: see `bytes.ts`.
 *
 * Imports the rest of wire/.
 */
import { RpcError } from './errors.ts';
import { isPlain } from './plain.ts';
import { decodeRich, referencedCalls, type Resolve } from './rich-decoder.ts';
import { encodeRich, type ReferenceOf } from './rich-encoder.ts';
import { encodeThrown, publicError } from './thrown.ts';

/** What travels at once: text; or text, a byte 0, and the bytes that the text refers to. */
export type Frame = string | ArrayBuffer;

/** The Content-Type of a binary frame. */
export const BINARY = 'application/octet-stream';

/** Names, in a message, the general codec's form of what follows; plain data needs no name. */
const RICH = 'rich';

/** The WebSocket subprotocol; its number changes when an old peer would misread a new one. */
export const SUBPROTOCOL = 'lumenize-rpc.1';

/**
 * Before a client's id, which is unguessable: as a further subprotocol of a WebSocket, and as the
 * name of a header of a POST. It stands for the client through lost connections.
 */
export const CLIENT_ID = 'lumenize-rpc-client';

/**
 * The header of a POST that asks whether a WebSocket would be refused, which a WebSocket itself does
 * not tell: the subprotocols that it offered beside the runtime's own.
 */
export const PROBE = 'lumenize-rpc-probe';

/** An empty frame: asks the other end whether it is there, and says so. */
export const HEARTBEAT = '[]';

/** The last segment of the path of every RPC request. */
export const CALL_SEGMENT = 'call';

/**
 * What is called: a method of the object, or of a capability. That is given by its class, its number and
 * its address, or as the result of a call, or a part of one.
 */
export type Callee =
  | string
  | [method: string, className: string, number: string, ...address: unknown[]]
  | [method: string, id: number, ...path: string[]];

/**
 * Client to object: run a method. Ids count up from 1 in the order of the calls. Arguments are left
 * out when there are none.
 */
export type CallMessage =
  | [id: number, callee: Callee]
  | [id: number, callee: Callee, args: unknown[]]
  | [id: number, callee: Callee, form: typeof RICH, args: unknown];

/**
 * Object to client: what a method returned, left out when `undefined`, or what it threw. With its id made
 * negative, `[-id]`, a call has not been run, since the object does not know the result of another call
 * which it takes. The client has it, and sends the call again with the result itself.
 */
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
  callee: Callee,
  args: unknown[],
  referenceOf?: ReferenceOf,
): string {
  return `[${id},${encodeInvocation(callee, encodeArgs(args, referenceOf))}]`;
}

/** @param args - from `encodeArgs` */
export function encodeInvocation(callee: Callee, args: string): string {
  return JSON.stringify(callee) + args;
}

/** What a call ends with: a comma and its arguments, if it has any. */
export function encodeArgs(args: unknown[], referenceOf?: ReferenceOf): string {
  return args.length > 0 ? `,${encodeValue(args, referenceOf)}` : '';
}

/** The elements, as text, that stand for a value at the end of a message. */
function encodeValue(value: unknown, referenceOf?: ReferenceOf): string {
  return isPlain(value) ? JSON.stringify(value) : `"${RICH}",${encodeRich(value, referenceOf)}`;
}

/**
 * Client to object, about its calls and the connection. Each stands at most once in a frame, before the
 * calls:
 *
 * - `["cancel", id, …]`: nobody waits for these answers any more.
 * - `["awaits", oldest, id, …]`: the oldest call that the client awaits, and those after it that it
 *   has stopped awaiting since its last frame. A frame without it says that, up to its last call,
 *   the client awaits the calls in the frame and no others. The object forgets the answers of all
 *   that is not awaited.
 * - `["resent", id, age]`: the calls of the frame up to this one may have arrived before. The first
 *   of them left the client so many milliseconds ago.
 * - `["bytes"]`: the client reads binary frames, on this connection from now on, or in the answer to
 *   this POST. Until then all bytes go as text.
 */
export type ControlMessage =
  | [kind: 'cancel' | 'awaits' | 'resent', ...numbers: number[]]
  | [kind: 'bytes'];

/**
 * Both ways, in a binary frame: how many bytes each of the buffers has that the next message refers to,
 * by references `["Bytes", index]`. See `bytes.ts`.
 */
export type LengthsMessage = [kind: 'bytes', ...lengths: number[]];

/**
 * @param referenceOf - says which parts of the result are sent as references
 * @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent
 */
export function encodeResult(id: number, result: unknown, referenceOf?: ReferenceOf): string {
  return `[${id}${encodeRest(result, referenceOf)}]`;
}

/**
 * What a message ends with, after its other elements: a comma and a value, or nothing for
 * `undefined`. `decodeAnswer` reads it.
 *
 * @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent
 */
export function encodeRest(value: unknown, referenceOf?: ReferenceOf): string {
  return value === undefined ? '' : `,${encodeValue(value, referenceOf)}`;
}

/** @param details - see `encodeThrown` */
export function encodeFailure(id: number, thrown: unknown, details: boolean): string {
  return `[${id}${encodeThrown(thrown, details)}]`;
}

/** Object to client: `["error", thrown]`, a message could not be read, and no call can be named. */
export function encodeRefusal(error: RpcError): string {
  return `["error",${encodeRich(publicError(error))}]`;
}

/** @throws RpcError `BAD_MESSAGE` for what is no frame */
export function decodeFrame(text: Frame): unknown[][] {
  const frame = readFrame(text);
  if (!frame) throw new RpcError('BAD_MESSAGE', 'Malformed frame');
  return frame;
}

/** @returns the messages of a frame; nothing for what is none */
export function readFrame(text: Frame): unknown[][] | undefined {
  try {
    const frame: unknown = JSON.parse(text as string);
    if (Array.isArray(frame) && frame.every(Array.isArray)) return frame;
  } catch {
    // The same answer as to JSON that is no frame.
  }
  return undefined;
}

/** Whether a message's first element numbers a call. */
export function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) > 0;
}

/** @throws RpcError `BAD_MESSAGE` when a message that begins with an id is no call */
export function checkCall(message: unknown[]): asserts message is CallMessage {
  const [, callee, third] = message;
  const hasForm =
    message.length === 2 ||
    (message.length === 3 && Array.isArray(third)) ||
    (message.length === 4 && third === RICH);
  if (!isCallee(callee) || !hasForm) {
    throw new RpcError('BAD_MESSAGE', 'A call must be [id, method], then optional arguments');
  }
}

function isCallee(callee: unknown): callee is Callee {
  if (!Array.isArray(callee)) return typeof callee === 'string';
  const [method, first, ...rest] = callee;
  if (typeof method !== 'string') return false;
  return isId(first) ? rest.every(isText) : isText(first) && isText(rest[0]);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The call whose result is called, or a part of it. */
export function calledResult(callee: unknown): number | undefined {
  return Array.isArray(callee) && isId(callee[1]) ? callee[1] : undefined;
}

/** The arguments of a call; not an array, if a peer sent something else. */
export function argsOf(message: CallMessage, resolve?: Resolve): unknown {
  if (message.length < 4) return message[2] ?? [];
  return decodeRich(message[3], resolve);
}

/** The ids of the calls whose results a call takes: as arguments, or to be called. */
export function inputsOf(message: CallMessage): number[] {
  const inputs = message.length === 4 ? referencedCalls(message[3]) : [];
  const called = calledResult(message[1]);
  return called === undefined ? inputs : [called, ...inputs];
}

/**
 * What an answer holds.
 *
 * @param resolve - gives the value that a reference stands for
 * @returns `{ result }` or `{ thrown }`
 * @throws RpcError `BAD_MESSAGE` when it holds neither
 */
export function decodeAnswer(
  message: AnswerMessage,
  resolve?: Resolve,
): { result: unknown } | { thrown: unknown } {
  if (message.length < 3) return { result: message[1] };
  const [, form, value] = message as [number, string, unknown];
  // No list is refused like a malformed one.
  const decoded = decodeRich(form === RICH || form === 'error' ? value : form, resolve);
  return form === RICH ? { result: decoded } : { thrown: decoded };
}
