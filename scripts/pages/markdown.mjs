/** Writes tables, numbers and marked places of pages, in the form that the formatter makes. */

/**
 * @param {string[][]} rows - the first row is the head
 * @returns {string}
 */
export function markdownTable([head = [], ...body]) {
  const rows = [head, ...body];
  const widths = head.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/**
 * @param {number} count - an integer
 * @returns {string} the number with its digits in groups of three
 */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/**
 * Replaces the text between two comments: `<!-- name -->` and `<!-- /name -->`.
 *
 * @param {string} page
 * @param {string} name
 * @param {string} text
 * @returns {string} the page
 */
export function withPlace(page, name, text) {
  const place = new RegExp(`(?<=<!-- ${name} -->\n).*(?=<!-- /${name} -->)`, 's');
  if (!place.test(page)) throw new Error(`The page has no place for ${name}`);
  return page.replace(place, () => `\n${text}\n\n`);
}
