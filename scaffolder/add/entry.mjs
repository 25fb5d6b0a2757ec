/**
 * Adds to the Worker's main file: the export of the class, and the route in `fetch`. It inserts the
 * route if the default export is a Hono application, or an object whose `fetch` has a simple form.
 * Otherwise the user inserts the lines of the route.
 */
import { fetchMethodOf } from './fetch-method.mjs';
import { hono } from './hono.mjs';
import { indentationAt, indentationOf, insertInto } from './insertions.mjs';
import { tokensOf } from './tokens.mjs';

/** @typedef {import('./tokens.mjs').Token} Token */
/** @typedef {import('./insertions.mjs').Insertion} Insertion */

/**
 * @typedef {object} Names
 * @property {string} module - file name of the Durable Object's module, without extension
 * @property {string} className
 * @property {string} binding
 */

const VARIABLE = 'rpcResponse';

/**
 * @param {string} text - of a module
 * @param {Names} names
 * @param {boolean} isJsx - whether the module can contain JSX, which `tokensOf` cannot read
 * @returns {{ text: string, byHand?: string, isHono?: true }} `byHand` has the lines that the user has to
 *   insert; `isHono` is set for a Hono application
 */
export function withEntry(text, names, isJsx) {
  const { quote, semicolon: end } = styleOf(text);
  const tokens = isJsx ? undefined : tokensOf(text);
  const quoted = (/** @type {string} */ path) => `${quote}${path}${quote}`;
  const exported = `export { ${names.className} } from ${quoted(`./${names.module}.ts`)}${end}`;
  const imported = `import { routeDORequest } from ${quoted('./rpc/server.ts')}${end}`;
  const options = `{ prefix: ${quoted('/__rpc')}, bindings: [${quoted(names.binding)}] }`;
  const application = tokens && hono(tokens, quoted('/__rpc/*'), options, end);
  const isTaken = new RegExp(`\\b(?:routeDORequest|${VARIABLE})\\b`).test(text);
  const route =
    tokens && !isTaken && (application?.insertions ?? placeRoute(text, tokens, options, end));
  const lines = application?.lines ?? linesOfRoute(options, end);
  const head = place(text, tokens, route ? `${imported}\n\n${exported}` : exported, Boolean(route));
  return {
    text: insertInto(text, [head, ...(route || [])]),
    ...(!route && { byHand: `${imported}\n\n${lines}` }),
    ...(application && { isHono: true }),
  };
}

/**
 * @param {string} text
 * @param {Token[] | undefined} tokens
 * @param {string} lines
 * @param {boolean} isImport - whether the lines begin with an import
 * @returns {Insertion} after the imports, or else before the first statement; without tokens, at the
 *   end of the module
 */
function place(text, tokens, lines, isImport) {
  // The end of a module is outside all brackets, whatever the module contains.
  if (!tokens) {
    const [before, after] = text.endsWith('\n') ? ['\n', '\n'] : ['\n\n', ''];
    return { at: text.length, text: before + lines + after };
  }
  const last = endOfImports(tokens);
  if (!last) return { at: tokens[0]?.start ?? text.length, text: `${lines}\n\n` };
  return { at: endOfLine(text, last.end), text: `${isImport ? '\n' : '\n\n'}${lines}` };
}

/** @param {string} text */
function styleOf(text) {
  const [, quote, semicolon] =
    /^(?:import|export)\b.*?(['"])[^'"\n]*['"](;?)[ \t]*\r?$/m.exec(text) ?? [];
  const count = (/** @type {RegExp} */ pattern) => text.match(pattern)?.length ?? 0;
  return {
    quote: quote ?? (count(/"/g) > count(/'/g) ? '"' : "'"),
    semicolon: semicolon ?? (count(/;[ \t]*\r?$/gm) > 0 ? ';' : ''),
  };
}

/**
 * @param {Token[]} tokens
 * @returns {Token | undefined} the last token of the last import
 */
function endOfImports(tokens) {
  /** @type {Token | undefined} */
  let last;
  for (const [i, { text, depth }] of tokens.entries()) {
    if (depth > 0 || text !== 'import' || ['(', '.'].includes(tokens[i + 1]?.text ?? '')) continue;
    const source = tokens.findIndex((token, at) => at > i && /^['"]/.test(token.text));
    // `with { type: 'json' }`
    const hasAttributes = ['with', 'assert'].includes(tokens[source + 1]?.text ?? '');
    const end = hasAttributes
      ? tokens.findIndex((token, at) => at > source && token.text === '}' && token.depth === 0)
      : source;
    last = tokens[end + 1]?.text === ';' ? tokens[end + 1] : tokens[end];
  }
  return last;
}

/**
 * @param {string} text
 * @param {Token[]} tokens
 * @param {string} options
 * @param {string} end - end of a statement: a semicolon, or nothing
 * @returns {Insertion[] | undefined} undefined if the form of `fetch` is not simple enough
 */
function placeRoute(text, tokens, options, end) {
  const method = fetchMethodOf(tokens);
  if (!method) return undefined;
  const { name, isAsync, parameters, close, body, isTyped, isAnnotated } = method;
  const [request, env] = parameters;
  const [last] = parameters.slice(-1);
  // The method becomes async, but the return type that it declares may not be a promise.
  if (!isAsync && isAnnotated) return undefined;
  // A parameter that is added, or has no type, gets its type from `satisfies ExportedHandler<Env>`.
  if (!isTyped && !(env?.isTyped ?? false)) return undefined;
  /** @type {Insertion[]} */
  const insertions = [];
  if (!isAsync) insertions.push({ at: name.start, text: 'async ' });
  const missing = ['request', 'env'].slice(parameters.length).join(', ');
  if (missing)
    insertions.push({ at: last ? last.end : close.start, text: last ? `, ${missing}` : missing });
  const indentation = indentationAt(text, name.start) + indentationOf(text);
  const call = `await routeDORequest(${request?.name ?? 'request'}, ${env?.name ?? 'env'}, ${options})`;
  const lines = [`const ${VARIABLE} = ${call}${end}`, `if (${VARIABLE}) return ${VARIABLE}${end}`];
  const inserted = lines.map((line) => `\n${indentation}${line}`).join('');
  const isOneLine = /^[ \t]*[^\s/]/.test(text.slice(body.end));
  const tail = isOneLine ? `\n${indentation}` : '';
  insertions.push({ at: body.end, text: inserted + tail });
  return insertions;
}

/**
 * @param {string} options
 * @param {string} end - end of a statement: a semicolon, or nothing
 */
function linesOfRoute(options, end) {
  return `// First in the Worker's fetch:
const ${VARIABLE} = await routeDORequest(request, env, ${options})${end}
if (${VARIABLE}) return ${VARIABLE}${end}`;
}

/**
 * @param {string} text
 * @param {number} from
 * @returns {number} the end of a `//` comment that follows on the same line; `from` if there is none
 */
function endOfLine(text, from) {
  const [comment = ''] = /^[ \t]*\/\/.*/.exec(text.slice(from)) ?? [];
  return from + comment.trimEnd().length;
}
