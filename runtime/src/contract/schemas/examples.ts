/** Makes values of a schema, also values near its limits, to find a value that another schema does not accept. */
import { jsonValidator } from '../../server/schemas/json-schema.ts';
import { REFINED } from '../written.ts';
import { alternativesOf } from './alternatives.ts';
import { isNothing, type LinkedSchema } from './linked-schema.ts';

/** The maximum number of values. */
const MAX_EXAMPLES = 3000;

/** The depth to which optional parts of a schema are followed, if the schema contains itself. */
const MAX_DEPTH = 5;

/** Texts of the formats that builders of schemas know, and other texts. */
const TEXTS = [
  '',
  'a',
  'A',
  'é',
  '0',
  '12',
  'abc',
  'a b',
  'a-b',
  'user@example.com',
  'https://example.com/path',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.678Z',
  '03:04:05Z',
  'P1D',
  'PT1H',
  'example.com',
  '127.0.0.1',
  '::1',
  '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
  'YQ==',
];

/** Values that one of the two schemas names. */
interface Hints {
  readonly values: Set<unknown>;
  readonly numbers: Set<number>;
  /** The names of properties. */
  readonly names: Set<string>;
}

export function hintsOf(...schemas: readonly LinkedSchema[]): Hints {
  const hints: Hints = {
    values: new Set(),
    numbers: new Set([-1, 0, 1, 2, 0.5, 1000]),
    names: new Set(),
  };
  const seen = new Set<unknown>();
  const visit = (part: unknown): void => {
    if (typeof part === 'number') {
      for (const near of [part - 1, part, part + 1, part + 0.5]) hints.numbers.add(near);
    }
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    const { enum: values } = part as { enum?: unknown };
    if (Array.isArray(values)) for (const value of values) hints.values.add(value);
    const { properties, pattern } = part as { properties?: object; pattern?: unknown };
    if (typeof pattern === 'string') hints.values.add(textLike(pattern));
    for (const name of Object.keys(properties ?? {})) hints.names.add(name);
    for (const inner of Object.values(part)) visit(inner);
  };
  schemas.forEach(visit);
  return hints;
}

/** Returns a text that matches a simple pattern, such as `room-0` for `^room-\\d+$`. */
function textLike(pattern: string): string {
  return (
    pattern
      .replaceAll(/\\d/g, '0')
      .replaceAll(/\\[wW]/g, 'a')
      // The first character of a class, such as `a` of `[a-z]`.
      .replaceAll(/\[\^?(.)[^\]]*\]/g, '$1')
      .replaceAll(/(.)\{(\d+)[^}]*\}/g, (_, character: string, count: string) =>
        character.repeat(Math.min(Number(count), 1000)),
      )
      .replaceAll(/\|[^)]*/g, '')
      .replaceAll(/[.\\]?[*?]|^\^|\$$|\((\?:)?|\)/g, '')
      .replaceAll(/([^\\])\+/g, '$1')
      .replaceAll(/\\(.)/g, '$1')
  );
}

/** @returns values that probably match the schema; the first is the plainest */
export function* examplesOf(
  schema: LinkedSchema,
  hints: Hints,
  depth = 0,
): Generator<unknown, void> {
  let count = 0;
  for (const alternative of alternativesOf(schema, false) ?? []) {
    for (const value of examplesOfOne(alternative, hints, depth)) {
      if (++count > MAX_EXAMPLES) return;
      yield value;
    }
  }
}

function* examplesOfOne(
  schema: LinkedSchema,
  hints: Hints,
  depth: number,
): Generator<unknown, void> {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] };
  if (values) return yield* values;
  switch (type) {
    case 'string':
      return yield* texts(schema, hints);
    case 'number':
    case 'integer':
      return yield* numbers(schema, hints);
    case 'bigint':
      return yield* [...hints.numbers].filter(Number.isInteger).map(BigInt);
    case 'boolean':
      return yield* [true, false];
    case 'null':
      return yield null;
    case 'undefined':
    case 'void':
      return yield undefined;
    case 'array':
      return yield* arrays(schema, hints, depth);
    case 'object':
      return yield* objects(schema, hints, depth);
    case 'function':
      return yield () => {};
    case undefined:
      yield* [undefined, null, 'a', 1, true, {}, []];
      return yield* hints.values;
    default:
    // No schema of this package checks this type.
  }
}

