/** Compares Base64 with Node's Buffer, by each method that a runtime may lack. */
import { Buffer as NodeBuffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bytesOf, lengths } from './base64-cases.ts';

type Codec = typeof import('../../src/wire/values/base64.ts');

const methods = Uint8Array as unknown as Record<string, unknown>;
const prototype = Uint8Array.prototype as unknown as Record<string, unknown>;

/** Adds the methods of Uint8Array from the standard, implemented by Node's Buffer. */
function giveMethods(): void {
  prototype['toBase64'] = function (this: Uint8Array) {
    return NodeBuffer.from(this).toString('base64');
  };
  methods['fromBase64'] = (text: string) => new Uint8Array(NodeBuffer.from(text, 'base64'));
}

const { toBase64 } = prototype;
const { fromBase64 } = methods;

/** Sets or deletes a property. */
function restore(object: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

afterEach(() => {
  vi.unstubAllGlobals();
  restore(prototype, 'toBase64', toBase64);
  restore(methods, 'fromBase64', fromBase64);
});

describe.each([
  { runtime: 'the methods of Uint8Array', hasMethods: true, hasBuffer: false },
  { runtime: 'Buffer', hasMethods: false, hasBuffer: true },
  { runtime: 'neither', hasMethods: false, hasBuffer: false },
])('by $runtime', ({ hasMethods, hasBuffer }) => {
  let codec: Codec;

  beforeEach(async () => {
    if (hasMethods) giveMethods();
    else {
      delete prototype['toBase64'];
      delete methods['fromBase64'];
    }
    if (!hasBuffer) vi.stubGlobal('Buffer', undefined);
    vi.resetModules();
    codec = await import('../../src/wire/values/base64.ts');
  });

  test.each(lengths)('%i bytes', (length) => {
    const bytes = bytesOf(length);
    const text = codec.toBase64(bytes.buffer);
    expect(text).toBe(NodeBuffer.from(bytes).toString('base64'));
    expect(new Uint8Array(codec.fromBase64(text))).toEqual(bytes);
  });

  test('ten million bytes', () => {
    const bytes = bytesOf(10_000_000);
    const text = codec.toBase64(bytes.buffer);
    expect(text.length).toBe(13_333_336);
    expect(NodeBuffer.from(codec.fromBase64(text)).equals(bytes)).toBe(true);
  });
});
