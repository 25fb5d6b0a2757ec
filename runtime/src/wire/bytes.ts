/**
 * Bytes after the text of a frame. For a buffer of more than 1 024 bytes, a message contains only a reference,
 * `["Bytes", k]`. The message right before it has the lengths of its buffers: `["bytes", length, …]`, where k is an
 * index. Such a frame is binary: its text, a zero byte, which JSON never contains, then all bytes in the order of
 * their lengths.
 *
 *     up     [["bytes"],["bytes",2000],[1,"store","rich",[[[[1]]],["Bytes",0]]]] 0 ⟨2 000 bytes⟩
 *     down   [[1]]
 *
 * A client that reads such frames sends `["bytes"]`, at the beginning of each connection and in each POST. An object
 * that reads such frames answers with the same message; any other object answers with an error. Before that answer, a
 * client sends all bytes as Base64. A peer that has not sent `["bytes"]` also receives all bytes as Base64.
 */
import { fromBase64, toBase64 } from './values/base64.ts';
import { type Frame, type LengthsMessage, parseFrame, RICH } from './messages.ts';
import {
  type Encode,
  type Packet,
  type EncodedMessage,
  type TextAndBuffers,
  type Write,
} from './encoded-message.ts';
import { concatenated, isBuffer } from './pieces.ts';
import type { Reference, ReferenceOf } from './values/rich-encoder.ts';

/** The name of a reference to bytes after the text. */
export const BYTES = 'Bytes';

/** The message by which a peer says that it reads binary frames. */
export const READS_BYTES = '["bytes"]';

/**
 * The size in bytes up to which a buffer stays in the text. A small buffer after the text would cost more than it
 * saves.
 */
const MAX_IN_TEXT = 1_024;

/** The names before a list that can refer to bytes, at the end of a message. */
const FORMS = new Set<unknown>([RICH, 'error']);

/**
 * The decoder is created at the first binary frame, because some environments that import the client lack the class.
 */
let decoder: TextDecoder | undefined;

/** Messages and their bytes, copied into one frame that can be sent as it is. */
class BytesPacket implements Packet {
  readonly text: string;
  readonly frame: ArrayBuffer;
  /** Parts of the frame. */
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];

  constructor(text: string, buffers: readonly Uint8Array[]) {
    this.text = text;
    const head = new TextEncoder().encode(`[${text}]\0`);
    const all = concatenated([head, ...buffers]);
    this.frame = all.buffer;
    let start = head.length;
    this.buffers = buffers.map(({ length }) => all.subarray(start, (start += length)));
  }

  get length(): number {
    return this.buffers.reduce((sum, { length }) => sum + length, this.text.length);
  }

  toString(): string {
    return this.text;
  }

  join(messages: readonly EncodedMessage[]): Packet {
    const buffers = messages.flatMap((message) =>
      typeof message === 'string' ? [] : message.buffers,
    );
    return new BytesPacket(messages.join(), buffers);
  }

  read(): unknown[][] {
    return readAnyFrame(this.frame) ?? [];
  }

  withBase64(): string {
    const messages = this.read();
    for (const item of messages.flatMap(itemsOf)) {
      const [, bytes] = item;
      if (item[0] === BYTES) item.splice(0, 2, 'ArrayBuffer', toBase64(bytes as ArrayBuffer));
    }
    return JSON.stringify(messages).slice(1, -1);
  }
}

/** Writes a message with its bytes after the text. The bytes are copied, so later changes are not sent. */
export const writeWithBytes: Write = (encode, referenceOf) =>
  packMessage(splitBuffers(encode, referenceOf));

/**
 * Writes a message, or the end of a message, without its large buffers.
 *
 * @param encode - returns the text
 * @param referenceOf - returns the references to send for other values
 * @returns the text, and views of the original buffers, without a copy
 */
export function splitBuffers(encode: Encode, referenceOf?: ReferenceOf): TextAndBuffers {
  const buffers: Uint8Array[] = [];
  const text = encode((value) => {
    const isLong = isBuffer(value) && value.byteLength > MAX_IN_TEXT;
    return isLong ? [BYTES, buffers.push(new Uint8Array(value)) - 1] : referenceOf?.(value);
  });
  return { text, buffers };
}

/** Joins a message and the buffers that it refers to. */
export function packMessage({ text, buffers }: TextAndBuffers): EncodedMessage {
  if (buffers.length === 0) return text;
  const lengths: LengthsMessage = ['bytes', ...buffers.map(({ length }) => length)];
  return new BytesPacket(`${JSON.stringify(lengths)},${text}`, buffers);
}

