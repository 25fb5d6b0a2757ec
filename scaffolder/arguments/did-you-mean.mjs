/** Finds the word that was meant by a mistyped one. */

const MOST_ERRORS = 2;

/**
 * @param {string} word
 * @param {readonly string[]} candidates
 * @returns {string | undefined} undefined if no candidate is similar
 */
export function similarTo(word, candidates) {
  const begun = candidates.find((candidate) => word.length > 3 && candidate.startsWith(word));
  const close = candidates
    .map((candidate) => ({ candidate, errors: typingErrors(word, candidate) }))
    .filter(
      ({ candidate, errors }) =>
        errors <= MOST_ERRORS && errors < candidate.replace('--', '').length / 2,
    )
    .toSorted((a, b) => a.errors - b.errors);
  return begun ?? close[0]?.candidate;
}

/**
 * Counts the letters that were added, left out, replaced, or swapped with the next.
 *
 * @param {string} typed
 * @param {string} meant
 * @param {number} [allowed] - most errors to count
 * @returns {number} Infinity if there are more
 */
function typingErrors(typed, meant, allowed = MOST_ERRORS) {
  if (allowed < 0) return Infinity;
  if (!typed || !meant) return typed.length + meant.length;
  const [a, b] = [typed.slice(1), meant.slice(1)];
  if (typed[0] === meant[0]) return typingErrors(a, b, allowed);
  const left = allowed - 1;
  const others = [
    typingErrors(a, meant, left),
    typingErrors(typed, b, left),
    typingErrors(a, b, left),
  ];
  const swapped = typed[0] === meant[1] && typed[1] === meant[0];
  if (swapped) others.push(typingErrors(a.slice(1), b.slice(1), left));
  return 1 + Math.min(...others);
}
