/**
 * Additions to the Worker's main file: the export of the class, and the route in `fetch`. The route is
 * placed where the default export is an object whose `fetch` takes the request and the bindings; in
 * any other case its lines are for the user to place.
 */
import { indentationAt, indentationOf, insertInto } from './insertions.mjs';
import { tokensOf } from './tokens.mjs';

/** @typedef {import('./tokens.mjs').Token} Token */
/** @typedef {import('./insertions.mjs').Insertion} Insertion */

/**
 * @typedef {object} Names
 * @property {string} module - of the Durable Object, without its extension
 * @property {string} className
 * @property {string} binding
 */

const VARIABLE = 'rpcResponse';
const RETURN_TYPE = /^[\w$.<>|[\]]+$/;

/**
 * @param {string} text - of a module
 * @param {Names} names
 * @param {boolean} isJsx - where tags are no tokens
 * @returns {{ text: string, byHand?: string }} `byHand` is what the user has to place
 */
export function withEntry(text, names, isJsx) {
  const { quote, semicolon: end } = styleOf(text);
  const tokens = isJsx ? undefined : tokensOf(text);
  const quoted = (/** @type {string} */ path) => `${quote}${path}${quote}`;
  const exported = `export { ${names.className} } from ${quoted(`./${names.module}.ts`)}${end}`;
  const imported = `import { routeDORequest } from ${quoted('./rpc/server.ts')}${end}`;
  const options = `{ prefix: ${quoted('/__rpc')}, bindings: [${quoted(names.binding)}] }`;
  const route = tokens && placeRoute(text, tokens, options, end);
  const hono = tokens && honoOf(tokens);
  const lines = hono
    ? linesForHono(hono, quoted('/__rpc/*'), options, end)
    : linesOfRoute(options, end);
  const head = place(text, tokens, route ? `${imported}\n\n${exported}` : exported, Boolean(route));
  return {
    text: insertInto(text, [head, ...(route ?? [])]),
    ...(!route && { byHand: `${imported}\n\n${lines}` }),
  };
}

/**
 * @param {string} text
 * @param {Token[] | undefined} tokens
 * @param {string} lines
 * @param {boolean} isImport - what the lines begin with
 * @returns {Insertion} behind the imports, or before the first statement
 */
function place(text, tokens, lines, isImport) {
  // The end of a module is outside everything, whatever is in it.
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
 * @returns {Token | undefined} the last one of the last import
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
 * @param {string} end - of a statement
 * @returns {Insertion[] | undefined} undefined where it is not sure
 */
function placeRoute(text, tokens, options, end) {
  if (new RegExp(`\\b(?:routeDORequest|${VARIABLE})\\b`).test(text)) return undefined;
  const method = fetchMethodOf(tokens);
  if (!method) return undefined;
  const { name, isAsync, parameters, close, body, isTyped, isAnnotated } = method;
  const [request, env] = parameters;
  const [last] = parameters.slice(-1);
  // Who declares what it returns has to say that it is a promise.
  if (!isAsync && isAnnotated) return undefined;
  // A parameter that is added, or has no type, gets it from `satisfies ExportedHandler<Env>`.
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
 * @param {Token[]} tokens
 * @returns the parts of the method `fetch` of the object that is exported by default
 */
function fetchMethodOf(tokens) {
  const text = (/** @type {number} */ i) => tokens[i]?.text ?? '';
  const exported = tokens.findIndex(
    ({ depth }, i) =>
      depth === 0 && text(i - 2) === 'export' && text(i - 1) === 'default' && text(i) === '{',
  );
  if (exported < 0) return undefined;
  const closed = tokens.findIndex(({ depth }, i) => i > exported && depth === 0 && text(i) === '}');
  const methods = tokens.flatMap((token, i) => {
    if (i < exported || i > closed || token.depth !== 1 || token.text !== 'fetch') return [];
    if (text(i + 1) !== '(') return [];
    const isAsync = text(i - 1) === 'async';
    return ['{', ','].includes(text(isAsync ? i - 2 : i - 1)) ? [{ i, isAsync }] : [];
  });
  const [method] = methods;
  if (!method || methods.length > 1) return undefined;
  const { i, isAsync } = method;
  const close = tokens.findIndex(({ depth }, at) => at > i + 1 && depth === 1 && text(at) === ')');
  const parameters = parametersOf(tokens.slice(i + 2, close));
  const body = tokens.findIndex(({ depth }, at) => at > close && depth === 1 && text(at) === '{');
  const [name, closing, brace] = [tokens[i], tokens[close], tokens[body]];
  const annotation = tokens.slice(close + 1, body);
  const isPlain = annotation.every(({ text: part }, at) =>
    at === 0 ? part === ':' : RETURN_TYPE.test(part),
  );
  if (!parameters || !isPlain || !name || !closing || !brace) return undefined;
  const isTyped =
    text(closed + 1) === 'satisfies' &&
    text(closed + 2) === 'ExportedHandler' &&
    text(closed + 3) === '<';
  return {
    name,
    isAsync,
    parameters,
    close: closing,
    body: brace,
    isTyped,
    isAnnotated: annotation.length > 0,
  };
}

/**
 * @param {Token[]} tokens - between the parentheses
 * @returns {{ name: string, end: number, isTyped: boolean }[] | undefined} undefined for patterns and defaults
 */
function parametersOf(tokens) {
  /** @type {Token[][]} */
  const groups = [[]];
  for (const token of tokens) {
    if (token.depth === 2 && token.text === ',') groups.push([]);
    else groups.at(-1)?.push(token);
  }
  // A trailing comma.
  if (groups.at(-1)?.length === 0) groups.pop();
  const parameters = groups.map((group) => {
    const [name, colon] = group;
    const isPlain = /^[A-Za-z_$][\w$]*$/.test(name?.text ?? '') && (!colon || colon.text === ':');
    const hasDefault = group.some(({ text, depth }) => text === '=' && depth === 2);
    if (!name || !isPlain || hasDefault) return undefined;
    return { name: name.text, end: group.at(-1)?.end ?? name.end, isTyped: colon !== undefined };
  });
  return parameters.includes(undefined) ? undefined : parameters.filter((one) => one !== undefined);
}

/**
 * @param {Token[]} tokens
 * @returns {string | undefined} the variable that holds a Hono application
 */
function honoOf(tokens) {
  const at = tokens.findIndex(
    ({ text, depth }, i) =>
      depth === 0 && text === 'new' && /^\w*Hono$/.test(tokens[i + 1]?.text ?? ''),
  );
  return tokens[at - 1]?.text === '=' ? tokens[at - 2]?.text : undefined;
}

/**
 * @param {string} hono
 * @param {string} path
 * @param {string} options
 * @param {string} end - of a statement
 */
function linesForHono(hono, path, options, end) {
  return `// Before other routes and middleware:
${hono}.all(${path}, async (c) => {
  return (await routeDORequest(c.req.raw, c.env, ${options})) ?? c.notFound()${end}
})${end}`;
}

/**
 * @param {string} options
 * @param {string} end - of a statement
 */
function linesOfRoute(options, end) {
  return `// First in the Worker's fetch:
const ${VARIABLE} = await routeDORequest(request, env, ${options})${end}
if (${VARIABLE}) return ${VARIABLE}${end}`;
}

/**
 * @param {string} text
 * @param {number} from
 * @returns {number} behind a comment that stands on that line
 */
function endOfLine(text, from) {
  const [comment = ''] = /^[ \t]*\/\/.*/.exec(text.slice(from)) ?? [];
  return from + comment.trimEnd().length;
}
