/** Node's small buffers share a pool with others. Only their own bytes may be sent. */
import { expect, test } from 'vitest';
import { decodeAnswer, encodeResult } from '../../src/wire/messages.ts';

test.each([
  ['a Buffer of one byte', () => Buffer.from('a')],
  ['a Buffer of Base64', () => Buffer.from('YQ==', 'base64')],
  [
    'a part of a large Buffer',
    () => Buffer.alloc(1_000_000, 'secret').fill('a', 500, 501).subarray(500, 501),
  ],
])('%s', (_, make) => {
  const text = encodeResult(1, make());
  expect(text).toBe('[1,"rich",[["Uint8Array",[1],0,1],["ArrayBuffer","YQ=="]]]');
  expect(decodeAnswer(JSON.parse(text))).toEqual({ result: Uint8Array.of(97) });
});
