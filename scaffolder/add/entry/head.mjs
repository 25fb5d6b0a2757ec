/** Reads the head of a Worker's main file: its style, its imports, and the places for more imports and exports. */
import { afterMark } from '../text/file-text.mjs';

/** @typedef {import('../text/tokens.mjs').Token} Token */
/** @typedef {import('../text/insertions.mjs').Insertion} Insertion */

/**
 * Places the export of the class, and the import of the route's function. The import goes after the other
 * imports. The export goes after the exports that follow them, or after the imports. In a module without
 * imports, both go before the first statement.
 *
 * @param {string} text
 * @param {Token[] | undefined} tokens
 * @param {string} exported
 * @param {string} [imported]
 * @returns {Insertion[]}
 */
export function placeHead(text, tokens, exported, imported) {
  // The end of a module is outside all brackets, whatever the module contains.
  if (!tokens) {
    const [before, after] = text.endsWith('\n') ? ['\n', '\n'] : ['\n\n', ''];
    return [{ at: text.length, text: before + exported + after }];
  }
  const head = imported ? [imported] : [];
  const last = endOfImports(tokens);
  if (last < 0) {
    const lines = [...head, `${exported}\n\n`].join('\n\n');
    return [{ at: tokens[0]?.start ?? text.length, text: lines }];
  }
  const after = (/** @type {number} */ token, /** @type {string} */ inserted) => ({
    at: endOfLine(text, tokens[token]?.end ?? 0),
    text: `\n${inserted}`,
  });
  const reexport = endOfReexports(tokens, last + 1);
  return [
    ...head.map((line) => after(last, line)),
    after(reexport ?? last, reexport ? exported : `\n${exported}`),
  ];
}

/** @param {string} text */
export function styleOf(text) {
  const [, quote, semicolon] =
    /^(?:import|export)\b.*?(['"])[^'"\n]*['"](;?)[ \t]*\r?$/m.exec(text.slice(afterMark(text))) ??
    [];
  const count = (/** @type {RegExp} */ pattern) => text.match(pattern)?.length ?? 0;
  return {
    quote: quote ?? (count(/"/g) > count(/'/g) ? '"' : "'"),
    semicolon: semicolon ?? (count(/;[ \t]*\r?$/gm) > 0 ? ';' : ''),
  };
}

/**
 * @param {Token[]} tokens
 * @returns {number} index of the last token of the last import; -1 if there is none
 */
export function endOfImports(tokens) {
  let last = -1;
  for (const [i, { text, depth }] of tokens.entries()) {
    if (depth > 0 || text !== 'import' || ['(', '.'].includes(tokens[i + 1]?.text ?? '')) continue;
    const source = tokens.findIndex((token, at) => at > i && /^['"]/.test(token.text));
    // `with { type: 'json' }`
    const hasAttributes = ['with', 'assert'].includes(tokens[source + 1]?.text ?? '');
    const end = hasAttributes
      ? tokens.findIndex((token, at) => at > source && token.text === '}')
      : source;
    last = tokens[end + 1]?.text === ';' ? end + 1 : end;
  }
  return last;
}

/**
 * @param {Token[]} tokens
 * @param {number} from
 * @returns {number | undefined} index of the last token of the statements `export { … } from '…'` that
 *   begin there
 */
export function endOfReexports(tokens, from) {
  const textAt = (/** @type {number} */ i) => tokens[i]?.text ?? '';
  if (textAt(from) !== 'export' || textAt(from + 1) !== '{') return undefined;
  const close = tokens.findIndex(({ text, depth }, i) => i > from && depth === 0 && text === '}');
  if (textAt(close + 1) !== 'from') return undefined;
  const end = textAt(close + 3) === ';' ? close + 3 : close + 2;
  return endOfReexports(tokens, end + 1) ?? end;
}

/**
 * @param {string} text
 * @param {number} from
 * @returns {number} the end of a `//` comment that follows on the same line; `from` if there is none
 */
export function endOfLine(text, from) {
  const [comment = ''] = /^[ \t]*\/\/.*/.exec(text.slice(from)) ?? [];
  return from + comment.length;
}
