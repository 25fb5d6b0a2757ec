/** Bytes as text, by the fastest means that the runtime has. Imports nothing. */

/** What only some runtimes have. */
interface NodeBuffer {
  from(bytes: ArrayBuffer): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array;
}
const { Buffer } = globalThis as { Buffer?: NodeBuffer };
const Native = Uint8Array as typeof Uint8Array & { fromBase64?(text: string): Uint8Array };

/** As many arguments as a function call can safely take. */
const CHUNK = 0x8000;

export function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer) as Uint8Array & { toBase64?(): string };
  if (bytes.toBase64) return bytes.toBase64();
  if (Buffer) return Buffer.from(buffer).toString('base64');
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

/** @throws when the text is not Base64 */
export function fromBase64(text: string): ArrayBuffer {
  if (Native.fromBase64) return Native.fromBase64(text).buffer as ArrayBuffer;
  if (Buffer) return new Uint8Array(Buffer.from(text, 'base64')).buffer;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
}
