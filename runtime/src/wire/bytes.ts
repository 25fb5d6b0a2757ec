/**
 * Bytes after the text of a frame. For a buffer of more than 1 024 bytes, a message contains only a reference,
 * `["Bytes", k]`. The message right before it has the lengths of its buffers: `["bytes", length, …]`, where k is an
 * index. Such a frame is binary: its text, a zero byte, which JSON never contains, then all bytes in the order of
 * their lengths.
 *
 *     up     [["bytes"],["bytes",2000],[1,"store","rich",[[[[1]]],["Bytes",0]]]] 0 ⟨2 000 bytes⟩
 *     down   [[1]]
 *
 * A client that reads such frames sends `["bytes"]`, once for each connection and in each POST. Any other client
 * receives all bytes as text.
 */
import { type Frame, type LengthsMessage, readFrame, RICH } from './messages.ts';
import type { Arrived } from './pieces.ts';
import type { Reference, ReferenceOf } from './rich-encoder.ts';

/** The name of a reference to bytes after the text. */
export const BYTES = 'Bytes';

/** The message of a client that reads binary frames. */
export const READS_BYTES = '["bytes"]';

/** The size in bytes up to which a buffer stays in the text: after it, a small buffer costs more than it saves. */
export const MAX_IN_TEXT = 1_024;

/** The names before a list that can refer to bytes, at the end of a message. */
const FORMS = new Set<unknown>([RICH, 'error']);

/** The type of the options also requires `ignoreBOM`, which is false by default. */
const decoder = /* @__PURE__ */ new TextDecoder(undefined, { fatal: true } as never);

/** One message, or several, separated by commas. */
export type Said = string | Packet;

/** Messages with bytes after their text. The bytes are copied into a frame, which can be sent as it is. */
export class Packet {
  readonly text: string;
  /** A frame with only these messages. */
  readonly frame: ArrayBuffer;
  /** The bytes, as parts of the frame, in the order of their lengths in the text. */
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];

  constructor(text: string, buffers: readonly Uint8Array[]) {
    this.text = text;
    const head = new TextEncoder().encode(`[${text}]\0`);
    const all = concatenated([head, ...buffers]);
    this.frame = all.buffer;
    let start = head.length;
    this.buffers = buffers.map(({ length }) => all.subarray(start, (start += length)));
  }

  /** The size in a frame: characters of text plus bytes. */
  get length(): number {
    return this.buffers.reduce((sum, { length }) => sum + length, this.text.length);
  }

  toString(): string {
    return this.text;
  }
}

/** The bytes of all parts, one after the other. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    all.set(part, start);
    start += part.length;
  }
  return all;
}

/** The bytes of all messages, in their order. */
function buffersOf(messages: readonly Said[]): Uint8Array[] {
  return messages.flatMap((said) => (said instanceof Packet ? said.buffers : []));
}

/** Several messages as one, separated by commas. */
export function joined(messages: readonly Said[]): Said {
  if (messages.length === 1) return messages[0] as Said;
  const buffers = buffersOf(messages);
  return buffers.length > 0 ? new Packet(messages.join(), buffers) : messages.join();
}

/** The frame that contains the messages. */
export function frameOf(messages: readonly Said[]): Frame {
  const all = joined(messages);
  return typeof all === 'string' ? `[${all}]` : all.frame;
}

/** The text of a message, or of the end of one, without its large buffers; and these buffers. */
export interface Taken {
  text: string;
  buffers: readonly Uint8Array[];
}

/** Returns the text of a message, and asks `referenceOf` for the references in it. */
export type Encode = (referenceOf?: ReferenceOf) => string;

/** Writes a message. */
export type Write = (encode: Encode, referenceOf?: ReferenceOf) => Said;

/** Writes a message with its bytes after the text. The bytes are copied, so later changes are not sent. */
export const writeWithBytes: Write = (encode, referenceOf) =>
  packed(takeBytes(encode, referenceOf));

/**
 * Writes a message, or the end of one, without its large buffers.
 *
 * @param encode - returns the text
 * @param referenceOf - returns the references to send for other values
 * @returns the text, and views of the original buffers, without a copy
 */
export function takeBytes(...[encode, referenceOf]: Parameters<Write>): Taken {
  const buffers: Uint8Array[] = [];
  const text = encode((value) => {
    const isLong = value instanceof ArrayBuffer && value.byteLength > MAX_IN_TEXT;
    return isLong ? [BYTES, buffers.push(new Uint8Array(value)) - 1] : referenceOf?.(value);
  });
  return { text, buffers };
}

