/** Which keywords of a schema hold other schemas. */

const set = (words: string): Set<string> => new Set(words.split(' '));

/** Keywords that hold a schema or a list of them. */
const HOLDS_SCHEMAS = set(
  'not allOf anyOf oneOf if then else items contains prefixItems additionalItems ' +
    'unevaluatedItems additionalProperties propertyNames unevaluatedProperties contentSchema ' +
    'parameters returnType instanceType',
);

/** Keywords that hold an object of schemas, by name. */
const HOLDS_NAMED_SCHEMAS = set(
  'properties patternProperties $defs definitions dependencies dependentSchemas',
);

/**
 * Calls a function with each schema that a keyword holds.
 *
 * @param act - receives the schema, and the steps from the keyword to it
 * @returns the value of the keyword, with each schema replaced by the result; the value itself if it holds none
 */
export function mapInnerSchemas(
  keyword: string,
  value: unknown,
  act: (schema: unknown, step: string | undefined) => unknown,
): unknown {
  if (HOLDS_NAMED_SCHEMAS.has(keyword)) {
    const isList = (inner: unknown): boolean => keyword === 'dependencies' && Array.isArray(inner);
    const entries = Object.entries(value as object).map(([name, inner]: [string, unknown]) => [
      name,
      isList(inner) ? inner : act(inner, name),
    ]);
    return Object.fromEntries(entries) as unknown;
  }
  if (!HOLDS_SCHEMAS.has(keyword)) return value;
  return Array.isArray(value)
    ? value.map((inner: unknown, index) => act(inner, String(index)))
    : act(value, undefined);
}
