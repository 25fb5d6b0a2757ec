/**
 * Explains mistakes in the schemas of a contract: which keyword was probably meant, and where functions and streams can
 * be. The validator itself refuses a keyword that it does not know, and so does the lint rule `no-unknown-keyword`.
 */
import { propertyPath } from '../../wire/values/paths.ts';
import { isCallback, isStreamOf } from '../base/brands.ts';
import { isStandard } from '../base/standard-schema.ts';
import { FORMATS } from '../schemas/formats.ts';
import { ANNOTATIONS, nameProblem } from '../schemas/json-schema.ts';
import { KEYWORDS, keywordOf, mapInner, TYPES } from '../schemas/keywords.ts';
import { nearest } from './nearest.ts';

/** Keywords that lead to functions, and the type of schema that they belong to. */
const LEADS_TO_FUNCTIONS: Readonly<Record<string, string>> = {
  properties: 'object',
  items: 'array',
};

/**
 * Rejects, at any depth, a schema of another library, a stream, and a function in a place where the runtime would not
 * find it: see callback-schemas.ts. The validator rejects all other mistakes.
 *
 * @param path - the position in the contract, such as `[0]`
 * @param mayHoldFunctions - whether functions are allowed here: the schema is an argument, or is inside of `properties`
 *   and `items` of an argument
 * @throws TypeError
 */
export function checkSchema(schema: unknown, path: string, mayHoldFunctions = false): void {
  if (isStandard(schema)) {
    const { vendor } = schema['~standard'];
    throw new TypeError(
      `${path} is a schema of ${vendor} inside a schema of TypeBox: write the whole argument with one of the two libraries`,
    );
  }
  if (isStreamOf(schema)) {
    throw new TypeError(
      `${path} is streamOf(): a stream must be a whole argument, not a part of one`,
    );
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const types = typesOf(schema);
  const problem = functionProblem(schema, types, mayHoldFunctions);
  if (problem) throw new TypeError(`${path} has ${problem}`);
  for (const [name, operand] of Object.entries(schema)) {
    const keyword = keywordOf(name);
    if (!keyword?.takes.is(operand)) continue;
    const leads = mayHoldFunctions && types.length === 1 && LEADS_TO_FUNCTIONS[name] === types[0];
    mapInner(keyword, operand, (inner, ...steps) => {
      const place = path + [name, ...steps].map(propertyPath).join('');
      checkSchema(inner, place, leads && !Array.isArray(operand));
    });
  }
}

function typesOf(schema: object): string[] {
  const { type = [] } = schema as { type?: unknown };
  return [type].flat().map(String);
}

/**
 * Returns the problem with a keyword, and what to write instead.
 *
 * @param types - the types that the schema names; empty for any type
 * @returns `undefined` if the schema may have the keyword, with some value
 */
export function keywordProblem(name: string, types: readonly string[]): string | undefined {
  const problem = nameProblem(name, types);
  return problem && problem + adviseKeyword(name, undefined, types);
}

/** Returns the end of a sentence that says what to write instead of a keyword, or instead of its value. */
export function adviseKeyword(name: string, operand: unknown, types: readonly string[]): string {
  if (name === 'type') return meant(String(operand), Object.keys(TYPES)) ?? '';
  if (name === 'format') {
    return (
      meant(String(operand), Object.keys(FORMATS)) ?? ': write Type.Refine(Type.String(), check)'
    );
  }
  const isMisplaced = keywordOf(name) !== undefined;
  // The common keywords come first.
  const known = Object.keys(KEYWORDS)
    .filter((other) => applies(other, types))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const near = isMisplaced ? undefined : meant(name, [...known, ...ANNOTATIONS]);
  if (near) return near;
  const own = types.length > 0 ? known.filter((other) => KEYWORDS[other]?.of) : [];
  const checks = own.length > 0 ? `: there are ${own.join(', ')}` : '';
  return isMisplaced ? checks : `${checks} (begin the name of an annotation with x-)`;
}

function meant(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  return near && `: did you mean ${near}?`;
}

/** The types whose keywords come first. */
const RANKS = ['number', 'string', 'array', 'object', 'function'];

function rankOf(name: string): number {
  const [type = ''] = KEYWORDS[name]?.of?.types ?? [];
  return type ? RANKS.indexOf(type) : RANKS.length;
}

/** Returns whether a keyword checks values of some types. */
function applies(name: string, types: readonly string[]): boolean {
  const { of } = KEYWORDS[name] ?? {};
  return !of || types.length === 0 || types.some((type) => of.types.includes(type));
}

/**
 * Returns the problem with a function that is in a place where the runtime would not find it, or that `callback` has not
 * made.
 */
function functionProblem(
  schema: object,
  types: readonly string[],
  mayBeFunction: boolean,
): string | undefined {
  if (!types.includes('function')) return undefined;
  if (!isCallback(schema))
    return 'a bare Type.Function: write callback([Type.String()], Type.Boolean())';
  if (mayBeFunction && types.length === 1) return undefined;
  const places = 'an argument, a property of a Type.Object, or the items of a Type.Array';
  return `a callback() in an unsupported place: make it ${places}`;
}
