/**
 * Large frames over a WebSocket, in pieces. A socket delivers its messages one after the other, so a frame of
 * megabytes on a slow link would hold up all answers and heartbeats behind it. A piece is two messages: a mark, and a
 * part of the frame's text or bytes. The other end joins the pieces, and acknowledges each one. Other frames can come
 * between the pieces.
 */
import type { Frame } from './messages.ts';
import { builtInName } from './values/plain.ts';

/** Announces a piece of a frame. No frame begins like a mark. */
export const MORE = '\x02';

/** Announces the last piece of a frame. */
export const LAST = '\x03';

/**
 * Acknowledges a piece. The characters after the mark of the piece follow. A client that receives it ignores it: it only
 * shows that the other end is there.
 */
export const ACK = '\x06';

/** The size of a piece, in characters or bytes. */
export const PIECE_SIZE = 131_072;

/** Frames up to this size are sent whole. */
export const MAX_WHOLE_SIZE = 262_144;

export function frameLength(message: Frame): number {
  return typeof message === 'string' ? message.length : message.byteLength;
}

/** Returns the messages to send for a frame: the frame itself, or its pieces. */
export function piecesOf(frame: Frame): Frame[] {
  const size = frameLength(frame);
  if (size <= MAX_WHOLE_SIZE) return [frame];
  const pieces: Frame[] = [];
  for (let start = 0; start < size;) {
    let end = start + PIECE_SIZE;
    // A piece must not end inside of a surrogate pair: half of a character would be replaced on the way.
    if (typeof frame === 'string' && (frame.codePointAt(end - 1) as number) > 0xffff) end++;
    pieces.push(end < size ? MORE : LAST, frame.slice(start, end));
    start = end;
  }
  return pieces;
}

/** Returns whether a message is a mark or an acknowledgement, and not a frame or a piece. */
export function isControl(message: Frame): message is string {
  return typeof message === 'string' && message !== '' && message < '\x07';
}

/** A frame that has arrived. It is a list of pieces if the last piece was binary. */
export type ReceivedFrame = Frame | readonly Frame[];

/**
 * Joins the pieces of a frame that has arrived. A mixture of text and binary pieces becomes an empty text, which is
 * malformed.
 */
export function wholeFrame(frame: ReceivedFrame): Frame {
  if (!Array.isArray(frame)) return frame as Frame;
  // `concatenated` would read a text as a length.
  if (!frame.every(isBuffer)) return '';
  return concatenated(frame.map((piece) => new Uint8Array(piece))).buffer;
}

/**
 * Returns whether a value is an `ArrayBuffer`, also of another realm: in Jest, sockets create their buffers outside of
 * the realm of the tests.
 */
export function isBuffer(value: unknown): value is ArrayBuffer {
  return builtInName(value) === 'ArrayBuffer';
}

/** Returns the bytes of all parts, one after the other. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    all.set(part, start);
    start += part.length;
  }
  return all;
}

/**
 * Joins the pieces of frames.
 *
 * @param acknowledge - called for each piece with the message to send
 * @returns a function that takes each message, and returns a frame once it is whole
 */
export function pieceJoiner(
  acknowledge: (message: string) => void,
): (message: Frame) => ReceivedFrame | undefined {
  let mark: string | undefined;
  let parts: Frame[] = [];
  return (message) => {
    const announced = mark;
    mark = undefined;
    if (!announced) {
      const kind = (message as string)[0];
      if (kind !== MORE && kind !== LAST) return message;
      mark = message as string;
    } else {
      acknowledge(ACK + announced.slice(1));
      const all = parts;
      all.push(message);
      if (announced[0] === LAST) {
        parts = [];
        // Binary pieces are not joined here, because most clients receive none.
        return typeof message === 'string' ? all.join('') : all;
      }
    }
    return undefined;
  };
}
