/**
 * Applies unified diffs by their text, without line numbers. The file must contain the old lines of a
 * hunk exactly once. So a hunk still applies after changes elsewhere in the file, and fails if the lines
 * that it replaces have changed.
 */

/**
 * @typedef {object} Hunk
 * @property {string} before - whole lines, with their context
 * @property {string} after
 */

/**
 * @param {string} diff - a diff, whose paths have no prefix such as `a/`
 * @returns {(Hunk & { path: string })[]}
 */
export function hunksOf(diff) {
  /** @type {ReturnType<typeof hunksOf>} */
  const hunks = [];
  let path = '';
  for (const line of diff.split(/(?<=\n)/)) {
    const [kind, text] = [line[0], line.slice(1)];
    const hunk = hunks.at(-1);
    if (line.startsWith('--- ')) continue;
    if (line.startsWith('+++ ')) path = line.slice(4).trim();
    else if (line.startsWith('@@')) hunks.push({ path, before: '', after: '' });
    else if (hunk) {
      if (kind !== '+') hunk.before += text;
      if (kind !== '-') hunk.after += text;
    }
  }
  return hunks;
}

/**
 * @param {string} text
 * @param {Hunk} hunk
 * @param {string} path - the path of the file, for the error
 * @returns {string}
 */
export function applyHunk(text, { before, after }, path) {
  const [start = '', end, more] = `\n${text}`.split(`\n${before}`);
  if (end === undefined || more !== undefined) {
    throw new Error(`${path} must have these lines exactly once:\n${before}`);
  }
  return `${start}\n${after}${end}`.slice(1);
}
