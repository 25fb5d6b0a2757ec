/**
 * Creates messages in which one element, at any depth, is left out or replaced by a value of each
 * other type.
 */

/** A message, or an element of a message, as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The values that replace an element. */
const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  'text',
  '1',
  '-1',
  '__proto__',
  '1000000000',
  [],
  [[]],
  [1],
  [-1],
  ['text', [['text']]],
  {},
  { length: 1_000_000_000 },
  // This object cannot become a text or a number, so a comparison with a text or a number throws.
  { toString: 1, valueOf: 1 },
  { byteLength: { toString: 1, valueOf: 1 } },
];

/**
 * Returns all messages with one element replaced or left out, as JSON. The message itself comes
 * first.
 */
export function replacedIn(message: Json[]): string[] {
  return [message, ...withReplaced(message)].map((one) => JSON.stringify(one));
}

/** Yields copies of a value in which one element is replaced. */
function* withReplaced(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, element] of Object.entries(value)) {
    yield without(value, key);
    for (const other of [...VALUES, ...withReplaced(element)]) yield withElement(value, key, other);
  }
}

function withElement(value: object, key: string, element: Json): Json {
  const copy = structuredClone(value) as { [key: string]: Json };
  copy[key] = element;
  return copy;
}

function without(value: object, key: string): Json {
  const copy = structuredClone(value) as { [key: string]: Json };
  if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}
