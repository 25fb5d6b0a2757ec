/**
 * Adds plain HTTP to a Worker's main file: `routeHttpRequest` before the call of `routeDORequest`, with the classes that
 * clients can reach, and the options that both need. If the call has a form that is not handled below, the user inserts
 * the lines.
 */
import { indentationAt, indentationOf, insertInto } from '../text/insertions.mjs';
import { tokensOf } from '../text/tokens.mjs';
import { callsIn, partsOf } from './bindings.mjs';
import { endOfImports, endOfLine, endOfReexports, styleOf } from './head.mjs';

/** @typedef {import('../text/tokens.mjs').Token} Token */

/**
 * @typedef {object} Reached - a class that clients can reach
 * @property {string} class
 * @property {string} binding
 * @property {string} from - the module of the class, as the main file names it
 * @property {boolean} isImported - whether the main file imports the class
 * @property {boolean} hasIncrement - whether the class may be the counter
 */

/** The name of the constant that the main file gets. */
const CONSTANT = 'http';
const NAMES = [CONSTANT, 'HttpOptions', 'openApi', 'routeHttpRequest'];

/**
 * @param {string} text - the text of a module
 * @param {Reached[]} reached
 * @param {string} title - the title of the OpenAPI document
 * @param {boolean} isJsx - whether the module can contain JSX, which `tokensOf` cannot read
 * @returns {{ text: string, byHand?: string, reason?: string }} `byHand` has the lines that the user has to insert, and
 *   `reason` tells why
 */
export function withHttp(text, reached, title, isJsx) {
  const { quote, semicolon: end } = styleOf(text);
  const quoted = (/** @type {string} */ one) => `${quote}${one}${quote}`;
  const unit = indentationOf(text);
  const imported = [
    `import { type HttpOptions, openApi, routeHttpRequest } from ${quoted('lumenize-rpc/http')}${end}`,
    ...reached
      .filter(({ isImported }) => !isImported)
      .map((one) => `import { ${one.class} } from ${quoted(one.from)}${end}`),
  ].join('\n');
  const classes = reached.map((one) => `${one.binding}: ${one.class}`).join(', ');
  const constant = `const ${CONSTANT}: HttpOptions = {
${unit}classes: { ${classes} },
${unit}openapi: { generator: openApi, info: { title: ${quoted(title)}, version: ${quoted('1.0.0')} } },
}${end}`;
  const tokens = isJsx ? undefined : tokensOf(text);
  const taken = tokens && NAMES.find((name) => tokens.some((token) => token.text === name));
  const route = tokens && taken === undefined ? placeRoute(text, tokens) : undefined;
  const last = tokens ? endOfImports(tokens) : -1;
  if (tokens && route && last >= 0) {
    const reexport = endOfReexports(tokens, last + 1);
    const at = (/** @type {number} */ token) => endOfLine(text, tokens[token]?.end ?? 0);
    return {
      text: insertInto(text, [
        { at: at(last), text: `\n${imported}` },
        { at: at(reexport ?? last), text: `\n\n${constant}` },
        ...route,
      ]),
    };
  }
  return {
    text,
    byHand: `${imported}

${constant}

// Before the call of routeDORequest, with the same request and env, and with its prefix and its hooks:
const httpResponse = await routeHttpRequest(request, env, ${CONSTANT})${end}
if (httpResponse) return httpResponse${end}`,
    reason: reasonOf(tokens, taken),
  };
}

/**
 * @param {Token[] | undefined} tokens
 * @param {string | undefined} taken
 */
function reasonOf(tokens, taken) {
  if (!tokens) return 'this program cannot read all of it';
  if (taken !== undefined) return `it uses the name ${taken} already`;
  if (callsIn(tokens).length === 0) return 'it does not call routeDORequest';
  return 'its call of routeDORequest has a form that this program does not change';
}

/**
 * @param {string} text
 * @param {Token[]} tokens
 * @returns {import('../text/insertions.mjs').Insertion[] | undefined} undefined if the place is not certain
 */
