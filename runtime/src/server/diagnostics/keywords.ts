/**
 * Rejects schema keywords that would check nothing. JSON Schema ignores an unknown keyword, so `min` instead
 * of `minimum` would leave an argument unchecked. A contract is searched for such keywords when its class is
 * defined, and by the lint rule `no-unknown-keyword`.
 */
import { Format } from 'typebox/format';
import { propertyPath } from '../../wire/values/paths.ts';
import { isCallback, isStreamOf } from '../base/brands.ts';
import { isStandard } from '../base/standard-schema.ts';
import { nearest } from './nearest.ts';
import { mapInnerSchemas } from '../schemas/schema-parts.ts';

/** Texts, and not lists: a bundler leaves out what is not used if making it has no effect. */
const listed = (words: string | undefined): string[] => words?.split(' ').filter(Boolean) ?? [];

/** Keywords that any schema may have: checks that apply to every type, and annotations. */
const GENERAL =
  'type const enum not allOf anyOf oneOf if then else $ref $defs definitions $id $schema $anchor ' +
  '$dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary $comment title ' +
  'description default examples deprecated readOnly writeOnly contentEncoding contentMediaType ' +
  'contentSchema';

const NUMBER = 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf';
const FUNCTION = 'parameters returnType instanceType';

/** The keywords that check values of one type, the common ones first. */
const OF_TYPE: Readonly<Record<string, string>> = {
  number: NUMBER,
  integer: NUMBER,
  bigint: NUMBER,
  string: 'minLength maxLength pattern format',
  array:
    'minItems maxItems items uniqueItems contains minContains maxContains prefixItems ' +
    'additionalItems unevaluatedItems',
  object:
    'properties required additionalProperties minProperties maxProperties patternProperties ' +
    'propertyNames dependencies dependentRequired dependentSchemas unevaluatedProperties',
  function: FUNCTION,
  constructor: FUNCTION,
  boolean: '',
  null: '',
  undefined: '',
  void: '',
  symbol: '',
};

/** Keywords that hold a number. */
const BOUND = /^(min|max|exclusiveM|multipleOf)/;

/** Keywords that lead to functions, and the type of schema that they belong to. */
const LEADS_TO_FUNCTIONS: Readonly<Record<string, string>> = {
  properties: 'object',
  items: 'array',
};

/**
 * Rejects a value that is not a schema. Rejects, at any depth, a keyword that does not apply to the schema's
 * type, a bound that is not a number, an unknown type, and a format without a check. Rejects a function in a
 * place where the runtime would not find it: see callback-places.
 *
 * @param path - the position in the contract, such as `[0]`
 * @param mayHoldFunctions - whether the schema is an argument, or only properties and items lead to it
 * @throws TypeError
 */
export function checkSchema(schema: unknown, path: string, mayHoldFunctions = false): void {
  if (typeof schema === 'boolean') return;
  if (isStandard(schema)) {
    const { vendor } = schema['~standard'];
    throw new TypeError(
      `${path} is a schema of ${vendor} inside of a schema of TypeBox: write the whole argument with one of them`,
    );
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new TypeError(`${path} is not a schema`);
  }
  if (isStreamOf(schema)) {
    throw new TypeError(
      `${path} is streamOf(): a stream must be a whole argument, not a part of one`,
    );
  }
  const entries = Object.entries(schema).filter(([, value]) => value !== undefined);
  const { type = [], format } = schema as { type?: unknown; format?: unknown };
  const types = [type].flat().map(String);
  const problem =
    firstOf(types.map(typeProblem)) ??
    firstOf(entries.map(([keyword]) => keywordProblem(keyword, types))) ??
    firstOf(entries.map(([keyword, value]) => boundProblem(keyword, value))) ??
    formatProblem(format) ??
    functionProblem(schema, types, mayHoldFunctions);
  if (problem) throw new TypeError(`${path} has ${problem}`);
  for (const [keyword, value] of entries) {
    const leads =
      mayHoldFunctions && types.length === 1 && LEADS_TO_FUNCTIONS[keyword] === types[0];
    mapInnerSchemas(keyword, value, (inner, step) => {
      const isListed = step !== undefined && Array.isArray(value);
      const place = path + propertyPath(keyword) + (step === undefined ? '' : propertyPath(step));
      checkSchema(inner, place, leads && !isListed);
    });
  }
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/**
 * The problem with a keyword.
 *
 * @param types - the types that the schema names; empty for any type
 * @returns `undefined` if the schema may have the keyword
 */
export function keywordProblem(keyword: string, types: readonly string[]): string | undefined {
  // TypeBox stores its own data under names that begin with a tilde.
  if (/^(~|x-)/.test(keyword) || listed(GENERAL).includes(keyword)) return undefined;
  const named = types.length > 0 ? types : Object.keys(OF_TYPE);
  const known = [...new Set(named.flatMap((type) => listed(OF_TYPE[type])))];
  if (known.includes(keyword)) return undefined;
  const isMisplaced = Object.values(OF_TYPE).some((keywords) => listed(keywords).includes(keyword));
  const problem = isMisplaced
    ? `the keyword ${keyword}, which does not apply to the type ${types.join(' or ')}`
    : `an unknown keyword ${keyword}`;
  const near = nearest(keyword, [...known, ...listed(GENERAL)]);
  if (near && !isMisplaced) return `${problem}: did you mean ${near}?`;
  const hint = isMisplaced ? '' : ' (begin the name of an annotation with x-)';
  const checks = types.length > 0 && known.length > 0 ? `: there are ${known.join(', ')}` : '';
  return problem + checks + hint;
}

function typeProblem(type: string): string | undefined {
  if (Object.hasOwn(OF_TYPE, type)) return undefined;
  const near = nearest(type, Object.keys(OF_TYPE));
  return `an unknown type ${type}${near ? `: did you mean ${near}?` : ''}`;
}

/** JSON Schema also ignores a bound that is not a number. An old version had `exclusiveMinimum: true`. */
function boundProblem(keyword: string, value: unknown): string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (isNumber || !BOUND.test(keyword)) return undefined;
  return `the keyword ${keyword}, whose value is not a number`;
}

function formatProblem(format: unknown): string | undefined {
  if (typeof format !== 'string' || Format.Has(format)) return undefined;
  const formats = Format.Entries().map(([name]) => name);
  const near = nearest(format, formats);
  const advice = near ? `did you mean ${near}?` : 'define it by Format.Set of typebox/format';
  return `an unknown format ${format}: ${advice}`;
}

/**
 * The problem with a function: it is in a place where the runtime would not find it, or `callback` has not made it.
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
