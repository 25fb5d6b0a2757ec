/** Finds the method `fetch` of the object that a module exports by default. */

/** @typedef {import('../text/tokens.mjs').Token} Token */

const RETURN_TYPE = /^[\w$.<>|[\]]+$/;

/**
 * @param {Token[]} tokens
 * @returns the parts of the method; undefined if there is no such method, or its form is not simple
 */
export function fetchMethodOf(tokens) {
  const text = (/** @type {number} */ i) => tokens[i]?.text ?? '';
  const exported = tokens.findIndex(
    (_, i) => text(i - 2) === 'export' && text(i - 1) === 'default' && text(i) === '{',
  );
  const closed = tokens.findIndex(({ depth }, i) => i > exported && depth === 0);
  const methods = tokens.flatMap((token, i) => {
    if (i < exported || i > closed || token.depth !== 1 || token.text !== 'fetch') return [];
    if (text(i + 1) !== '(') return [];
    const isAsync = text(i - 1) === 'async';
    return ['{', ','].includes(text(isAsync ? i - 2 : i - 1)) ? [{ i, isAsync }] : [];
  });
  const [method] = methods;
  if (!method || methods.length > 1) return undefined;
  const { i, isAsync } = method;
  const close = tokens.findIndex(({ depth }, at) => at > i + 1 && depth === 1);
  const parameters = parametersOf(tokens.slice(i + 2, close));
  const body = tokens.findIndex((_, at) => at > close && text(at) === '{');
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
    /** True if no type of the object restricts the parameters. */
    isFree: !['satisfies', 'as'].includes(text(closed + 1)),
    isAnnotated: annotation.length > 0,
  };
}

/**
 * @param {Token[]} tokens - the tokens between the parentheses
 * @returns {{ name: string, end: number, isTyped: boolean }[] | undefined} undefined if a parameter is
 *   a pattern or has a default
 */
function parametersOf(tokens) {
  /** @type {Token[][]} */
  const groups = [[]];
  for (const token of tokens) {
    if (token.depth === 2 && token.text === ',') groups.push([]);
    else groups.at(-1)?.push(token);
  }
  // The last group is empty after a trailing comma, or if there are no parameters.
  if (groups.at(-1)?.length === 0) groups.pop();
  const parameters = groups.map((group) => {
    const [name, colon] = group;
    const isPlain = !colon || colon.text === ':';
    const hasDefault = group.some(({ text, depth }) => text === '=' && depth === 2);
    if (!name || !isPlain || hasDefault) return undefined;
    return { name: name.text, end: group.at(-1)?.end ?? name.end, isTyped: colon !== undefined };
  });
  return parameters.includes(undefined) ? undefined : parameters.filter((one) => one !== undefined);
}
