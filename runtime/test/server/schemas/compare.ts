/**
 * Checks a value by TypeBox's compiler and by the validator of this package, and describes the
 * differences.
 */
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { propertyPath } from '../../../src/wire/values/paths.ts';
import { jsonValidator } from '../../../src/server/schemas/json-schema.ts';
import { type Pair, RandomPairs } from './random-schemas.ts';

/**
 * The members of these keywords have errors of their own. Each validator reports another error
 * first.
 */
const BRANCHES = /\/(?:anyOf|oneOf|if|then|else|not|dependentSchemas)(?:\/|$)/;

/** @returns the difference in words; `undefined` if there is none */
function difference(pair: Pair): string | undefined {
  try {
    return compared(pair);
  } catch (error) {
    // TypeBox divides a bigint by a fraction.
    if (error instanceof RangeError && error.message.includes('to a BigInt')) return undefined;
    throw error;
  }
}

function compared({ schema, value }: Pair): string | undefined {
  // TypeBox treats a missing property of a constant like a property that is undefined. Its
  // `unevaluatedProperties` checks an optional property that is undefined, although `properties`
  // has its name.
  if (
    /"const":\{|"unevaluatedProperties"/.test(shown(schema)) &&
    shown(value).includes('"undefined"')
  ) {
    return undefined;
  }
  // TypeBox counts the keywords around `dependentSchemas` for `unevaluatedProperties` in it.
  if (/"dependentSchemas".*"unevaluatedProperties"/.test(shown(schema))) return undefined;
  const compiled = Compile(schema);
  const { issues } = jsonValidator(schema, 'own').validate(value);
  const fits = compiled.Check(value);
  if (fits !== !issues) return fits ? `refused: ${issues?.[0].message}` : 'accepted';
  if (!issues) return undefined;
  const [issue] = issues;
  const paths = pathsOf(compiled, value);
  // TypeBox sometimes refuses a value, and then finds no error.
  if (paths.length === 0) return undefined;
  // TypeBox reports the object of a surplus property, or the value of a condition. The validator
  // reports the part of it.
  const isKnown = paths.some(({ path, keyword }) =>
    /^(?:unevaluated|if$)/.test(keyword) ? issue.path.startsWith(path) : path === issue.path,
  );
  if (!isKnown && paths.length < MAX_ERRORS)
    return `at ${issue.path}, not ${paths.map(({ path }) => path).join(' or ')}`;
  const [first] = paths;
  if (
    !first ||
    BRANCHES.test(first.schemaPath) ||
    /^(?:if|anyOf|oneOf|unevaluated)/.test(first.keyword)
  )
    return undefined;
  // The validator counts the items of `contains` at once. TypeBox looks for one such item before it
  // checks the items.
  if (issue.message.startsWith('must contain')) return undefined;
  return first.path === issue.path
    ? undefined
    : `first at ${issue.path} (${issue.message}), not ${first.path} (${first.keyword})`;
}

const MAX_ERRORS = 1_000;

interface Place {
  readonly path: string;
  readonly keyword: string;
  readonly schemaPath: string;
}

function pathsOf(compiled: ReturnType<typeof Compile>, value: unknown): Place[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: MAX_ERRORS });
  try {
    return compiled.Errors(value)[1].map(({ instancePath, keyword, params, schemaPath }) => {
      const [, ...steps] = instancePath.split('/');
      const keys = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      if (keyword === 'required') keys.push(params.requiredProperties[0] ?? '');
      return { path: keys.map(propertyPath).join(''), keyword, schemaPath };
    });
  } finally {
    Settings.Set({ maxErrors });
  }
}

/**
 * Compares random pairs.
 *
 * @param most - the greatest number of differences to find
 */
export function differences(
  seed: number,
  count: number,
  most = Infinity,
): { found: string[]; accepted: number } {
  const pairs = new RandomPairs(seed);
  const found: string[] = [];
  let accepted = 0;
  for (let index = 0; index < count && found.length < most; index++) {
    const pair = pairs.next();
    const text = difference(pair);
    if (text) found.push(`${text}: ${shown(pair.schema)} of ${shown(pair.value)}`);
    else if (!jsonValidator(pair.schema, 'own').validate(pair.value).issues) accepted++;
  }
  return { found, accepted };
}

function shown(value: unknown): string {
  return String(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'bigint' ? `${part}n` : part === undefined ? 'undefined' : part,
    ),
  );
}
