/** The JSON Schema of a contract's schema, as it is written into the file. */
import { isStandard } from '../server/contract/description.ts';
import { exchangedSchema } from './library-schemas.ts';
import { REFINED, UNREADABLE, type WrittenSchema } from './written.ts';

/** Keywords that do not change which values are accepted. */
const ANNOTATIONS = new Set(
  '$schema $comment title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType'.split(
    ' ',
  ),
);

type Fields = Readonly<Record<string, unknown>>;

/** @param schema - a schema of TypeBox, or of a library that implements Standard Schema */
export function writtenSchema(schema: object): WrittenSchema {
  if (!isStandard(schema)) return write(schema) as WrittenSchema;
  const made = exchangedSchema(schema);
  // A schema of Zod is also a Standard Schema, by a hidden property.
  return made
    ? (write({ ...made }) as WrittenSchema)
    : { [UNREADABLE]: schema['~standard'].vendor };
}

/** Copies a schema as plain data. A bigint becomes a text such as `5n`, which `readSchema` reads. */
function write(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof RegExp) return value.source;
  if (Array.isArray(value)) return value.map(write);
  if (typeof value !== 'object' || value === null) return value;
  // This is the schema of another library inside of the schema of a callback.
  if (isStandard(value)) return writtenSchema(value);
  const written: Record<string, unknown> = {};
  for (const [keyword, held] of Object.entries(value)) {
    if (held === undefined || keyword.startsWith('~') || ANNOTATIONS.has(keyword)) continue;
    written[keyword] = NAMED.has(keyword) ? writeNamed(held as Fields) : write(held);
  }
  const { '~refine': refinements, '~result': result } = value as {
    '~refine'?: readonly unknown[];
    '~result'?: () => object;
  };
  if (refinements) written[REFINED] = refinements.length;
  if (result) written['returnType'] = writtenSchema(result());
  return written;
}

/** Keywords that hold schemas by names, which can be the names of annotations. */
const NAMED = new Set('properties patternProperties $defs definitions dependentSchemas'.split(' '));

function writeNamed(schemas: Fields): Fields {
  return Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, write(inner)]));
}

/** Keywords whose value is a number, or a text such as `5n` in the schema of a bigint. */
const NUMERIC = new Set('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' '));

/** Reads the bigints of a schema in the file. */
export function readSchema(schema: WrittenSchema): WrittenSchema {
  return read(schema) as WrittenSchema;
}

function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== 'object' || value === null) return value;
  const { type } = value as { type?: unknown };
  const entries = Object.entries(value).map(([keyword, held]) => {
    const isNumber = NUMERIC.has(keyword) || (keyword === 'const' && type === 'bigint');
    return [keyword, isNumber && typeof held === 'string' ? toBigInt(held) : read(held)] as const;
  });
  return Object.fromEntries(entries);
}

function toBigInt(text: string): unknown {
  return /^-?\d+n$/.test(text) ? BigInt(text.slice(0, -1)) : text;
}
