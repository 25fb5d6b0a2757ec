/**
 * The protocol: what the two ends say to each other, and its text. A frame is a JSON array of
 * messages; a message is a small JSON array. One that begins with a number belongs to the call of
 * that number; one that begins with a string is about the frame or the connection, and the string
 * names its kind.
 *
 *     up     [[1,"increment"],[2,"increment",[5]]]
 *     down   [[1,1],[2,6]]
 *
 * A third element that is a string names what the fourth holds, so further encodings and kinds can
 * be added beside these. Imports errors and values only.
 */
import { errorFromWire, errorToWire, RpcError, type WireError } from './errors.ts';
import { assertPlain } from './values.ts';

/** The WebSocket subprotocol; its number changes when an old peer would misread a new one. */
export const SUBPROTOCOL = 'lumenize-rpc.1';

/** The last segment of the path of every RPC request. */
export const CALL_SEGMENT = 'call';

/** Client to object: run a method. Ids count up from 1 in the order of the calls. */
export type CallMessage = [id: number, method: string, args?: unknown[]];

/** Object to client: what the method returned (left out when `undefined`), or what it threw. */
type AnswerMessage =
  | [id: number]
  | [id: number, result: unknown]
  | [id: number, kind: 'error', error: WireError];

/** Object to client: the frame itself could not be read, so no call can be named. */
type FrameErrorMessage = ['error', error: WireError];

/** An answer, told apart. */
export type Answer = { id: number } & ({ result: unknown } | { error: Error });

/** @throws RpcError `UNSERIALIZABLE` when an argument cannot be sent */
export function encodeCall(id: number, method: string, args: unknown[]): string {
  if (args.length === 0) return `[${id},${JSON.stringify(method)}]`;
  for (let index = 0; index < args.length; index++) assertPlain(args[index], `[${index}]`);
  return JSON.stringify([id, method, args]);
}

/** @throws RpcError `UNSERIALIZABLE` when the result cannot be sent */
export function encodeResult(id: number, result: unknown): string {
  if (result === undefined) return `[${id}]`;
  assertPlain(result, 'result');
  return `[${id},${JSON.stringify(result)}]`;
}

export function encodeError(id: number, thrown: unknown): string {
  return JSON.stringify([id, 'error', errorToWire(thrown)] satisfies AnswerMessage);
}

export function encodeFrameError(thrown: unknown): string {
  return JSON.stringify(['error', errorToWire(thrown)] satisfies FrameErrorMessage);
}

/** Joins the texts of messages into the text of a frame. */
export function encodeFrame(messages: string[]): string {
  return `[${messages.join(',')}]`;
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

/** @throws RpcError `BAD_MESSAGE` when the message is no call */
export function readCall(message: unknown[]): CallMessage {
  const [id, method, args] = message;
  const wellFormed =
    isId(id) &&
    typeof method === 'string' &&
    (message.length === 2 || (message.length === 3 && Array.isArray(args)));
  if (!wellFormed)
    throw new RpcError('BAD_MESSAGE', 'A call is [id, method] or [id, method, args]');
  return message as CallMessage;
}

/** @throws RpcError `BAD_MESSAGE` when the message is no answer, or says that our frame was unreadable */
export function readAnswer(message: unknown[]): Answer {
  const [id, value, error] = message;
  if (id === 'error') throw errorFromWire(value as WireError);
  if (!isId(id) || message.length > 3) throw new RpcError('BAD_MESSAGE', 'Not an answer');
  if (message.length < 3) return { id, result: value };
  if (value !== 'error') throw new RpcError('BAD_MESSAGE', `Unknown kind of answer: ${value}`);
  return { id, error: errorFromWire(error as WireError) };
}

/** Whether a message's first element numbers a call. */
export function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) > 0;
}
