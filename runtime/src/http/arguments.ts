/** The arguments of a call in a request: in the body of a POST, or in the query of a GET. */
import type { MethodDescription } from '../server/contract/description.ts';
import { parseUnchecked } from '../server/base/parse-unchecked.ts';
import { encodeArgs } from '../wire/messages.ts';
import { bodyText } from './body.ts';
import { malformed, unsupportedType } from './problems.ts';
import { type Parameters, parametersOf, takesText } from './parameters.ts';

/** Arguments, and their text in a message. */
export interface Arguments {
  readonly args: readonly unknown[];
  /** The end of the message: a comma and the arguments, or nothing. */
  readonly encoded: string;
}

const NONE: Arguments = { args: [], encoded: '' };

/**
 * Reads the arguments of a POST.
 *
 * @param method - the method; `undefined` if the contract does not list it
 * @param frameSize - the characters that a frame may have
 * @returns the response for arguments that cannot be read
 */
export async function readArguments(
  request: Request,
  url: URL,
  method: MethodDescription | undefined,
  frameSize: number,
): Promise<Arguments | Response> {
  if (url.search.length > 1)
    return malformed('A POST has its arguments in the body, not the query');
  const { headers } = request;
  const type = headers.get('Content-Type');
  const encoding = headers.get('Content-Encoding');
  if (encoding !== null && encoding !== 'identity') {
    return unsupportedType(
      `The body has the Content-Encoding ${encoding.slice(0, 50)}: send it without an encoding`,
    );
  }
  if (type !== null && !JSON_TYPE.test(type)) return unsupportedType(WANTED);
  const text = await bodyText(request, 3 * frameSize);
  if (typeof text !== 'string') return text;
  if (type === null) return text === '' ? NONE : unsupportedType(WANTED);
  return parsed(text, 'The body', (value) => {
    if (Array.isArray(value)) return { args: value, encoded: value.length > 0 ? `,${text}` : '' };
    if (typeof value !== 'object' || value === null) {
      return malformed('The body must be a JSON list of the arguments, or a JSON object');
    }
    const parameters = method && parametersOf(method);
    if (!parameters || parameters.isObject) return { args: [value], encoded: `,[${text}]` };
    return byObject(value as Record<string, unknown>, parameters);
  });
}

const JSON_TYPE = /^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;
const WANTED = 'The body must have the Content-Type application/json, in UTF-8';

/**
 * Parses JSON that a stranger sent, as the only part of the only message of a frame. A text that is nested too deeply
 * is rejected like a text that is not JSON.
 */
export function parsed<Result>(
  text: string,
  what: string,
  use: (value: unknown) => Result | Response,
): Result | Response {
  try {
    const [message, ...others] = parseUnchecked(`[[${text}]]`) ?? [];
    if (message?.length === 1 && others.length === 0) return use(message[0]);
  } catch {
    // This error has the same response as a text that is not JSON.
  }
  return malformed(`${what} is not JSON, or is nested too deeply`);
}

function encoded(args: unknown[]): Arguments | Response {
  try {
    return { args, encoded: encodeArgs(args) };
  } catch (error) {
    // The value has a property with the name `__proto__`, or is nested too deeply.
    return malformed((error as Error).message);
  }
}

/**
 * Reads arguments that are sent as an object: the one object that the method takes, or the arguments by their names.
 */
function byObject(
  sent: Record<string, unknown>,
  { named, isObject }: Parameters,
): Arguments | Response {
  if (isObject) return encoded([sent]);
  if (!named) return malformed('The arguments of the method have no names: send a list of them');
  const unknown = Object.keys(sent).find((name) => !named.has(name));
  if (unknown !== undefined) return unknownName(unknown, named);
  const args = Array.from(named.keys(), (name) => sent[name]);
  return encoded(args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1));
}

function unknownName(name: string, named: ReadonlyMap<string, unknown>): Response {
  const names = [...named.keys()].join(', ') || 'none';
  return malformed(`There is no argument ${JSON.stringify(name.slice(0, 100))}: use ${names}`);
}

/**
 * Reads the arguments of a GET.
 *
 * @returns the response for arguments that cannot be read
 */
export function readQuery(url: URL, method: MethodDescription): Arguments | Response {
  if (url.search.length < 2) return NONE;
  const query = [...url.searchParams];
  const [first] = query;
  if (!first) return NONE;
  const parameters = parametersOf(method);
  const [name, text] = first;
  if (query.length === 1 && name === 'args') {
    return parsed(text, name, (value) =>
      Array.isArray(value)
        ? encoded(value)
        : malformed('args must be a JSON list of the arguments'),
    );
  }
  if (query.length === 1 && name === 'input') {
    return parsed(text, name, (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? byObject(value as Record<string, unknown>, parameters)
        : malformed('input must be a JSON object'),
    );
  }
  return byNames(query, parameters);
}

function byNames(
  query: readonly [name: string, text: string][],
  parameters: Parameters,
): Arguments | Response {
  const { named } = parameters;
  if (!named)
    return malformed('The arguments of the method have no names: send a list of them as args');
  const sent: Record<string, unknown> = {};
  for (const [name, text] of query) {
    const schema = named.get(name);
    if (!schema) return unknownName(name, named);
    if (Object.hasOwn(sent, name))
      return malformed(`The query has ${name} twice: send each argument once`);
    const value = takesText(schema) ? text : parsed(text, name, (json) => json);
    if (value instanceof Response) return value;
    sent[name] = value;
  }
  return byObject(sent, parameters);
}
