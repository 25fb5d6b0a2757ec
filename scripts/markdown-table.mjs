/** Formats tables in Markdown, so that the formatter does not change them. */

/**
 * @param {string[][]} rows - the first is the head
 * @returns {string}
 */
export function markdownTable([head = [], ...body]) {
  const rows = [head, ...body];
  const widths = head.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
