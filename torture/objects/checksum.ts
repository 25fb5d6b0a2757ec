/** A checksum for bytes, which the Worker and the clients compare. */

/** Returns the FNV-1a hash with 32 bits. */
export function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
