/** Finds the word or the path that the user meant by a mistyped word or path. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const MOST_ERRORS = 2;

/**
 * @param {string} word
 * @param {readonly string[]} candidates
 * @returns {string | undefined} undefined if no candidate is similar
 */
export function similarTo(word, candidates) {
  const typed = word.toLowerCase();
  const begun = candidates.find(
    (candidate) => word.length > 3 && candidate.toLowerCase().startsWith(typed),
  );
  const close = candidates
    .map((candidate) => ({ candidate, errors: typingErrors(typed, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, errors }) =>
        errors <= MOST_ERRORS && errors < candidate.replace('--', '').length / 2,
    )
    .toSorted((a, b) => a.errors - b.errors);
  return begun ?? close[0]?.candidate;
}

/**
 * @param {string} [meant]
 * @returns {string} a question for the end of a message; empty if nothing is known
 */
export function didYouMean(meant) {
  return meant ? ` Did you mean ${meant}?` : '';
}

/**
 * @param {string} path - the path of a file or folder that does not exist
 * @param {string} written - the path as the user wrote it
 * @returns {string | undefined} the path with the similar name of an existing file or folder
 */
export function similarPath(path, written) {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const meant = similarTo(basename(path), readdirSync(folder));
  return meant && written.slice(0, written.lastIndexOf(basename(written))) + meant;
}

/**
 * Counts the letters that were added, left out, replaced, or swapped with the next.
 *
 * @param {string} typed
 * @param {string} meant
 * @param {number} [allowed] - the maximum number of errors to count
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
