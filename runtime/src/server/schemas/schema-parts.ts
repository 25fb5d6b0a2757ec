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
 * @returns the value of the keyword, with each schema replaced by the result; the value itself if all are the same
 */
export function eachInner(
  keyword: string,
  value: unknown,
  act: (schema: unknown, step: string | undefined) => unknown,
): unknown {
  if (HOLDS_NAMED_SCHEMAS.has(keyword)) {
    const named = Object.entries(value as object) as [string, unknown][];
    const made = named.map(([name, inner]): [string, unknown] => {
      const isList = keyword === 'dependencies' && Array.isArray(inner);
      return [name, isList ? inner : act(inner, name)];
    });
    const isSame = made.every(([, inner], index) => inner === named[index]?.[1]);
    return isSame ? value : (Object.fromEntries(made) as unknown);
  }
  if (!HOLDS_SCHEMAS.has(keyword)) return value;
  if (!Array.isArray(value)) return act(value, undefined);
  const made = value.map((inner: unknown, index) => act(inner, String(index)));
  return made.every((inner, index) => inner === value[index]) ? value : made;
}
