/**
 * Converts bytes to Base64 text and back. It uses the fastest means that the runtime has: the methods of
 * Uint8Array (browsers since 2025, Node since version 25), Node's Buffer, or `btoa` and `atob`.
 */

interface WithBase64 {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

/** The global object. Its `Buffer` is looked up at each use, since a program can add one later. */
const global = globalThis as { Buffer?: NodeBuffer };

interface NodeBuffer {
  from(bytes: ArrayBuffer): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>;
}

export function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer) as Uint8Array & { toBase64?(): string };
  return (
    bytes.toBase64?.() ??
    global.Buffer?.from(buffer).toString('base64') ??
    btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  );
}

/** @throws when the text is not Base64, except with Node's Buffer, which ignores other characters */
export function fromBase64(text: string): ArrayBuffer {
  const bytes =
    (Uint8Array as WithBase64).fromBase64?.(text) ??
    // The copy is for Node, whose small buffers are parts of a larger buffer.
    new Uint8Array(
      global.Buffer?.from(text, 'base64') ?? Array.from(atob(text), (one) => one.charCodeAt(0)),
    );
  return bytes.buffer;
}
