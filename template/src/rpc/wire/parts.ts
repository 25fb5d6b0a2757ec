/** What the parts of a value may be, for whoever puts it together. Imports nothing. */

/**
 * Whoever decodes says which value it was.
 *
 * @param problem - left out where it would help no honest peer
 */
export function malformed(problem?: string): never {
  throw new TypeError(problem);
}

export function text(part: unknown): string {
  return typeof part === 'string' ? part : malformed();
}

export function number(part: unknown): number {
  return typeof part === 'number' ? part : malformed();
}

export function pairs<Part>(parts: Part[]): [Part, Part][] {
  if (parts.length % 2) malformed();
  return parts.flatMap((part, index) => (index % 2 ? [] : [[part, parts[index + 1] as Part]]));
}

/** `__proto__` as a key would change the class of whatever an object is copied into. */
export function safeKey(key: unknown): string {
  return key === '__proto__' ? malformed() : text(key);
}
