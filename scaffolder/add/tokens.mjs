/**
 * The tokens of a TypeScript module, as far as it takes to find its imports and its default export.
 * It is no parser: where a slash could be a division or the beginning of a regular expression, or a
 * bracket is without its partner, it gives up.
 */

/** @typedef {{ text: string, start: number, end: number, depth: number }} Token - in how many brackets */

const BLANK = /(?:\s|\/\/.*|\/\*[^]*?\*\/)+/y;
// The text is bytes, so letters of other alphabets are some of the upper half.
const WORD = /[\w$#@\u0080-\u00FF]+/y;
const STRING = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y;
const REGULAR_EXPRESSION = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y;
const PARTNERS = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
/** What an expression can begin behind. */
const BEFORE_EXPRESSION =
  /^(?:[(,=:[!&|?{;+*%~^<>-]|return|typeof|case|in|of|new|void|await|yield|throw)$/;
const AFTER_VALUE = /^(?:[\])]|[\w$"'`].*)$/s;

/**
 * @param {string} text
 * @returns {Token[] | undefined} undefined where it is not sure
 */
export function tokensOf(text) {
  const shebang = /^#!.*/.exec(text)?.[0].length ?? 0;
  const { tokens, end } = read(text, shebang);
  return end === text.length ? tokens : undefined;
}

/**
 * @param {string} text
 * @param {number} from
 * @returns {{ tokens: Token[], end: number }} up to the end, a closing bracket too many, or a doubt
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
 * @param {string} before - the token before
 * @returns {number} the same place where it is not sure
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
 * @returns {number} the same place when it does not end
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
 * @returns {number} the end of what it matches there; the same place when it does not
 */
function match(pattern, text, at) {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
