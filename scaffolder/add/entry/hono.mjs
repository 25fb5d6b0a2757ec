/** Adds the route to a Hono application that is a Worker's default export, before its middleware. */

/** @typedef {import('../text/tokens.mjs').Token} Token */

/**
 * @param {string} text - the text of a module
 * @param {Token[] | undefined} tokens - undefined if the module cannot be split
 * @param {string} path - the path of the route, with its quotes
 * @param {string} options - the options of `routeDORequest`
 * @param {string} end - the end of a statement: a semicolon, or nothing
 * @returns {{ lines: string, insertions?: import('../text/insertions.mjs').Insertion[] } | undefined} the
 *   route, with its insertion if the place is certain; undefined if there is no application
 */
export function hono(text, tokens, path, options, end) {
  if (!tokens) {
    const [, variable] = /(\w+)(?:\s*:[^=\n]+)?\s*=\s*new \w*Hono\b/.exec(text) ?? [];
    return variable ? { lines: linesAround(variable, options, end) } : undefined;
  }
  const made = tokens.flatMap(({ depth }, i) => {
    const isMade = depth === 0 && textAt(tokens, i) === 'new';
    return isMade && /^\w*Hono$/.test(textAt(tokens, i + 1)) ? [i] : [];
  });
  const [at] = made;
  if (at === undefined) return undefined;
  const before = textAt(tokens, at - 1);
  const declaration = tokens.findLastIndex(
    ({ text: word }, i) => i < at && ['const', 'let'].includes(word),
  );
  const name = before === '=' ? textAt(tokens, declaration + 1) : 'app';
  // A chain adds all its routes before the next statement can add a route, and perhaps below another path.
  if (before !== '=' || textAt(tokens, endOfCall(tokens, at) + 1) === '.') {
    return { lines: linesAround(name, options, end) };
  }
  const lines = `// Before other routes and middleware:
${name}.all(${path}, async (c) => {
  return (await routeDORequest(c.req.raw, c.env, ${options})) ?? c.notFound()${end}
})${end}`;
  const last = made.length === 1 && isExported(tokens, name) && endOfStatement(tokens, at);
  return { lines, ...(last && { insertions: [{ at: last.end, text: `\n\n${lines}` }] }) };
}

/**
 * @param {string} name - the name of the application's variable
 * @param {string} options
 * @param {string} end
 * @returns {string} a default export whose `fetch` has the route before the application
 */
function linesAround(name, options, end) {
  return `// In place of the default export, where ${name} is your Hono application:
export default {
  async fetch(request, env, ctx) {
    const rpcResponse = await routeDORequest(request, env, ${options})${end}
    return rpcResponse ?? ${name}.fetch(request, env, ctx)${end}
  },
} satisfies ExportedHandler<Cloudflare.Env>${end}`;
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
    ({ text }, i) => text === 'default' && textAt(tokens, i - 1) === 'export',
  );
  return textAt(tokens, at + 1) === name && ['', ';', 'export'].includes(textAt(tokens, at + 2));
}

/**
 * @param {Token[]} tokens
 * @param {number} at - the index of `new`
 * @returns {number} index of the parenthesis that closes the constructor call; -1 if there is none
 */
function endOfCall(tokens, at) {
  const open = tokens.findIndex(({ depth, text }, i) => i > at && depth === 0 && text === '(');
  const close = tokens.findIndex(({ depth }, i) => i > open && depth === 0);
  const isCall =
    open === at + 2 || (textAt(tokens, at + 2) === '<' && textAt(tokens, open - 1) === '>');
  return isCall ? close : -1;
}

/**
 * @param {Token[]} tokens
 * @param {number} at - the index of `new`
 * @returns {Token | undefined} the last token of the statement; undefined if the expression goes on
 *   after the constructor call
 */
function endOfStatement(tokens, at) {
  const close = endOfCall(tokens, at);
  const [last, next] = [tokens[close], tokens[close + 1]];
  if (next?.text === ';') return last && next;
  // Without a semicolon, a word after the call begins the next statement.
  return next && /^[A-Za-z_$]/.test(next.text) && !['as', 'satisfies'].includes(next.text)
    ? last
    : undefined;
}
