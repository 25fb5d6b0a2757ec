/**
 * The JSON Schema of a schema of another library, with types that JSON lacks. It counts the parts that JSON Schema does
 * not show, such as a check that is code, so that nobody takes two such schemas for equal.
 */
import {
  type ArkTypeContext,
  LACKING,
  namedType,
  schemaOfLibrary,
  typeOfArk,
  type ValibotContext,
  type ZodContext,
  type ZodInternals,
} from '../http/openapi/source-schemas.ts';
import type { StandardSchema } from '../server/contract/description.ts';
import type { JsonSchema } from '../http/parameters.ts';
import { FORMATS } from '../server/schemas/formats.ts';
import { REFINED } from './written.ts';

/** @returns the schema of the values that a client sends; `undefined` for a library that makes no JSON Schema */
export function exchangedSchema(schema: StandardSchema): JsonSchema | undefined {
  switch (schema['~standard'].vendor) {
    case 'zod':
      return schemaOfLibrary(schema, ZOD_OPTIONS);
    case 'valibot':
      return ofValibot(schema);
    case 'arktype':
      return ofArkType(schema as ArkType);
    default:
      return schemaOfLibrary(schema, undefined);
  }
}

/** Returns the schema of a type that JSON lacks; `undefined` for any other type. */
function typeNamed(type: string): JsonSchema | undefined {
  if (LACKING.test(type)) return { type };
  const name = namedType(type);
  if (name === undefined) return undefined;
  const form: JsonSchema = { type: name === 'BigInt' ? 'bigint' : name };
  // The schema does not contain the types of their keys and values.
  return name === 'Map' || name === 'Set' ? refined(form) : form;
}

function refined(schema: JsonSchema, count = 1): JsonSchema {
  return { ...schema, [REFINED]: Number((schema as Counted)[REFINED] ?? 0) + count };
}

interface Counted {
  readonly [REFINED]?: unknown;
}

const ZOD_OPTIONS = {
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }: ZodContext<ZodDef>) {
    const {
      _zod: { def, bag },
    } = zodSchema;
    if (takesAnything(zodSchema))
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
    else Object.assign(jsonSchema, typeNamed(bag?.Class?.name ?? def.type));
    // Zod also names formats of its own, and writes their pattern.
    if (jsonSchema['pattern'] && !Object.hasOwn(FORMATS, String(jsonSchema['format'])))
      delete jsonSchema['format'];
    const hidden = hiddenInZod(zodSchema);
    if (hidden > 0) jsonSchema[REFINED] = hidden;
  },
};

/** The fields of a schema of Zod, and of its checks. */
interface ZodDef extends ZodCheck {
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheck } }[];
  /** The first schema of a pipe. */
  readonly in?: ZodSchema;
  /** The schema inside of a wrapper, such as `optional`. */
  readonly innerType?: ZodSchema;
}
interface ZodSchema {
  readonly _zod: ZodInternals<ZodDef>;
}
interface ZodCheck {
  /** The name of the check. A schema can be a check, such as `z.email()`. */
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly hostname?: RegExp;
  readonly protocol?: RegExp;
}

const ZOD_KEYWORDS =
  /^(greater_than|less_than|multiple_of|number_format|min_length|max_length|length_equals)$/;

const ZOD_HIDDEN_TYPES = /^(pipe|transform|custom|map|set|file)$/;

/**
 * Returns whether a schema converts or replaces a value first. Such a schema accepts more than its JSON Schema says.
 */
function takesAnything({ _zod: { def } }: ZodSchema): boolean {
  const { type, coerce, in: first } = def;
  return (
    coerce || type === 'catch' || (type === 'pipe' && first !== undefined && isTransform(first))
  );
}

function isTransform({ _zod: { def } }: ZodSchema): boolean {
  return def.type === 'transform';
}

/**
 * Counts the parts of a schema that its JSON Schema does not show, except parts that it shows in other places.
 */