function* texts(schema: LinkedSchema, hints: Hints): Generator<unknown, void> {
  const { minLength, maxLength, pattern, format } = schema as {
    minLength?: number;
    maxLength?: number;
    pattern?: unknown;
    format?: unknown;
  };
  const named = [...TEXTS, ...hints.values].filter((value) => typeof value === 'string');
  // Only texts that match are examples: an object with any other text would be rejected because of this text alone.
  if (pattern !== undefined || format !== undefined) return yield* named.filter(checkOf(schema));
  for (const length of [minLength ?? 1, maxLength ?? 1, ...hints.numbers]) {
    if (Number.isInteger(length) && length >= 0 && length <= 100_000) yield 'a'.repeat(length);
  }
  yield* named;
}

function checkOf(schema: LinkedSchema): (value: unknown) => boolean {
  try {
    const { [REFINED]: _, ...checked } = schema;
    const validator = jsonValidator(checked, 'schema');
    return (value) => !validator.validate(value).issues;
  } catch {
    // Objects do not check this format either.
    return () => true;
  }
}

function* numbers(schema: LinkedSchema, hints: Hints): Generator<unknown, void> {
  const { multipleOf } = schema as { multipleOf?: number };
  yield* hints.numbers;
  if (typeof multipleOf !== 'number') return;
  for (const near of hints.numbers) yield Math.ceil(near / multipleOf) * multipleOf;
}

/** Returns the first example of a schema; `undefined` if there is none. */
function plainest(schema: LinkedSchema, hints: Hints, depth: number): [unknown] | undefined {
  for (const value of examplesOf(schema, hints, depth)) return [value];
  return undefined;
}

function* arrays(schema: LinkedSchema, hints: Hints, depth: number): Generator<unknown, void> {
  const prefix = (schema['prefixItems'] ?? []) as LinkedSchema[];
  const items = schema['items'] as LinkedSchema | undefined;
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  const itemAt = (index: number): LinkedSchema => prefix[index] ?? items ?? {};
  const made = (length: number): unknown[] | undefined => {
    const list = Array.from({ length }, (_, index) => plainest(itemAt(index), hints, depth + 1));
    return list.every((one) => one !== undefined) ? list.map(([one]) => one) : undefined;
  };
  const lengths = new Set([minItems, prefix.length, 1, ...hints.numbers]);
  for (const length of lengths) {
    if (!Number.isInteger(length) || length < minItems || length > Math.min(maxItems, 1001))
      continue;
    const list = made(length);
    if (list) yield list;
  }
  if (depth > MAX_DEPTH) return;
  const length = Math.min(Math.max(minItems, prefix.length, 1), maxItems);
  const base = made(length);
  if (!base) return;
  for (let index = 0; index < Math.min(length, prefix.length + 1); index++) {
    for (const value of examplesOf(itemAt(index), hints, depth + 1)) yield base.with(index, value);
  }
}

/** The name of a property that no schema names. */
const OTHER = 'other';

function* objects(schema: LinkedSchema, hints: Hints, depth: number): Generator<unknown, void> {
  const properties = Object.entries(
    (schema['properties'] ?? {}) as Readonly<Record<string, LinkedSchema>>,
  );
  const required = new Set((schema['required'] ?? []) as string[]);
  const base: Record<string, unknown> = {};
  for (const [name, inner] of properties) {
    if (!required.has(name)) continue;
    const value = plainest(inner, hints, depth + 1);
    if (!value) return;
    [base[name]] = value;
  }
  for (const name of required) if (!Object.hasOwn(base, name)) base[name] = null;
  yield base;
  if (depth > MAX_DEPTH) return;
  for (const [name, inner] of properties) {
    for (const value of examplesOf(inner, hints, depth + 1)) yield { ...base, [name]: value };
  }
  const others = schema['additionalProperties'] as LinkedSchema | undefined;
  if (!others || isNothing(others)) return;
  for (const name of [OTHER, ...hints.names]) {
    for (const value of examplesOf(others, hints, depth + 1)) yield { ...base, [name]: value };
  }
}
