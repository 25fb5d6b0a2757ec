/**
 * Base64 in a page. Bundle it, load it, and call `wrongLengths` with lengths beyond those of the table. It returns the
 * lengths whose bytes are not equal after encoding and decoding.
 */
import { fromBase64, toBase64 } from '../../src/wire/values/base64.ts';
import { bytesOf, lengths } from '../wire/base64-cases.ts';

function wrongLengths(more: number[]): number[] {
  return [...lengths, ...more].filter((length) => {
    const bytes = bytesOf(length);
    const text = toBase64(bytes.buffer);
    const back = new Uint8Array(fromBase64(text));
    const isRight = text.length === Math.ceil(length / 3) * 4 && back.length === length;
    return !isRight || back.some((byte, index) => byte !== bytes[index]);
  });
}

Object.assign(globalThis, { wrongLengths });