function hiddenInZod({ _zod: { def, bag } }: ZodSchema): number {
  const { type, check, checks = [] } = def;
  const isClass = bag?.Class !== undefined && typeNamed(bag.Class.name) !== undefined;
  const isNamed = isClass || typeNamed(type) !== undefined;
  const all = [
    ...(check === undefined || isClass ? [] : [def]),
    ...checks.map(({ _zod }) => _zod.def),
  ];
  const hidden = all.filter((one) => !isKeyword(one, isNamed)).length;
  const own = def.coerce || (ZOD_HIDDEN_TYPES.test(type) && !isClass) ? 1 : 0;
  const inner = type === 'nullable' ? undefined : (def.innerType ?? def.in);
  return own + hidden + (inner ? hiddenInZod(inner) : 0);
}

/** @param isNamed - whether JSON lacks the schema's type, as for `Date`. No keyword shows the limits of such a type. */
function isKeyword(
  { check = '', format, pattern, hostname, protocol }: ZodCheck,
  isNamed: boolean,
): boolean {
  if (check !== 'string_format') return ZOD_KEYWORDS.test(check) && !isNamed;
  if (pattern) return !/[ims]/.test(pattern.flags);
  return format === 'url' && !hostname && !protocol;
}

/** Actions of Valibot that accept every value. */
const VALIBOT_TYPES_ALONE = /^(brand|flavor|readonly)$/;

interface ValibotOverride extends ValibotContext {
  readonly jsonSchema: JsonSchema;
  /** The parts that Valibot cannot convert. */
  readonly errors: readonly string[] | undefined;
}
interface ValibotAction {
  readonly valibotAction: { readonly type: string };
  readonly jsonSchema: JsonSchema;
  readonly errors: readonly string[] | undefined;
}

/**
 * Returns the JSON Schema of a schema of Valibot. The JSON Schema of an input ends before a transform, so the hidden
 * parts after a transform are counted in a second schema, of the whole pipe.
 */
function ofValibot(schema: StandardSchema): JsonSchema | undefined {
  const make = (typeMode: 'input' | 'ignore', refine: typeof refined): JsonSchema | undefined =>
    schemaOfLibrary(schema, {
      errorMode: 'ignore',
      typeMode,
      overrideSchema({ valibotSchema, jsonSchema, errors }: ValibotOverride) {
        const form = typeNamed(valibotSchema.class?.name ?? valibotSchema.type);
        return form ?? (errors && refine(jsonSchema));
      },
      overrideAction({ valibotAction: { type }, jsonSchema, errors }: ValibotAction) {
        return errors && !VALIBOT_TYPES_ALONE.test(type) ? refine(jsonSchema) : undefined;
      },
    });
  return withHidden(
    (refine) => make('input', refine),
    (refine) => void make('ignore', refine),
  );
}

interface ArkType extends StandardSchema {
  readonly json: unknown;
  toJsonSchema(options: object): unknown;
}

/**
 * Returns the JSON Schema of a schema of ArkType. The JSON Schema of an input lacks morphs, and the flags of patterns,
 * so these are counted apart.
 */
function ofArkType(schema: ArkType): JsonSchema | undefined {
  const optionsWith = (refine: typeof refined): object => ({
    fallback: {
      default(context: ArkTypeContext & { before?: Date; after?: Date }) {
        const { base, before, after } = context;
        const form = typeNamed(typeOfArk(context));
        return form && !before && !after ? form : refine({ ...base, ...form });
      },
    },
  });
  return withHidden(
    (refine) => schemaOfLibrary(schema, optionsWith(refine)),
    (refine) => {
      schema.toJsonSchema(optionsWith(refine));
      for (const _ of JSON.stringify(schema.json).matchAll(/"flags":"[^"]*[ims]/g)) refine({});
    },
  );
}

/**
 * Counts the hidden parts of the whole schema, which the JSON Schema of its input does not count.
 *
 * @param make - makes the JSON Schema of the input
 * @param visit - visits the whole schema
 */
function withHidden(
  make: (refine: typeof refined) => JsonSchema | undefined,
  visit: (refine: typeof refined) => void,
): JsonSchema | undefined {
  let seen = 0;
  const made = make((schema) => (seen++, refined(schema)));
  let all = 0;
  visit((schema) => (all++, refined(schema)));
  return made && all > seen ? refined(made, all - seen) : made;
}