/** One message, together with the buffers that it refers to. */
export function packed({ text, buffers }: Taken): Said {
  if (buffers.length === 0) return text;
  const lengths: LengthsMessage = ['bytes', ...buffers.map(({ length }) => length)];
  return new Packet(`${JSON.stringify(lengths)},${text}`, buffers);
}

/** The text of a frame, and the index of its first byte after that; `undefined` for a malformed frame. */
export function partsOf(frame: ArrayBuffer): { text: string; start: number } | undefined {
  const bytes = new Uint8Array(frame);
  const end = bytes.indexOf(0);
  if (end < 0) return undefined;
  try {
    return { text: decoder.decode(bytes.subarray(0, end)), start: end + 1 };
  } catch {
    // The text is not UTF-8.
    return undefined;
  }
}

/**
 * @param check - called with the size of a binary frame: characters of text plus bytes; may throw
 * @returns the messages of a frame, with their bytes in them; `undefined` for a malformed frame
 */
export function readAnyFrame(
  frame: Frame,
  check?: (size: number) => void,
): unknown[][] | undefined {
  if (!(frame instanceof ArrayBuffer)) return readFrame(frame);
  const parts = partsOf(frame);
  if (!parts) return undefined;
  let { start } = parts;
  check?.(parts.text.length + frame.byteLength - start);
  const messages = readFrame(parts.text);
  if (!messages) return undefined;
  const take = (length: number): ArrayBuffer => {
    // A copy, since each value owns its bytes. No other way to copy is faster.
    const { buffer } = new Uint8Array(new Uint8Array(frame, start, length));
    start += length;
    return buffer;
  };
  const read = placed(messages, take, frame.byteLength - start);
  return start === frame.byteLength ? read : undefined;
}

/** A frame that has arrived, in one part. */
export function wholeOf(frame: Arrived): Frame {
  if (typeof frame === 'string' || frame instanceof ArrayBuffer) return frame;
  return concatenated(frame.map((part) => new Uint8Array(part))).buffer;
}

/** Frees the memory of a binary frame before the garbage collector does, if the runtime can. */
export function free(frame: Frame | undefined): void {
  (frame as { transfer?(length: number): void } | undefined)?.transfer?.(0);
}

/** Reads messages that this end has written, with copies of their bytes in them. */
export function readSaid(said: Said): unknown[][] {
  return readAnyFrame(frameOf([said])) ?? [];
}

/**
 * Puts bytes into the messages that refer to them.
 *
 * @param take - returns the next `length` bytes of the frame
 * @param size - how many bytes the frame has
 * @returns the messages, without those that contain lengths; `undefined` for impossible lengths
 */
function placed(
  messages: unknown[][],
  take: (length: number) => ArrayBuffer,
  size: number,
): unknown[][] | undefined {
  let rest = size;
  let buffers: ArrayBuffer[] | undefined;
  const others: unknown[][] = [];
  for (const message of messages) {
    if (message[0] === 'bytes' && message.length > 1) {
      if (buffers) return undefined;
      buffers = [];
      for (const length of message.slice(1)) {
        if (!isLength(length) || length > rest) return undefined;
        rest -= length;
        buffers.push(take(length));
      }
    } else {
      for (const item of buffers ? itemsOf(message) : []) {
        const [name, index] = item;
        // An invalid index becomes `undefined`. The decoder rejects it together with the value.
        if (name === BYTES) item[1] = typeof index === 'number' ? buffers?.[index] : undefined;
      }
      buffers = undefined;
      others.push(message);
    }
  }
  return buffers ? undefined : others;
}

function isLength(length: unknown): length is number {
  return Number.isSafeInteger(length) && (length as number) > MAX_IN_TEXT;
}

/** The references and bytes in the list at the end of a message, if it has such a list. */
export function itemsOf(message: unknown[]): unknown[][] {
  const list = message.at(-1);
  if (!FORMS.has(message.at(-2)) || !Array.isArray(list)) return [];
  return list.slice(1).filter(Array.isArray);
}

/** A copy of the bytes that a reference in a written message refers to. */
export function bytesBehind([, index]: Reference, said: Said): ArrayBuffer | undefined {
  return said instanceof Packet ? said.buffers[Number(index)]?.slice().buffer : undefined;
}
