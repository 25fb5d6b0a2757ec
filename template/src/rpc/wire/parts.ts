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

/** @param act - told each part with an even index, and the one after it */
export function forPairs<Part>(parts: Part[], act: (key: Part, value: Part) => void): void {
  if (parts.length % 2) malformed();
  for (let index = 0; index < parts.length; index += 2) {
    act(parts[index] as Part, parts[index + 1] as Part);
  }
}

/**
 * Properties stand where they belong: of a text, or of an object that was met before, a short message could
 * have very many.
 *
 * @param part - as JSON has it, before its own parts are looked at
 */
export function checkProperties(part: unknown): void {
  if (typeof part !== 'object' || Array.isArray(part)) malformed();
}
