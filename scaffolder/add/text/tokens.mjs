/**
 * Splits a TypeScript module into tokens, to find its imports and its default export. It is not a
 * parser: it gives up if a slash can be a division or begin a regular expression, or if a bracket has
 * no partner.
 */
import { afterMark } from './file-text.mjs';

/**
 * @typedef {{ text: string, start: number, end: number, depth: number }} Token - `depth` is the number
 *   of brackets around it
 */

const BLANK = /(?:\s|\/\/.*|\/\*[^]*?\*\/)+/y;
// Each character is a byte, so a letter outside ASCII is two or more characters from \u0080 to \u00FF.
const WORD = /[\w$#@\u0080-\u00FF]+/y;
const STRING = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y;
const REGULAR_EXPRESSION = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y;
const PARTNERS = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
/** A token after which an expression can begin: a slash then begins a regular expression. */
const BEFORE_EXPRESSION =
  /^(?:[(,=:[!&|?{;+*%~^<>-]|return|typeof|case|in|of|new|void|await|yield|throw)$/;
/** A token that can end a value: a slash after it is a division. */
const AFTER_VALUE = /^(?:[\])]|[\w$"'`].*)$/s;

/**
 * @param {string} text
 * @returns {Token[] | undefined} undefined if a token is ambiguous or a bracket has no partner
 */
export function tokensOf(text) {
  const mark = afterMark(text);
  const shebang = /^#!.*/.exec(text)?.[0].length ?? 0;
  const { tokens, end } = read(text, mark || shebang);
  return end === text.length ? tokens : undefined;
}

/**
 * @param {string} text
 * @param {number} from
 * @returns {{ tokens: Token[], end: number }} the tokens up to the end of the text, a closing bracket
 *   without a partner, or an ambiguous token; `end` is -1 if a bracket stays open
 */
function read(text, from) {
  /** @type {Token[]} */
  const tokens = [];
  /** @type {string[]} */
  const open = [];
  let at = from;
  while (at < text.length) {
    at = match(BLANK, text, at);
    if (at >= text.length) break;
    const end = endOfToken(text, at, tokens.at(-1)?.text ?? ';');
    const token = text.slice(at, end);
    if (end === at) return { tokens, end: at };
    if (')]}'.includes(token) && open.pop() !== token) return { tokens, end: at };
    tokens.push({ text: token, start: at, end, depth: open.length });
    const partner = PARTNERS.get(token);
    if (partner) open.push(partner);
    at = end;
  }
  return { tokens, end: open.length === 0 ? at : -1 };
}

/**
 * @param {string} text
 * @param {number} at
 * @param {string} before - the previous token
 * @returns {number} `at` if the token is ambiguous or does not end
 */
function endOfToken(text, at, before) {
  const character = text[at] ?? '';
  if (character === '"' || character === "'") return match(STRING, text, at);
  if (character === '`') return endOfTemplate(text, at);
  if (character !== '/') return Math.max(match(WORD, text, at), at + 1);
  if (BEFORE_EXPRESSION.test(before)) return match(REGULAR_EXPRESSION, text, at);
  return AFTER_VALUE.test(before) ? at + 1 : at;
}

/**
 * @param {string} text
 * @param {number} start - of the template literal
 * @returns {number} `start` if the literal does not end
 */
function endOfTemplate(text, start) {
  let at = match(TEMPLATE_TEXT, text, start + 1);
  while (text.startsWith('${', at)) {
    const { end } = read(text, at + 2);
    if (text[end] !== '}') return start;
    at = match(TEMPLATE_TEXT, text, end + 1);
  }
  return text[at] === '`' ? at + 1 : start;
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @param {number} at
 * @returns {number} the end of the match at that position; `at` if there is none
 */
function match(pattern, text, at) {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
