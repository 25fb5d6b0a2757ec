/**
 * Bytes beside the text. Of a buffer with more than 1 024 bytes only a reference stands in a message,
 * `["Bytes", k]`, and right before the message stands what tells the lengths of its buffers:
 * `["bytes", length, …]`, in which k is an index. Such a frame is binary: its text, a byte 0, which JSON
 * never holds, and then all bytes in the order in which they were told.
 *
 *     up     [["bytes"],["bytes",2000],[1,"store","rich",[[[[1]]],["Bytes",0]]]] 0 ⟨2 000 bytes⟩
 *     down   [[1]]
 *
 * A client that reads such frames says `["bytes"]`, once for each connection and in each POST. Who has not
 * said it gets all bytes as text. Imports messages and rich-encoder.
 */
import { type Frame, type LengthsMessage, readFrame } from './messages.ts';
import type { Reference, ReferenceOf } from './rich-encoder.ts';

/** The name of a reference to bytes beside the text. */
export const BYTES = 'Bytes';

/** Says that its client reads binary frames. */
export const READS_BYTES = '["bytes"]';

/** What stands in the text: shorter buffers cost more as bytes beside it than they save. */
export const MAX_IN_TEXT = 1_024;

/** The names under which a message ends with a list that may refer to bytes. */
const FORMS = new Set<unknown>(['rich', 'error']);

/** Its types want `ignoreBOM` too, which is false anyway. */
const decoder = /* @__PURE__ */ new TextDecoder(undefined, { fatal: true } as never);

/** One message, or several with commas between them. */
export type Said = string | Packet;

/** Messages with bytes beside them, which are copied once: to where they leave from. */
export class Packet {
  readonly text: string;
  /** The frame of these messages alone. */
  readonly frame: ArrayBuffer;
  /** Parts of it, in the order in which the text tells their lengths. */
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];

  constructor(text: string, buffers: readonly Uint8Array[]) {
    this.text = text;
    const head = new TextEncoder().encode(`[${text}]\0`);
    const all = concatenated([head, ...buffers]);
    this.frame = all.buffer;
    let start = head.length;
    this.buffers = buffers.map(({ length }) => all.subarray(start, (start += length)));
  }

  /** What it takes of a frame. */
  get length(): number {
    return this.buffers.reduce((sum, { length }) => sum + length, this.text.length);
  }

  toString(): string {
    return this.text;
  }
}

/** The bytes of several, one after the other. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    all.set(part, start);
    start += part.length;
  }
  return all;
}

/** The bytes beside messages, in their order. */
function buffersOf(messages: readonly Said[]): Uint8Array[] {
  return messages.flatMap((said) => (said instanceof Packet ? said.buffers : []));
}

/** Several, with commas between them. */
export function joined(messages: readonly Said[]): Said {
  const [first] = messages;
  if (first !== undefined && messages.length === 1) return first;
  const buffers = buffersOf(messages);
  return buffers.length > 0 ? new Packet(messages.join(), buffers) : messages.join();
}

/** The frame of messages. */
export function frameOf(messages: readonly Said[]): Frame {
  const all = joined(messages);
  return typeof all === 'string' ? `[${all}]` : all.frame;
}

/** What is left of a message, or of the end of one, when bytes are taken out of it; and the bytes. */
export interface Taken {
  text: string;
  buffers: readonly Uint8Array[];
}

/** Writes a message. */
export type Write = (
  encode: (referenceOf?: ReferenceOf) => string,
  referenceOf?: ReferenceOf,
) => Said;

/** Writes a message whose bytes go beside its text. What is changed later is not in it. */
export const writeWithBytes: Write = (encode, referenceOf) =>
  packed(takeBytes(encode, referenceOf));

/**
 * Writes a message, or the end of one, and takes the bytes out of it.
 *
 * @param encode - writes the text
 * @param referenceOf - says what else in it is a reference
 * @returns with the bytes where they are
 */
export function takeBytes(...[encode, referenceOf]: Parameters<Write>): Taken {
  const buffers: Uint8Array[] = [];
  const text = encode((value) => {
    const isLong = value instanceof ArrayBuffer && value.byteLength > MAX_IN_TEXT;
    return isLong ? [BYTES, buffers.push(new Uint8Array(value)) - 1] : referenceOf?.(value);
  });
  return { text, buffers };
}

/** One message, with the buffers that it refers to. */
export function packed({ text, buffers }: Taken): Said {
  if (buffers.length === 0) return text;
  const lengths: LengthsMessage = ['bytes', ...buffers.map(({ length }) => length)];
  return new Packet(`${JSON.stringify(lengths)},${text}`, buffers);
}

/** A frame's text, and where its bytes begin; nothing for what is no frame. */
export function partsOf(frame: ArrayBuffer): { text: string; start: number } | undefined {
  const bytes = new Uint8Array(frame);
  const end = bytes.indexOf(0);
  if (end < 0) return undefined;
  try {
    return { text: decoder.decode(bytes.subarray(0, end)), start: end + 1 };
  } catch {
    // It is not UTF-8.
    return undefined;
  }
}

/**
 * @param check - told the size of a binary frame, in characters and bytes; may throw
 * @returns the messages of a frame with their bytes in them; nothing for what is no frame
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
    // A copy, and the fastest: a value has its bytes for itself.
    const { buffer } = new Uint8Array(new Uint8Array(frame, start, length));
    start += length;
    return buffer;
  };
  const read = placed(messages, take, frame.byteLength - start);
  return start === frame.byteLength ? read : undefined;
}

/** Frees the memory of a binary frame, where the runtime can do so before garbage is collected. */
export function free(frame: Frame | undefined): void {
  (frame as { transfer?(length: number): void } | undefined)?.transfer?.(0);
}

/** The messages of what was written, with copies of their bytes in them. */
export function readSaid(said: Said): unknown[][] {
  return readAnyFrame(frameOf([said])) ?? [];
}

/**
 * Puts bytes into messages.
 *
 * @param take - gives so many of the bytes that follow
 * @param size - how many bytes there are
 * @returns the messages without those that tell lengths; nothing if the lengths cannot be
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
        // What is no index of one gives nothing, which is refused with the value.
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

/** The items of the list that a message ends with, if that may refer to bytes. */
export function itemsOf(message: unknown[]): unknown[][] {
  const list = message.at(-1);
  if (!FORMS.has(message.at(-2)) || !Array.isArray(list)) return [];
  return list.slice(1).filter(Array.isArray);
}

/** A copy of the bytes that a reference in one's own message stands for. */
export function bytesBehind([, index]: Reference, said: Said): ArrayBuffer | undefined {
  return said instanceof Packet ? said.buffers[Number(index)]?.slice().buffer : undefined;
}
