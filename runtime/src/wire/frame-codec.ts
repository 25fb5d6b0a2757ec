/**
 * The functions by which an object writes messages and reads binary frames. Without `features/bytes`, all messages are
 * text.
 */
import type { Encode, Packet, EncodedMessage, TextAndBuffers } from './encoded-message.ts';
import type { Frame } from './messages.ts';
import type { ReferenceOf } from './values/rich-encoder.ts';

export interface FrameCodec {
  /**
   * @param check - called with the size of the frame, which is the characters of text plus the bytes; may throw
   * @param parse - parses the text of the frame
   * @returns the messages, with their bytes in them; `undefined` for a malformed frame
   */
  read?(
    frame: ArrayBuffer,
    check: (size: number) => void,
    parse: (text: Frame) => unknown[][] | undefined,
  ): unknown[][] | undefined;
  /** Writes a message, or the end of a message, without its large buffers. */
  split(encode: Encode, referenceOf?: ReferenceOf): TextAndBuffers;
  /** Joins a message and its buffers. */
  pack(taken: TextAndBuffers): EncodedMessage;
  /** Returns the same message, with its large buffers after the text instead of Base64 in it. */
  withBytes(text: string): EncodedMessage;
  /**
   * @param all - the stored bytes of several messages
   * @param start - the index at which the bytes of this message begin
   * @returns a message that was stored with its bytes; `undefined` for a message that can no longer be sent
   */
  restore(text: string, all: ArrayBuffer, start: number): Packet | undefined;
}

/** The settings of a contract for writing messages. */
export interface EncodingOptions {
  readonly frames: FrameCodec;
  readonly referenceOf: ReferenceOf | undefined;
}

/** Encodes a message whose bytes follow its text. */
export function encodeWithBytes(
  { frames, referenceOf }: EncodingOptions,
  encode: Encode,
): EncodedMessage {
  return frames.pack(frames.split(encode, referenceOf));
}

export const textFrameCodec: FrameCodec = {
  split: (encode, referenceOf) => ({ text: encode(referenceOf), buffers: [] }),
  pack: ({ text }) => text,
  withBytes: (text) => text,
  restore: () => undefined,
};
