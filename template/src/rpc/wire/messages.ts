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
import { isPlain } from './plain.ts';
import { decodeRich, referencedCalls } from './rich-decoder.ts';
import { describe, encodeRich, type ReferenceOf } from './rich-encoder.ts';
import { tagOf } from './tags.ts';

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
 * Client to object: run a method. Ids count up from 1 in the order of the calls. Arguments are left
 * out when there are none.
 */
export type CallMessage =
  | [id: number, method: string]
  | [id: number, method: string, args: unknown[]]
  | [id: number, method: string, form: typeof RICH, args: unknown];

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
  const more = args.length > 0 ? `,${encodeValue(args, referenceOf)}` : '';
  return `[${id},${JSON.stringify(method)}${more}]`;
}

/** The elements, as text, that stand for a value at the end of a message. */
function encodeValue(value: unknown, referenceOf?: ReferenceOf): string {
  return isPlain(value) ? JSON.stringify(value) : `"${RICH}",${encodeRich(value, referenceOf)}`;
}

/**
 * Client to object, about its calls. Each stands at most once in a frame, before the calls:
 *
 * - `["cancel", id, …]`: nobody waits for these answers any more.
 * - `["awaits", oldest, id, …]`: the oldest call that the client awaits, and those after it that it
 *   has stopped awaiting since its last frame. A frame without it says that, up to its last call,
 *   the client awaits the calls in the frame and no others. The object forgets the answers of all
 *   that is not awaited.
 * - `["resent", id, age]`: the calls of the frame up to this one may have arrived before. The first
 *   of them left the client so many milliseconds ago.
 */
export function encodeControl(
  kind: 'cancel' | 'awaits' | 'resent',
  ...numbers: readonly number[]
): string {
  return JSON.stringify([kind, ...numbers]);
}

/** @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent */
export function encodeResult(id: number, result: unknown): string {
  return `[${id}${encodeRest(result)}]`;
}

/**
 * What a message ends with, after its other elements: a comma and a value, or nothing for
 * `undefined`. `decodeAnswer` reads it.
 *
 * @throws RpcError `UNSERIALIZABLE` with the path to what cannot be sent
 */
export function encodeRest(value: unknown): string {
  return value === undefined ? '' : `,${encodeValue(value)}`;
}

/** @param details - see `encodeThrown` */
export function encodeFailure(id: number, thrown: unknown, details: boolean): string {
  return `[${id}${encodeThrown(thrown, details)}]`;
}

/**
 * What a message ends with that says what was thrown. An error must arrive, so what it carries and
 * cannot cross is left out, and what cannot be read is replaced.
 *
 * @param details - false leaves out what is not for everyone: see `publicError`
 */
export function encodeThrown(thrown: unknown, details: boolean): string {
  const encode = (value: unknown): string => `,"error",${encodeRich(value, undefined, true)}`;
  try {
    const sendable = isSendable(thrown, details) ? thrown : bareError(thrown);
    return encode(details ? sendable : publicError(sendable));
  } catch {
    // A getter or a trap of the thrown value throws in its turn.
  }
  try {
    return encode(publicError(bareError(thrown)));
  } catch {
    return encode(publicError(new Error('The method threw something that cannot be read')));
  }
}

/** The name, the message, and a code as those of Node are; of what the runtime reports, all it says. */
function publicError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  if (thrown instanceof RpcError) {
    return Object.assign(new RpcError(thrown.code, thrown.message), thrown);
  }
  const { name, message, code } = thrown as Error & { code?: unknown };
  const error = Object.assign(new Error(message), { name, stack: undefined });
  return ['string', 'number'].includes(typeof code) ? Object.assign(error, { code }) : error;
}

function isSendable(thrown: unknown, details: boolean): boolean {
  if (thrown === null || !['object', 'function', 'symbol'].includes(typeof thrown)) return true;
  return (details || thrown instanceof Error) && tagOf(thrown) !== undefined;
}

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
  return `["error",${encodeRich(publicError(error))}]`;
}

/** @throws RpcError `BAD_MESSAGE` when the text is no frame */
export function decodeFrame(text: string): unknown[][] {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    // Falls through to the same answer as JSON that is no frame.
  }
  if (Array.isArray(frame) && frame.every(Array.isArray)) return frame;
  throw new RpcError('BAD_MESSAGE', 'Malformed frame');
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
  throw new RpcError('BAD_MESSAGE', 'Malformed answer');
}
