/** Bytes of which Base64 has to be right, by whatever a runtime has for it. */

/** Every length around what is written at once, and every byte. */
export const lengths = [0, 1, 2, 3, 4, 255, 256, 3_071, 3_072, 3_073, 6_144, 100_001];

export function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  // Not by `Uint8Array.from`, which takes seconds for millions.
  for (let index = 0; index < length; index++) bytes[index] = index * 7 + (index >> 8);
  return bytes;
}
