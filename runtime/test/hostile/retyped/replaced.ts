/** Messages in which one element, at any depth, is replaced by a value of each other type, or left out. */

/** A message, or an element of one, as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What takes the place of an element. */
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
  // Cannot become a text or a number: to compare it with one throws.
  { toString: 1, valueOf: 1 },
  { byteLength: { toString: 1, valueOf: 1 } },
];

/** All messages that have one element replaced or left out, as JSON; the message itself is the first. */
export function replacedIn(message: Json[]): string[] {
  return [message, ...withReplaced(message)].map((one) => JSON.stringify(one));
}

/** A value whose elements are replaced, one at a time. */
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
