/**
 * Converts messages between two forms: with bytes after the text, and with Base64 in the text. Imports
 * base64 and bytes.
 */
import { fromBase64, toBase64 } from './base64.ts';
import { BYTES, itemsOf, MAX_IN_TEXT, packed, readSaid, type Said } from './bytes.ts';

/** The same messages, with all bytes as Base64 in the text. */
export function withoutBytes(said: Said): string {
  if (typeof said === 'string') return said;
  const messages = readSaid(said);
  for (const item of messages.flatMap(itemsOf)) {
    const [, bytes] = item;
    if (item[0] === BYTES) item.splice(0, 2, 'ArrayBuffer', toBase64(bytes as ArrayBuffer));
  }
  return JSON.stringify(messages).slice(1, -1);
}

/** The same message, with its large buffers after the text. */
export function withBytes(text: string): Said {
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
  return buffers.length > 0 ? packed({ text: JSON.stringify(message), buffers }) : text;
}

/** Whether a message arrived with bytes after its text. */
export function hasBytes(message: unknown[]): boolean {
  return itemsOf(message).some(([name, bytes]) => name === BYTES && bytes instanceof ArrayBuffer);
}
