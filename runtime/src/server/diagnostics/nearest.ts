/** Finds the word that a misspelled word probably means. */

/**
 * Returns the known word that was probably meant. It contains the given word, or differs from it in one place by at most
 * half of the word's letters. Upper and lower case count as equal. The time is linear, because a client can send any
 * word.
 *
 * @returns `undefined` if no known word is similar
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  let found: string | undefined;
  let least = Math.floor(word.length / 2) + 1;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    if (lower.length > 1 && other.includes(lower)) return candidate;
    const letters = difference(lower, other);
    if (letters < least) [found, least] = [candidate, letters];
  }
  return found;
}

/** Returns the length of the part in which two words differ, without their common beginning and end. */
function difference(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end;
}
