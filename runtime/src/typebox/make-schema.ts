/**
 * Makes schemas exactly as TypeBox makes them. Keywords are enumerable. TypeBox's own properties, which begin with `~`,
 * are not, so that a schema becomes plain JSON Schema when it is written as JSON.
 */

/**
 * Makes a schema.
 *
 * @param kind - TypeBox's name of the schema, in its property `~kind`
 * @param keywords - the keywords of JSON Schema
 * @param options - keywords that replace these keywords
 */
export function makeSchema<Schema>(kind: string, keywords: object, options?: object): Schema {
  return Object.defineProperty({ ...keywords, ...options }, '~kind', hidden(kind)) as Schema;
}

/**
 * Copies a schema with additions, which come last.
 *
 * @param marks - properties of TypeBox, whose names begin with `~`
 * @param keywords - the keywords of JSON Schema to add
 */
export function extendSchema<Schema>(schema: object, marks: object, keywords?: object): Schema {
  const properties: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(schema);
  const add = (name: string, property: PropertyDescriptor): void => {
    delete properties[name];
    properties[name] = property;
  };
  for (const [name, value] of Object.entries(marks)) add(name, hidden(value));
  for (const [name, value] of Object.entries(keywords ?? {}))
    add(name, { ...hidden(value), enumerable: true });
  return Object.defineProperties({}, properties) as Schema;
}

/** Copies a schema without a property of TypeBox. */
export function withoutMark<Schema>(schema: object, mark: string): Schema {
  const { [mark]: _, ...properties }: Record<string, PropertyDescriptor> =
    Object.getOwnPropertyDescriptors(schema);
  return Object.defineProperties({}, properties) as Schema;
}

/** Maps the values of an object. */
export function mapValues<From, To>(
  object: { readonly [key: string]: From },
  change: (value: From, key: string) => To,
): { [key: string]: To } {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

/** Returns the kind of a schema; `undefined` for a schema that TypeBox has not made. */
export function kindOf(schema: object): unknown {
  return '~kind' in schema ? schema['~kind'] : undefined;
}

function hidden(value: unknown): PropertyDescriptor {
  return { configurable: true, writable: true, enumerable: false, value };
}
