/** Bytes that Base64 has to encode correctly by any method of a runtime. */

/** The lengths around the size that is encoded at once, and a length with every byte. */
export const lengths = [0, 1, 2, 3, 4, 255, 256, 3_071, 3_072, 3_073, 6_144, 100_001];

export function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  // `Uint8Array.from` would take seconds for millions of bytes.
  for (let index = 0; index < length; index++) bytes[index] = index * 7 + (index >> 8);
  return bytes;
}