function placeRoute(text, tokens) {
  const calls = callsIn(tokens);
  const [call = []] = calls;
  const open = tokens.indexOf(/** @type {Token} */ (call[0]));
  const textAt = (/** @type {number} */ i) => tokens[i]?.text ?? '';
  if (calls.length !== 1 || textAt(open - 2) !== 'await') return undefined;
  const [request, env, given, ...others] = partsOf(call);
  const options = optionsOf(text, given);
  if (!request || !env || options === undefined || others.length > 0) return undefined;
  const source = (/** @type {Token[]} */ part) =>
    text.slice(part[0]?.start, part.at(-1)?.end ?? part[0]?.end);
  const http = `(await routeHttpRequest(${source(request)}, ${source(env)}, ${options})) ??`;
  const first = tokens[open - 2];
  const closing = open + call.length - 1;
  const close = tokens[closing];
  if (!first || !close) return undefined;
  const indentation = indentationAt(text, first.start);
  const next = `\n${indentation}${indentationOf(text)}`;
  const isInBrackets = textAt(open - 3) === '(' && textAt(closing + 1) === ')';
  const [before, after] = isInBrackets ? [open - 4, closing + 2] : [open - 3, closing + 1];
  if (!endsBefore(tokens, before) || !beginsAfter(tokens, after)) return undefined;
  if (isInBrackets) return [{ at: tokens[open - 3]?.start ?? 0, text: `${http}${next}` }];
  const wrap = { at: close.end, text: ')' };
  // A line may not end after `return`.
  if (textAt(before) === 'return') return [{ at: first.start, text: `${http}${next}(` }, wrap];
  const start = tokens[before]?.end ?? 0;
  return [{ at: start, end: first.start, text: `${next}${http}${next}(` }, wrap];
}

/**
 * @param {Token[]} tokens - tokens of which each has one sign
 * @param {number} i
 * @returns {boolean} whether an expression with `??` can begin after the token
 */
function endsBefore(tokens, i) {
  const [before = '', last = ''] = [tokens[i - 1]?.text, tokens[i]?.text];
  return /^(?:.*return|\?\?|=>|\w+=|\(?\()$/.test(before + last);
}

/**
 * @param {Token[]} tokens
 * @param {number} i
 * @returns {boolean} whether an expression with `??` can end before the token
 */
function beginsAfter(tokens, i) {
  const [next = '', second = ''] = [tokens[i]?.text, tokens[i + 1]?.text];
  if (['', ';', ',', ')', '}'].includes(next) || next + second === '??') return true;
  // Without semicolons, the next statement begins.
  return /^[a-z_$]/i.test(next) && !['as', 'in', 'instanceof', 'satisfies'].includes(next);
}

/**
 * @param {string} text
 * @param {Token[] | undefined} given - the options of `routeDORequest`
 * @returns {string | undefined} the options of `routeHttpRequest`; undefined if they would repeat more than names
 */
function optionsOf(text, given) {
  if (!given) return CONSTANT;
  const [first, ...rest] = given;
  if (rest.length === 0) return `{ ...${first?.text}, ...${CONSTANT} }`;
  if (first?.text !== '{') return undefined;
  const kept = partsOf(given).filter(([key, colon]) => key?.text !== 'bindings' || !colon);
  const isName = (/** @type {Token[]} */ part) => {
    const [key, colon, ...value] = part;
    if (part.length === 1) return /^\w+$/.test(key?.text ?? '');
    if (part.slice(0, 3).every((dot) => dot.text === '.')) return part.length === 4;
    return colon?.text === ':' && value.length === 1;
  };
  if (!kept.every(isName)) return undefined;
  if (kept.length === 0) return CONSTANT;
  const texts = kept.map((part) => text.slice(part[0]?.start, part.at(-1)?.end));
  return `{ ${[...texts, `...${CONSTANT}`].join(', ')} }`;
}
