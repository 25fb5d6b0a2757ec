/**
 * Adds the exports of the classes and the route in `fetch` to the Worker's main file. It inserts the
 * route if the default export is a Hono application, or an object whose `fetch` has a simple form.
 * Otherwise the user inserts the lines of the route. If there is a route already, its list gets the bindings.
 */
import { indentationAt, indentationOf, insertInto } from '../text/insertions.mjs';
import { tokensOf } from '../text/tokens.mjs';
import { withBindings } from './bindings.mjs';
import { fetchMethodOf } from './fetch-method.mjs';
import { placeHead, styleOf } from './head.mjs';
import { hono } from './hono.mjs';

/** @typedef {import('../text/tokens.mjs').Token} Token */
/** @typedef {import('../text/insertions.mjs').Insertion} Insertion */

const VARIABLE = 'rpcResponse';

/**
 * @param {string} text - the text of a module
 * @param {object} added
 * @param {import('../../examples.mjs').DurableObject[]} added.objects
 * @param {string} added.extension - the extension of the project's own files in imports: `.ts`, `.js`, or none
 * @param {boolean} added.hasPackage - whether the project has the runtime already, and so may have a route
 * @param {boolean} isJsx - whether the module can contain JSX, which `tokensOf` cannot read
 * @returns {{ text: string, byHand?: string, reason?: string, isHono?: true }} `byHand` has the lines that
 *   the user has to insert, and `reason` tells why; `isHono` is set for a Hono application
 */
export function withEntry(text, { objects, extension, hasPackage }, isJsx) {
  const { quote, semicolon: end } = styleOf(text);
  const tokens = isJsx ? undefined : tokensOf(text);
  const quoted = (/** @type {string} */ path) => `${quote}${path}${quote}`;
  const exported = objects
    .map(({ class: name, module }) => {
      return `export { ${name} } from ${quoted(`./${module}${extension}`)}${end}`;
    })
    .join('\n');
  const names = objects.filter(({ internal }) => !internal).map(({ binding }) => binding);
  if (hasPackage && /\brouteDORequest\b/.test(text)) {
    const head = insertInto(text, placeHead(text, tokens, exported));
    const extended = isJsx ? undefined : withBindings(head, names, quote);
    if (extended !== undefined) return { text: extended };
    return {
      text: head,
      byHand: `// In the list of bindings that clients can reach, in the options of routeDORequest:\n${names.map(quoted).join(', ')},`,
      reason: 'its call of routeDORequest has a form that this program does not change',
    };
  }
  const imported = `import { routeDORequest } from ${quoted('lumenize-rpc/server')}${end}`;
  const options = `{ prefix: ${quoted('/__rpc')}, bindings: [${names.map(quoted).join(', ')}] }`;
  const application = hono(text, tokens, quoted('/__rpc/*'), options, end);
  const isTaken = new RegExp(`\\b(?:routeDORequest|${VARIABLE})\\b`).test(text);
  // If another file has a route, a second route here would let callers past its checks.
  const isFree = tokens && !isTaken && !hasPackage;
  const route = isFree && (application?.insertions ?? placeRoute(text, tokens, options, end));
  const head = placeHead(text, tokens, exported, route ? imported : undefined);
  const isClass = isEntryPoint(text);
  const lines = application?.lines ?? linesOfRoute(options, end, isClass);
  const isRead = tokens !== undefined;
  return {
    text: insertInto(text, [...head, ...(route || [])]),
    ...(!route && {
      byHand: `${imported}\n\n${lines}`,
      reason: hasPackage
        ? 'the route may be in another file, which then needs only the names of the bindings'
        : reasonOf({ isRead, isTaken, isHono: application !== undefined, isClass }),
    }),
    ...(application && { isHono: true }),
  };
}

/** @param {Record<'isRead' | 'isTaken' | 'isHono' | 'isClass', boolean>} facts */
function reasonOf({ isRead, isTaken, isHono, isClass }) {
  if (!isRead) return 'this program cannot read all of it';
  if (isTaken) return `it uses the name routeDORequest or ${VARIABLE} already`;
  if (isClass) return 'its fetch is a method of a class';
  const what = isHono ? 'its Hono application is created or exported in' : 'its fetch has';
  return `${what} a form that this program does not change`;
}

/**
 * @param {string} text
 * @returns {boolean} whether the default export is a class with the bindings in `this.env`
 */
function isEntryPoint(text) {
  const [, name = 'class'] = /\bexport default (\w+)/.exec(text) ?? [];
  const declared = name === 'class' ? 'export default class\\b' : `class ${name}\\b`;
  return new RegExp(`${declared}[^{]*\\bextends WorkerEntrypoint\\b`).test(text);
}

/**
 * @param {string} text
 * @param {Token[]} tokens
 * @param {string} options
 * @param {string} end - the end of a statement: a semicolon, or nothing
 * @returns {Insertion[] | undefined} undefined if the form of `fetch` is not simple enough
 */
function placeRoute(text, tokens, options, end) {
  const method = fetchMethodOf(tokens);
  if (!method) return undefined;
  const { name, isAsync, parameters, close, body, isTyped, isFree, isAnnotated } = method;
  const [request, env] = parameters;
  // The method becomes async, but the return type that it declares may not be a promise.
  if (!isAsync && isAnnotated) return undefined;
  // The bindings get their type from `satisfies ExportedHandler<Env>`, if they do not have one.
  if (!isTyped && !(env ? env.isTyped : isFree)) return undefined;
  /** @type {Insertion[]} */
  const insertions = [];
  if (!isAsync) insertions.push({ at: name.start, text: 'async ' });
  const both = isTyped ? ['request', 'env'] : ['request: Request', 'env: Cloudflare.Env'];
  const missing = both.slice(parameters.length).join(', ');
  if (missing && request) insertions.push({ at: request.end, text: `, ${missing}` });
  if (!request) insertions.push({ at: close.start, text: missing });
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
 * @param {string} end - the end of a statement: a semicolon, or nothing
 * @param {boolean} isClass - whether `fetch` is a method of an entry point
 */
function linesOfRoute(options, end, isClass) {
  const [place, env] = isClass
    ? ['method fetch, whose parameter is request: Request', 'this.env']
    : ["Worker's fetch, whose parameters are request and env", 'env'];
  return `// First in the ${place}:
const ${VARIABLE} = await routeDORequest(request, ${env}, ${options})${end}
if (${VARIABLE}) return ${VARIABLE}${end}`;
}
