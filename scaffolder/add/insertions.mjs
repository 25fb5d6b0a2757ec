/** Texts that get something inserted and otherwise stay as they are, byte for byte. */
import { withLineEnds } from '../update/manifest.mjs';

/** @typedef {{ at: number, text: string }} Insertion */

/**
 * What stands between two brackets.
 *
 * @typedef {object} List
 * @property {number} start - of the opening bracket
 * @property {number} end - behind the closing bracket
 * @property {{ start: number, end: number }[]} items
 */

/** What a comment looks like: where it begins, and what it is up to its end. */
const COMMENTS = { json: /\/\/.*|\/\*[^]*?\*\//y, toml: /#.*/y };

/**
 * @param {string} text
 * @param {Insertion[]} insertions - those of one place in the order that they get
 * @returns {string} with the line ends of the text
 */
export function insertInto(text, insertions) {
  const pieces = insertions.toSorted((a, b) => a.at - b.at);
  let [result, from] = ['', 0];
  for (const { at, text: inserted } of pieces) {
    result += text.slice(from, at) + withLineEnds(inserted, text);
    from = at;
  }
  return result + text.slice(from);
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {string} what the line of that place begins with
 */
export function indentationAt(text, at) {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/**
 * @param {string} text
 * @returns {string} what one level is indented by
 */
export function indentationOf(text) {
  // One space is what the lines of a comment have.
  const [, indentation = '  '] = /^(\t| {2,})\S/m.exec(text) ?? [];
  return indentation;
}

/**
 * Adds an item behind the last one, with the commas, lines and indentation that the list has. A
 * comment stays with the item that it follows.
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
 * @param {List} list
 * @param {string} outer
 * @param {(indentation: string, isOneLine: boolean) => string} render
 * @returns {Insertion[]}
 */
function addToEmptyList(text, { start, end }, outer, render) {
  const close = end - 1;
  const indentation = outer + indentationOf(text);
  // There may be comments in it, which stay above.
  const line = text.lastIndexOf('\n', close) + 1;
  if (line > start) return [{ at: line, text: `${indentation}${render(indentation, false)}\n` }];
  return [{ at: close, text: `\n${indentation}${render(indentation, false)}\n${outer}` }];
}

/**
 * @param {string} text
 * @param {number} from - the end of the last item
 * @param {number} close - the closing bracket
 * @param {'json' | 'toml'} language
 * @returns {{ comma: number | undefined, lineEnd: number }} the trailing comma, and the end of what
 *   stands on the line of the item
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
    if (found) at += found.trimEnd().length - 1;
    // A comma on a line of its own is where the next item goes.
    if (found ? isSameLine : text[at] === ',') lineEnd = at + 1;
  }
  return { comma, lineEnd };
}
