/** What the parts of a value may be, for whoever puts it together. Imports nothing. */

export function text(part: unknown): string {
  if (typeof part !== 'string') throw new TypeError('text was expected');
  return part;
}

export function number(part: unknown): number {
  if (typeof part !== 'number') throw new TypeError('a number was expected');
  return part;
}

export function pairs<Part>(parts: Part[]): [Part, Part][] {
  if (parts.length % 2) throw new TypeError('pairs were expected');
  return parts.flatMap((part, index) => (index % 2 ? [] : [[part, parts[index + 1] as Part]]));
}

/** `__proto__` as a key would change the class of whatever an object is copied into. */
export function safeKey(key: unknown): string {
  if (key === '__proto__') throw new TypeError('a property is named __proto__');
  return text(key);
}
