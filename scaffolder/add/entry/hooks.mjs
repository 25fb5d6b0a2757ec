/** Adds the hook of an example to the options of the call of `routeDORequest` in a Worker's main file. */
import { insertInto } from '../text/insertions.mjs';
import { tokensOf } from '../text/tokens.mjs';
import { callsIn, partsOf } from './bindings.mjs';
import { endOfImports, endOfLine, styleOf } from './head.mjs';

/** @typedef {import('../text/tokens.mjs').Token} Token */
/** @typedef {{ module: string, name: string }} Hook - the module's file name without extension, and its export */

const OPTION = 'onBeforeConnect';

/**
 * @param {string} text - the text of a module
 * @param {Hook} hook
 * @param {string} extension - the extension of the project's own files in imports
 * @param {boolean} isJsx - whether the module can contain JSX, which `tokensOf` cannot read
 * @returns {{ text: string, byHand?: string, reason?: string }} `byHand` has the lines that the user has to insert, and
 *   `reason` tells why
 */
export function withHook(text, { module, name }, extension, isJsx) {
  const { quote, semicolon: end } = styleOf(text);
  const imported = `import { ${name} } from ${quote}./${module}${extension}${quote}${end}`;
  const tokens = isJsx ? undefined : tokensOf(text);
  const calls = tokens && callsIn(tokens);
  const option = calls?.length === 1 && calls[0] ? placeOption(calls[0], name) : undefined;
  const last = tokens ? endOfImports(tokens) : -1;
  if (!tokens || !option || last < 0) {
    return {
      text,
      byHand: `${imported}\n\n// In the options of routeDORequest. It names the callers of this example, and lets others pass:\n${OPTION}: ${name},`,
      reason: tokens
        ? `its call of routeDORequest has ${OPTION} already, or a form that this program does not change`
        : 'this program cannot read all of it',
    };
  }
  const at = endOfLine(text, tokens[last]?.end ?? 0);
  return { text: insertInto(text, [{ at, text: `\n${imported}` }, option]) };
}

/**
 * @param {Token[]} call
 * @param {string} name
 * @returns {import('../text/insertions.mjs').Insertion | undefined} undefined if there may be a hook already, or if the
 *   place is not certain
 */
function placeOption(call, name) {
  const [, env, options, ...others] = partsOf(call);
  const option = `${OPTION}: ${name}`;
  if (!env || others.length > 0) return undefined;
  if (!options) return { at: env.at(-1)?.end ?? 0, text: `, { ${option} }` };
  if (options[0]?.text !== '{' || options.at(-1)?.text !== '}') return undefined;
  const properties = partsOf(options);
  const last = properties.at(-1)?.at(-1);
  // A spread, or a computed name, may hide a hook.
  const isUncertain = properties.some(([key]) => /^[.[]|onBeforeConnect/.test(key?.text ?? ''));
  if (!last || isUncertain) return undefined;
  return { at: last.end, text: `, ${option}` };
}
