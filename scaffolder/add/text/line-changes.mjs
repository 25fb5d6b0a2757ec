/**
 * Lists the lines that differ between two texts, for the user to read. If an addition has blank lines above and below,
 * the first counts as added, because it was written with the text below it.
 */

/**
 * @param {string} before
 * @param {string} after
 * @returns {string[]} removed lines with a minus before them, and added lines with a plus
 */
export function lineChanges(before, after) {
  const [a, b] = [before, after].map((text) => text.split(/\r?\n/));
  return a && b ? compare(a, b) : [];
}

/**
 * @param {string[]} a
 * @param {string[]} b
 */
function compare(a, b) {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  if (a[start - 1] === '') start -= 1;
  let same = 0;
  const most = Math.min(a.length, b.length) - start;
  while (same < most && a.at(-1 - same) === b.at(-1 - same)) same += 1;
  const [old, fresh] = [a, b].map((lines) => lines.slice(start, lines.length - same));
  return old && fresh ? longestCommon(old, fresh) : [];
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @returns {string[]}
 */
function longestCommon(a, b) {
  // lengths[i][j]: length of the longest common subsequence of a.slice(i) and b.slice(j).
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (/** @type {number} */ i, /** @type {number} */ j) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  /** @type {string[]} */
  const changes = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    if (isSame && (a[i] !== '' || at(i, j + 1) < at(i, j))) [i, j] = [i + 1, j + 1];
    else if (j < b.length && (i === a.length || at(i, j + 1) > at(i + 1, j))) {
      changes.push(`+ ${b[j]}`);
      j += 1;
    } else {
      changes.push(`- ${a[i]}`);
      i += 1;
    }
  }
  return changes;
}
