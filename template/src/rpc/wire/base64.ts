/**
 * Converts bytes to Base64 text and back. It uses the fastest means that the runtime has: the methods of
 * Uint8Array (browsers since 2025, Node since version 25), Node's Buffer, or `btoa` and `atob`. Imports
 * nothing.
 */

interface NodeBuffer {
  from(bytes: ArrayBuffer): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>;
}

const { Buffer } = globalThis as { Buffer?: NodeBuffer };
const Bytes = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };

/** The bytes converted at once: few enough to be the arguments of one call, and a multiple of 3. */
const CHUNK = 3_072;

export function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer) as Uint8Array & { toBase64?(): string };
  let text = bytes.toBase64?.() ?? Buffer?.from(buffer).toString('base64');
  if (text !== undefined) return text;
  text = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const chunk = bytes.subarray(start, start + CHUNK) as unknown as number[];
    // Spread syntax instead of `apply` takes six times as long.
    text += btoa(String.fromCharCode.apply(null, chunk));
  }
  return text;
}

/** @throws when the text is not Base64, except with Node's Buffer, which ignores other characters */
export function fromBase64(text: string): ArrayBuffer {
  // The copy is for Node, whose small buffers are parts of a larger one.
  let bytes = Bytes.fromBase64?.(text) ?? (Buffer && new Uint8Array(Buffer.from(text, 'base64')));
  if (!bytes) {
    const binary = atob(text);
    bytes = new Uint8Array(binary.length);
    // `Uint8Array.from` takes thirty times as long.
    for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  }
  return bytes.buffer;
}
