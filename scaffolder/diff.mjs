/**
 * Unified diffs, applied by their text alone: wherever the lines are that a hunk takes away, which the
 * file must have exactly once. So a hunk survives what changes elsewhere in the file, and fails when what
 * it changes has changed.
 */

/**
 * @typedef {object} Hunk
 * @property {string} before - whole lines
 * @property {string} after
 */

/**
 * @param {string} diff - without prefixes before the paths
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
 * @param {string} path - for the error
 * @returns {string}
 */
export function applyHunk(text, { before, after }, path) {
  const [start = '', end, more] = `\n${text}`.split(`\n${before}`);
  if (end === undefined || more !== undefined) {
    throw new Error(`${path} does not have these lines once:\n${before}`);
  }
  return `${start}\n${after}${end}`.slice(1);
}
