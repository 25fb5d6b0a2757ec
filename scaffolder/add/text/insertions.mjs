/** Inserts text into files, and leaves all other bytes unchanged. */
import { withLineEnds } from './file-text.mjs';

/** @typedef {{ at: number, text: string, end?: number }} Insertion - `end` is that of the text that it replaces */

/**
 * The items between two brackets.
 *
 * @typedef {object} List
 * @property {number} start - position of the opening bracket
 * @property {number} end - position after the closing bracket
 * @property {{ start: number, end: number }[]} items
 */

/** A list that is all of a line, but for its key, gets a line for each item if it would be wider than this. */
const WIDTH = 100;

/** Each pattern matches a whole comment. */
const COMMENTS = { json: /\/\/.*|\/\*[^]*?\*\//y, toml: /#.*/y };

/** A byte order mark at the beginning, in a text as `readText` returns it. */
const MARK = /^\u00EF\u00BB\u00BF/;

/**
 * @param {string} text
 * @returns {string} the text with blanks in place of its byte order mark, so that positions stay the same
 */
export function withoutMark(text) {
  return text.replace(MARK, '   ');
}

/**
 * @param {string} text
 * @returns {number} the position after the byte order mark; 0 if there is none
 */
export function afterMark(text) {
  return MARK.exec(text)?.[0].length ?? 0;
}

/**
 * @param {string} text
 * @param {Insertion[]} insertions - insertions at the same position keep their order
 * @returns {string} the new text; inserted lines get the line ends of the text
 */
export function insertInto(text, insertions) {
  const pieces = insertions.toSorted((a, b) => a.at - b.at);
  let [result, from] = ['', 0];
  for (const { at, text: inserted, end = at } of pieces) {
    result += text.slice(from, at) + withLineEnds(inserted, text);
    from = end;
  }
  return result + text.slice(from);
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
 * Adds an item after the last one, with commas, lines and indentation as in the rest of the list. A
 * comment stays with the item before it.
 *
 * @param {string} text
 * @param {List} list
 * @param {'json' | 'toml'} language
 * @param {(indentation: string, isOneLine: boolean) => string} render
 * @returns {Insertion[]}
 */
export function addToList(text, list, language, render) {
  const close = list.end - 1;
  const [first] = list.items;
  const last = list.items.at(-1);
  const outer = indentationAt(text, close);
  if (!first || !last) return addToEmptyList(text, list, outer, render);
  const { comma, lineEnd } = whatFollows(text, last.end, close, language);
  const behind = comma === undefined ? last.end : comma + 1;
  if (!text.slice(list.start, first.start).includes('\n')) {
    const item = render(outer, true);
    const spread = spreadList(text, list, item);
    if (spread) return spread;
    return [{ at: behind, text: comma === undefined ? `, ${item}` : ` ${item},` }];
  }
  const indentation = indentationAt(text, last.start);
  const item = `\n${indentation}${render(indentation, false)}`;
  if (comma !== undefined) return [{ at: lineEnd, text: `${item},` }];
  return [
    { at: last.end, text: ',' },
    { at: lineEnd, text: item },
  ];
}

/**
 * @param {string} text
 * @param {List} list - on one line
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
 * @param {string} outer
 * @param {(indentation: string, isOneLine: boolean) => string} render
 * @returns {Insertion[]}
 */
function addToEmptyList(text, { start, end }, outer, render) {
  const close = end - 1;
  const indentation = outer + indentationOf(text);
  // The list may contain comments. They stay above the item.
  const line = text.lastIndexOf('\n', close) + 1;
  if (line > start) return [{ at: line, text: `${indentation}${render(indentation, false)}\n` }];
  return [{ at: close, text: `\n${indentation}${render(indentation, false)}\n${outer}` }];
}

/**
 * @param {string} text
 * @param {number} from - position after the last item
 * @param {number} close - position of the closing bracket
 * @param {'json' | 'toml'} language
 * @returns {{ comma: number | undefined, lineEnd: number }} the position of the trailing comma, and the
 *   end of the comma and the comments on the item's line
 */
function whatFollows(text, from, close, language) {
  const comment = COMMENTS[language];
  /** @type {number | undefined} */
  let comma;
  let lineEnd = from;
  let isSameLine = true;
  for (let at = from; at < close; at++) {
    comment.lastIndex = at;
    const [found] = comment.exec(text) ?? [];
    if (text[at] === '\n') isSameLine = false;
    if (text[at] === ',') comma = at;
    if (found) at += found.length - 1;
    // The next item goes after the comma, even if the comma is on a line of its own.
    if (found ? isSameLine : text[at] === ',') lineEnd = at + 1;
  }
  return { comma, lineEnd };
}
