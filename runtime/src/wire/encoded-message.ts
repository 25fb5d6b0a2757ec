/**
 * A written message: text, or text with the bytes that follow it. Only binary frames carry bytes, so only the code for
 * binary frames makes a `Packet`: see `bytes.ts`.
 */
import { type Frame, parseFrame } from './messages.ts';
import type { ReferenceOf } from './values/rich-encoder.ts';

/** One message, or several, separated by commas. */
export type EncodedMessage = string | Packet;

/** Messages with bytes after their text. */
export interface Packet {
  readonly text: string;
  /** The bytes, in the order of their lengths in the text. */
  readonly buffers: readonly Uint8Array[];
  /** A frame with only these messages. */
  readonly frame: ArrayBuffer;
  /** The size in a frame: the characters of text plus the bytes. */
  readonly length: number;
  toString(): string;
  /** Joins several messages. */
  join(messages: readonly EncodedMessage[]): Packet;
  /** Returns the messages, with copies of their bytes in them. */
  read(): unknown[][];
  /** Returns the messages as text, with their bytes as Base64. */
  withBase64(): string;
}

/** Returns the text of a message, and asks `referenceOf` for the references in it. */
export type Encode = (referenceOf?: ReferenceOf) => string;

export type Write = (encode: Encode, referenceOf?: ReferenceOf) => EncodedMessage;

/** The text of a message, or of its end, without the large buffers; and these buffers. */
export interface TextAndBuffers {
  text: string;
  buffers: readonly Uint8Array[];
}

/** Joins several messages, separated by commas. */
export function joinMessages(messages: readonly EncodedMessage[]): EncodedMessage {
  if (messages.length === 1) return messages[0] as EncodedMessage;
  const packet = messages.find((message) => typeof message !== 'string');
  return packet ? packet.join(messages) : messages.join();
}

/** Returns the frame that contains the messages. */
export function frameOf(messages: readonly EncodedMessage[]): Frame {
  const all = joinMessages(messages);
  return typeof all === 'string' ? `[${all}]` : all.frame;
}

/** Returns the same messages, with all bytes as Base64 in the text. */
export function asText(message: EncodedMessage): string {
  return typeof message === 'string' ? message : message.withBase64();
}

/** Reads messages that this end has written, with copies of their bytes in them. */
export function readEncoded(message: EncodedMessage): unknown[][] {
  return typeof message === 'string' ? (parseFrame(`[${message}]`) ?? []) : message.read();
}

/** Returns whether a message arrived with bytes after its text: JSON cannot contain a buffer. */
export function hasBytes(message: unknown[]): boolean {
  const list = message.at(-1);
  return (
    Array.isArray(list) && list.some((item: unknown[] | null) => item?.[1] instanceof ArrayBuffer)
  );
}

/** The length in characters up to which a text is searched for other characters than ASCII. */
const MAX_LOOKED_THROUGH = 500;

/**
 * The encoder is created when it is first needed, because some environments that import the client lack the class.
 */
let encoder: TextEncoder | undefined;

/** @returns the size in bytes */
export function byteLengthOf(sent: Frame | EncodedMessage): number {
  if (sent instanceof ArrayBuffer) return sent.byteLength;
  const text = `${sent}`;
  return sent.length - text.length + utf8Length(text);
}

/**
 * Returns the size of a text in UTF-8. Most messages are short and ASCII: searching such a text is faster than calling
 * the encoder.
 */
function utf8Length(text: string): number {
  let ascii = 0;
  while (ascii < text.length && ascii < MAX_LOOKED_THROUGH && text.charCodeAt(ascii) < 128) ascii++;
  if (ascii === text.length) return ascii;
  encoder ??= new TextEncoder();
  return encoder.encode(text).length;
}
