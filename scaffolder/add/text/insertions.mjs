/** Inserts text into files, and leaves all other bytes unchanged. */
import { applyEdits } from 'jsonc-parser';
import { withLineEnds } from './file-text.mjs';

/** @typedef {{ at: number, text: string, end?: number }} Insertion - `end` is the end of the text that is replaced */

/**
 * The items between two brackets.
 *
 * @typedef {object} List
 * @property {number} start - the position of the opening bracket
 * @property {number} end - the position after the closing bracket
 * @property {{ start: number, end: number }[]} items
 */

/** A list that has a line for itself and its key gets a line for each item, if it would be wider than this. */
const WIDTH = 100;

/** Comments of JSON, TypeScript and TOML. After the last item of a list, no other text looks like one. */
const COMMENT = /\/\/.*|\/\*[^]*?\*\/|#.*/g;

/**
 * @param {string} text
 * @param {Insertion[]} insertions - insertions at the same position keep their order
 * @returns {string} the new text; inserted lines get the line ends of the text
 */
export function insertInto(text, insertions) {
  const edits = insertions.map(({ at, text: inserted, end = at }) => {
    return { offset: at, length: end - at, content: withLineEnds(inserted, text) };
  });
  return applyEdits(text, edits);
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {string} the indentation of the line that contains the position
 */
export function indentationAt(text, at) {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/**
 * @param {string} text
 * @returns {string} one level of indentation
 */
export function indentationOf(text) {
  // A line with one space before it belongs to a block comment.
  const [, indentation = '  '] = /^(\t| {2,})\S/m.exec(text) ?? [];
  return indentation;
}

/**
 * Adds an item after the last item, with commas, lines and indentation as in the rest of the list. A
 * comment stays with the item before it.
 *
 * @param {string} text
 * @param {List} list
 * @param {(indentation: string, isOneLine: boolean) => string} render
 * @returns {Insertion[]}
 */
export function addToList(text, list, render) {
  const close = list.end - 1;
  const [first] = list.items;
  const last = list.items.at(-1);
  if (!first || !last) return addToEmptyList(text, list, render);
  const rest = text
    .slice(last.end, close)
    .replaceAll(COMMENT, (comment) => '#'.repeat(comment.length));
  // The trailing comma may be on a line of its own.
  const comma = rest.indexOf(',') + 1;
  const behind = last.end + comma;
  if (!text.slice(list.start, first.start).includes('\n')) {
    const item = render(indentationAt(text, close), true);
    return (
      spreadList(text, list, item) ?? [{ at: behind, text: comma ? ` ${item},` : `, ${item}` }]
    );
  }
  const [comments = ''] = /^.*#/.exec(rest.slice(comma)) ?? [];
  const lineEnd = behind + comments.length;
  const indentation = indentationAt(text, last.start);
  const item = `\n${indentation}${render(indentation, false)}`;
  if (comma) return [{ at: lineEnd, text: `${item},` }];
  return [
    { at: last.end, text: ',' },
    { at: lineEnd, text: item },
  ];
}

/**
 * @param {string} text
 * @param {List} list - a list on one line
 * @param {string} item
 * @returns {Insertion[] | undefined} all items on lines of their own; undefined if the list stays on its line
 */
function spreadList(text, { start, end, items }, item) {
  const [line = ''] = /.*/.exec(text.slice(text.lastIndexOf('\n', start) + 1)) ?? [];
  const list = text.slice(start, end);
  const [key = '', after = ''] = line.split(list);
  const isWhole = /^\s*["\w]+\s*[:=]\s*$/.test(key) && /^,?\s*$/.test(after);
  const isWide = line.length + item.length + 2 > WIDTH;
  // A comment stays where it is.
  if (!isWhole || !isWide || !/^\[(?!.*(?:\/[/*]|#))/.test(list)) return undefined;
  const outer = indentationAt(text, start);
  const next = `\n${outer}${indentationOf(text)}`;
  const all = [...items.map((one) => text.slice(one.start, one.end)), item].join(`,${next}`);
  const comma = /,\s*[\]}]/.test(text) ? ',' : '';
  return [{ at: start + 1, end: end - 1, text: `${next}${all}${comma}\n${outer}` }];
}

/**
 * @param {string} text
 * @param {List} list
 * @param {(indentation: string, isOneLine: boolean) => string} render
 * @returns {Insertion[]}
 */
function addToEmptyList(text, { start, end }, render) {
  const close = end - 1;
  const outer = indentationAt(text, close);
  const indentation = outer + indentationOf(text);
  // The list may contain comments. They stay above the item.
  const line = text.lastIndexOf('\n', close) + 1;
  if (line > start) return [{ at: line, text: `${indentation}${render(indentation, false)}\n` }];
  return [{ at: close, text: `\n${indentation}${render(indentation, false)}\n${outer}` }];
}
