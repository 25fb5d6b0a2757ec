/**
 * Bytes as text, by what the runtime has for it: the methods of Uint8Array, which browsers have since
 * 2025 and Node since version 25; or Node's Buffer; or what every browser has, which is slower.
 * Imports nothing.
 */

interface NodeBuffer {
  from(bytes: ArrayBuffer): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>;
}

const { Buffer } = globalThis as { Buffer?: NodeBuffer };
const Bytes = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };

/** How many bytes become text at once: as many as a function takes arguments, and a multiple of 3. */
const CHUNK = 3_072;

export function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer) as Uint8Array & { toBase64?(): string };
  let text = bytes.toBase64?.() ?? Buffer?.from(buffer).toString('base64');
  if (text !== undefined) return text;
  text = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const chunk = bytes.subarray(start, start + CHUNK) as unknown as number[];
    // Spreading the bytes instead takes six times as long.
    text += btoa(String.fromCharCode.apply(null, chunk));
  }
  return text;
}

/** @throws when the text is not Base64 */
export function fromBase64(text: string): ArrayBuffer {
  // Node's small buffers are parts of larger ones, and copied.
  let bytes = Bytes.fromBase64?.(text) ?? (Buffer && new Uint8Array(Buffer.from(text, 'base64')));
  if (!bytes) {
    const binary = atob(text);
    bytes = new Uint8Array(binary.length);
    // `Uint8Array.from` would take thirty times as long.
    for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  }
  return bytes.buffer;
}
