/** Adds the route to a Hono application that is a Worker's default export, before its middleware. */

/** @typedef {import('./tokens.mjs').Token} Token */

/**
 * @param {Token[]} tokens - of a module
 * @param {string} path - with its quotes
 * @param {string} options - of `routeDORequest`
 * @param {string} end - end of a statement: a semicolon, or nothing
 * @returns {{ lines: string, insertions?: import('./insertions.mjs').Insertion[] } | undefined} the
 *   route, with its insertion if the place is certain; undefined if there is no application
 */
export function hono(tokens, path, options, end) {
  const made = tokens.flatMap(({ depth }, i) => {
    const isMade = depth === 0 && textAt(tokens, i) === 'new';
    return isMade && /^\w*Hono$/.test(textAt(tokens, i + 1)) ? [i] : [];
  });
  const [at = 0] = made;
  if (textAt(tokens, at - 1) !== '=') return undefined;
  const name = textAt(tokens, at - 2);
  const lines = `// Before other routes and middleware:
${name}.all(${path}, async (c) => {
  return (await routeDORequest(c.req.raw, c.env, ${options})) ?? c.notFound()${end}
})${end}`;
  const last = made.length === 1 && isExported(tokens, name) && endOfStatement(tokens, at);
  return { lines, ...(last && { insertions: [{ at: last.end, text: `\n\n${lines}` }] }) };
}

/**
 * @param {Token[]} tokens
 * @param {number} i
 */
function textAt(tokens, i) {
  return tokens[i]?.text ?? '';
}

/**
 * @param {Token[]} tokens
 * @param {string} name
 * @returns {boolean} whether the variable itself is the default export
 */
function isExported(tokens, name) {
  const at = tokens.findIndex(
    ({ depth, text }, i) => depth === 0 && text === 'default' && textAt(tokens, i - 1) === 'export',
  );
  return textAt(tokens, at + 1) === name && ['', ';', 'export'].includes(textAt(tokens, at + 2));
}

/**
 * @param {Token[]} tokens
 * @param {number} at - index of `new`
 * @returns {Token | undefined} the last token of the statement; undefined if the expression goes on
 *   after the constructor call
 */
function endOfStatement(tokens, at) {
  const open = tokens.findIndex(({ depth, text }, i) => i > at && depth === 0 && text === '(');
  const close = tokens.findIndex(({ depth, text }, i) => i > open && depth === 0 && text === ')');
  const isCall =
    open === at + 2 || (textAt(tokens, at + 2) === '<' && textAt(tokens, open - 1) === '>');
  const [last, next] = [tokens[close], tokens[close + 1]];
  if (!isCall || !last || next?.text === ';') return isCall ? next : undefined;
  // Without a semicolon, a word after the call begins the next statement.
  return next && /^[A-Za-z_$]/.test(next.text) && !['as', 'satisfies'].includes(next.text)
    ? last
    : undefined;
}
