/**
 * Bytes as text, by what the runtime has for it: the methods of Uint8Array, which browsers have since
 * 2025 and Node since version 25, or Node's Buffer. Imports nothing.
 */

interface NodeBuffer {
  from(bytes: ArrayBuffer): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>;
}

const { Buffer } = globalThis as unknown as { Buffer: NodeBuffer };
const Bytes = Uint8Array as unknown as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };

export function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer) as { toBase64?(): string };
  return bytes.toBase64?.() ?? Buffer.from(buffer).toString('base64');
}

/** @throws when the text is not Base64 */
export function fromBase64(text: string): ArrayBuffer {
  const bytes = Bytes.fromBase64?.(text) ?? Buffer.from(text, 'base64');
  const { buffer } = bytes;
  // Node's small buffers are parts of larger ones.
  return buffer.byteLength === bytes.length ? buffer : new Uint8Array(bytes).buffer;
}
