/** Checks of the parts of a value while it is decoded. */

/** Throws a TypeError. `decodeRich` replaces it with an `RpcError` whose cause it is. */
export function malformed(): never {
  throw new TypeError();
}

export function requireText(part: unknown): string {
  return typeof part === 'string' ? part : malformed();
}

export function requireNumber(part: unknown): number {
  return typeof part === 'number' ? part : malformed();
}

/** @param act - called with each part at an even index, and the part after it */
export function forEachPair<Part>(parts: Part[], act: (key: Part, value: Part) => void): void {
  if (parts.length % 2) malformed();
  for (let index = 0; index < parts.length; index += 2) {
    act(parts[index] as Part, parts[index + 1] as Part);
  }
}

/**
 * Requires that an object contains its properties itself. A string, or a reference to an earlier object,
 * would let a short message create very many properties.
 *
 * @param part - the part as parsed from JSON, before it is decoded
 */
export function requireObject(part: unknown): void {
  if (typeof part !== 'object' || Array.isArray(part)) malformed();
}
