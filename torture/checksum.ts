/** Tells whether bytes arrived as they left; the worker and the clients ask it. Imports nothing. */

/** FNV-1a, 32 bits. */
export function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