/** Returns the text of a frame, and the index of the first byte after the text; `undefined` for a malformed frame. */
export function splitFrame(frame: ArrayBuffer): { text: string; start: number } | undefined {
  const bytes = new Uint8Array(frame);
  const end = bytes.indexOf(0);
  if (end < 0) return undefined;
  // The type of the options also requires `ignoreBOM`, which is false by default.
  decoder ??= new TextDecoder(undefined, { fatal: true } as never);
  try {
    return { text: decoder.decode(bytes.subarray(0, end)), start: end + 1 };
  } catch {
    // The text is not UTF-8.
    return undefined;
  }
}

/**
 * @param check - called with the size of a binary frame, which is the characters of text plus the bytes; may throw
 * @param parse - the object's own `parseFrame`
 * @returns the messages of a frame, with their bytes in them; `undefined` for a malformed frame
 */
export function readAnyFrame(
  frame: Frame,
  check?: (size: number) => void,
  parse = parseFrame,
): unknown[][] | undefined {
  if (typeof frame === 'string' || !isBuffer(frame)) return parse(frame);
  const parts = splitFrame(frame);
  if (!parts) return undefined;
  let { start } = parts;
  check?.(parts.text.length + frame.byteLength - start);
  const messages = parse(parts.text);
  if (!messages) return undefined;
  const take = (length: number): ArrayBuffer => {
    // The bytes are copied, since each value owns its bytes. No other way to copy is faster.
    const { buffer } = new Uint8Array(new Uint8Array(frame, start, length));
    start += length;
    return buffer;
  };
  const read = placed(messages, take, frame.byteLength - start);
  return start === frame.byteLength ? read : undefined;
}

/** Reads a frame like `readAnyFrame`, and frees its memory: the messages have copies of all bytes. */
export function readAndFree(
  frame: Frame,
  check?: (size: number) => void,
  parse = parseFrame,
): unknown[][] | undefined {
  const messages = readAnyFrame(frame, check, parse);
  if (messages) freeFrame(frame);
  return messages;
}

/** Frees the memory of a binary frame before the garbage collector does, if the runtime can. */
export function freeFrame(frame: Frame | undefined): void {
  (frame as { transfer?(length: number): void } | undefined)?.transfer?.(0);
}

/**
 * Puts bytes into the messages that refer to them.
 *
 * @param take - returns the next `length` bytes of the frame
 * @param size - the number of bytes of the frame
 * @returns the messages, without the messages that contain lengths; `undefined` for impossible lengths
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

/** Returns the references and bytes in the list at the end of a message, if it has such a list. */
function itemsOf(message: unknown[]): unknown[][] {
  const list = message.at(-1);
  if (!FORMS.has(message.at(-2)) || !Array.isArray(list)) return [];
  return list.slice(1).filter(Array.isArray);
}

/** Returns a copy of the bytes that a reference in a written message refers to. */
export function bufferOf([, index]: Reference, message: EncodedMessage): ArrayBuffer | undefined {
  if (typeof message === 'string') return undefined;
  return message.buffers[Number(index)]?.slice().buffer as ArrayBuffer | undefined;
}

/** Returns the same message, with its large buffers after the text instead of Base64 in it. */
export function withBytes(text: string): EncodedMessage {
  // A message without large buffers needs no parsing.
  if (text.length <= MAX_IN_TEXT || !text.includes('["ArrayBuffer","')) return text;
  const message = JSON.parse(text) as unknown[];
  const buffers: Uint8Array[] = [];
  for (const item of itemsOf(message)) {
    const [name, bytes] = item as [unknown, string];
    if (name !== 'ArrayBuffer' || bytes.length <= MAX_IN_TEXT) continue;
    const buffer = new Uint8Array(fromBase64(bytes));
    if (buffer.length > MAX_IN_TEXT) item.splice(0, 2, BYTES, buffers.push(buffer) - 1);
  }
  return packMessage({ text: buffers.length > 0 ? JSON.stringify(message) : text, buffers });
}

/** Matches the lengths at the beginning of a message. */
const LENGTHS = /^\["bytes",([\d,]+)\],/;

/**
 * Returns a message that was stored as its text and its bytes.
 *
 * @param all - the bytes of several messages, one after the other
 * @param start - the index at which the bytes of this message begin
 */
export function restoreMessage(text: string, all: ArrayBuffer, start: number): Packet {
  let next = start;
  const lengths = LENGTHS.exec(text)?.[1] ?? '';
  const buffers = lengths.split(',').map((length) => {
    const buffer = new Uint8Array(all, next, Number(length));
    next += buffer.length;
    return buffer;
  });
  return new BytesPacket(text, buffers);
}
