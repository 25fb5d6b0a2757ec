/**
 * Splits a TypeScript module into tokens, to find its imports and its default export. A list of tokens does not have
 * the structure of the module, so `tokensOf` gives up where a token is in doubt.
 */
import jsTokens from 'js-tokens';
import { withoutMark } from './file-text.mjs';

/**
 * @typedef {{ text: string, start: number, end: number, depth: number }} Token - `depth` is the number
 *   of brackets and template literals around it
 */

const BLANK = /^(?:WhiteSpace|LineTerminatorSequence|\w+Comment)$/;
/** The tokens that open brackets or, in template literals, expressions, each with a mark. */
const OPENING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['TemplateHead', '`'],
  ['TemplateMiddle', '`'],
]);
/** The tokens that close brackets and expressions, with the marks of the tokens that open them. */
const CLOSING = new Map([
  [')', ')'],
  [']', ']'],
  ['}', '}'],
  ['TemplateMiddle', '`'],
  ['TemplateTail', '`'],
]);

/**
 * @param {string} text
 * @returns {Token[] | undefined} undefined if a token does not end, if a slash can be a division or begin a regular
 *   expression, or if a bracket has no partner
 */
export function tokensOf(text) {
  // Each character is a byte, so a letter outside ASCII is two or more characters, not all of which are letters.
  const letters = withoutMark(text).replaceAll(/[\u0080-\u00FF]/g, '\u00FF');
  /** @type {Token[]} */
  const tokens = [];
  /** @type {string[]} */
  const open = [];
  let end = 0;
  for (const token of jsTokens(letters)) {
    const { type, value } = token;
    const isClosed = !('closed' in token) || token.closed;
    // js-tokens guesses whether a brace ends a block or an object.
    const isInDoubt = /^\/(?![/*])/.test(value) && tokens.at(-1)?.text === '}';
    if (!isClosed || isInDoubt) return undefined;
    // In `A<B<C>>`, each character is a bracket.
    for (const part of type === 'Punctuator' ? value : [value]) {
      const start = end;
      end += part.length;
      if (BLANK.test(type)) continue;
      const key = type === 'Punctuator' ? part : type;
      const closing = CLOSING.get(key);
      if (closing && open.pop() !== closing) return undefined;
      tokens.push({ text: text.slice(start, end), start, end, depth: open.length });
      const opening = OPENING.get(key);
      if (opening) open.push(opening);
    }
  }
  return open.length === 0 ? tokens : undefined;
}
