/**
 * The keywords of JSON Schema, in the order in which a value is checked. For each keyword, this file has the values that
 * a schema may write, the check, and the words of its error. Any other keyword is an error when a class is defined.
 */
import { areEqual, areUnique } from './equality.ts';
import {
  type Expectation,
  failed,
  failedAll,
  failedAt,
  type Failure,
  NAME,
  NOT_ALLOWED,
  REQUIRED,
} from './failures.ts';
import { FORMATS, isPattern } from './formats.ts';
import { count, lengthOf, sizeOf } from './found-value.ts';

/**
 * Checks a value.
 *
 * @param seen - collects the names of the properties and the indexes of the items that were checked; left out where no
 *   keyword asks for them
 * @returns the failure; `undefined` if the value fits
 */
export type Check = (value: unknown, seen?: Seen) => Failure | undefined;

/** The properties or items that a schema has checked. */
export type Seen = Set<string | number>;

export type Fields = Readonly<Record<string, unknown>>;

/** The keywords of a schema with their values, in which a check replaces each inner schema. */
type Parts = Readonly<Record<string, unknown>>;

/** The checks of inner schemas, by name. */
export type Named = readonly (readonly [name: string, Check])[];

export interface Keyword extends Expectation {
  /** The value that the keyword takes. */
  readonly takes: Operand;
  /** The group of values that the keyword checks. Default: all values. */
  readonly of?: Group;
  /** True if the keyword limits all properties of an object, so that the object can have no others. */
  readonly closes?: true;
  /** Makes the check of a value, if only the value of the keyword matters. */
  test?(operand: never): (value: never) => boolean;
  /** Makes the check of a value, if the rest of the schema matters, too. */
  make?(part: never, parts: Parts, schema: Fields): Check | undefined;
}

const isA =
  (type: string) =>
  (value: unknown): boolean =>
    typeof value === type;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For each name of a type, a function that returns whether a value is of the type. */
export const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: isA('string'),
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: isA('boolean'),
  null: (value) => value === null,
  bigint: isA('bigint'),
  undefined: isA('undefined'),
  void: isA('undefined'),
  symbol: isA('symbol'),
  function: isA('function'),
};

/** The values that a keyword checks, and the types that a schema can then name. */
export interface Group {
  is(value: unknown): boolean;
  readonly types: readonly string[];
}

const group = (is: Group['is'], ...types: string[]): Group => ({ is, types });

const isNumber = (value: unknown): boolean => Number.isFinite(value) || typeof value === 'bigint';

const NUMBERS = group(isNumber, 'number', 'integer', 'bigint');
const STRINGS = group(isA('string'), 'string');
const ARRAYS = group(Array.isArray, 'array');
export const OBJECTS = group(isObject, 'object');
const FUNCTIONS = group(isA('function'), 'function');

/** The values that a keyword takes. */
interface Operand {
  /** The noun for such a value in errors. */
  readonly noun: string;
  is(operand: unknown): boolean;
  /** Calls a function with each schema in the value, and returns the value with each schema replaced by the result. */
  map?(operand: never, act: Act): unknown;
}

type Act = (schema: unknown, ...steps: string[]) => unknown;

const mapEntries = (operand: object, act: Act): [key: string, unknown][] =>
  Object.entries(operand).map(([key, one]) => [key, act(one, key)]);

const mapList = (operand: unknown[], act: Act): unknown[] =>
  operand.map((one, index) => act(one, String(index)));

const isNames = (names: unknown): boolean => Array.isArray(names) && names.every(isA('string'));

const TYPE: Operand = {
  noun: 'a type',
  is: (type) => [type].flat().every((one) => Object.hasOwn(TYPES, one as string)),
};
const FORMAT: Operand = {
  noun: 'a format',
  is: (format) => Object.hasOwn(FORMATS, format as string),
};
const NUMBER: Operand = { noun: 'a number', is: isNumber };
const DIVISOR: Operand = {
  noun: 'a number above 0',
  is: (divisor) => isNumber(divisor) && (divisor as number) > 0,
};
const FLAG: Operand = { noun: 'a boolean', is: isA('boolean') };
const TEXT: Operand = { noun: 'a text', is: isA('string') };
const PATTERN: Operand = {
  noun: 'a regular expression',
  is: (pattern) => pattern instanceof RegExp || (typeof pattern === 'string' && isPattern(pattern)),
};
const LIST: Operand = { noun: 'a list', is: Array.isArray };
const NAMES: Operand = { noun: 'a list of names', is: isNames };
const NAMED_LISTS: Operand = {
  noun: 'lists of names',
  is: (lists) => isObject(lists) && Object.values(lists).every(isNames),
  map: (operand: object) => Object.entries(operand),
};
const ANYTHING: Operand = { noun: 'anything', is: () => true };
const SCHEMA: Operand = { ...ANYTHING, map: (schema, act) => act(schema) };
const SCHEMAS: Operand = { noun: 'a list of schemas', is: Array.isArray, map: mapList };
const SCHEMA_OR_LIST: Operand = {
  ...ANYTHING,
  map: (operand: unknown, act) => (Array.isArray(operand) ? mapList(operand, act) : act(operand)),
};
const NAMED: Operand = { noun: 'schemas by name', is: isObject, map: mapEntries };
const PATTERNED: Operand = {
  ...NAMED,
  noun: 'schemas by regular expression',
  is: (schemas) => isObject(schemas) && Object.keys(schemas).every(isPattern),
};
const NAMED_OR_LISTS: Operand = {
  ...NAMED,
  map: (operand: object, act) =>
    mapEntries(operand, (one, ...keys) => (Array.isArray(one) ? one : act(one, ...keys))),
};

export function keywordOf(name: string): Keyword | undefined {
  return Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
}

/**
 * Calls a function with each schema that a keyword holds.
 *
 * @param act - receives the schema, and the step from the keyword to it if there are several
 * @returns the value of the keyword with each schema replaced by the result, and an object as a list of entries
 */
export function mapInner({ takes }: Keyword, operand: unknown, act: Act): unknown {
  return takes.map ? takes.map(operand as never, act) : operand;
}

/** Makes a keyword that compares numbers: `>= 1`. */
const comparison = (
  sign: string,
  test: (limit: number) => (value: number) => boolean,
): Keyword => ({
  takes: NUMBER,
  of: NUMBERS,
  says: (limit: number) => `must be ${sign} ${limit}`,
  test,
});

/** Makes a keyword that limits the size of texts, arrays or objects: `at least 1 item`. */
const size = (
  of: Group,
  noun: string,
  most: string,
  fits: (value: never, limit: number) => boolean,
): Keyword => ({
  takes: NUMBER,
  of,
  says: (limit: number) => `must have at ${most} ${count(limit, noun)}`,
  got: (value: unknown) => String(sizeOf(value)),
  test: (limit: number) => (value) => fits(value, limit),
});

/** Makes a keyword that checks nothing by itself. */
const holding = (noun: Keyword['takes'], of?: Group): Keyword => ({
  takes: noun,
  ...(of && { of }),
});

/** A keyword that requires further properties if an object has a property. */
const dependent: Keyword = {
  takes: NAMED_OR_LISTS,
  of: OBJECTS,
  make: (parts: readonly (readonly [string, Check | string[]])[]) => (value, seen) =>
    firstOf(parts, ([name, required]) => {
      const isMissing = (other: string): boolean => !Object.hasOwn(value as object, other);
      if (isMissing(name)) return undefined;
      if (typeof required === 'function') return required(value, seen);
      return required.some(isMissing) ? failed(DEPENDENT, [name, required], value) : undefined;
    }),
};

const DEPENDENT: Expectation = {
  says: ([name, required]: [string, string[]]) =>
    `must have properties ${required.join(', ')} when property ${name} is present`,
};

/** Returns whether an object has no properties but its own. */
export function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the failure of an object without a property that it must have. */
export function missing(names: readonly string[], value: unknown): Failure | undefined {
  const name = names.find((one) => !Object.hasOwn(value as object, one));
  return name === undefined ? undefined : failedAt(name, failed(REQUIRED, undefined, undefined));
}

/** Returns the first failure of several items. */
function firstOf<Item>(
  items: Iterable<Item>,
  failureOf: (item: Item) => Failure | undefined,
): Failure | undefined {
  for (const item of items) {
    const failure = failureOf(item);
    if (failure) return failure;
  }
  return undefined;
}

/** Checks a part of a value. */
function checkPart(
  check: Check,
  part: unknown,
  key: string | number,
  seen: Seen | undefined,
): Failure | undefined {
  const failure = check(part);
  if (failure) return failedAt(key, failure);
  seen?.add(key);
  return undefined;
}

/** Checks the items from an index up to another index. */
const itemsFrom =
  (start: number, checkOf: (index: number) => Check, end = Infinity): Check =>
  (value, seen) => {
    const items = value as unknown[];
    for (let index = start; index < items.length && index < end; index++) {
      const failure = checkPart(checkOf(index), items[index], index, seen);
      if (failure) return failure;
    }
    return undefined;
  };

/** Checks the first items. Each item has its own check. */
const firstItems = (checks: readonly Check[]): Check =>
  itemsFrom(0, (index) => checks[index] as Check, checks.length);

/** Makes a check that applies all checks to a value, until the value does not fit. */
export function allOf([first = accepts, second, ...more]: readonly Check[]): Check {
  if (!second) return first;
  const both: Check = (value, seen) => first(value, seen) ?? second(value, seen);
  return more.length > 0 ? allOf([both, ...more]) : both;
}

/** Checks a value. Adds the checked parts to `seen` only if the value fits. */
function attempt(check: Check, value: unknown, seen: Seen | undefined): Failure | undefined {
  if (!seen) return check(value);
  const own: Seen = new Set();
  const failure = check(value, own);
  if (!failure) for (const key of own) seen.add(key);
  return failure;
}

const keyPatterns = ({ patternProperties = {}, additionalProperties = true }: Fields): RegExp[] =>
  // `Type.Record` writes `.*` for any name. Without the flag `s`, the dot does not match a line break.
  Object.keys(patternProperties as object).map(
    (pattern) => new RegExp(pattern, additionalProperties === true ? 'su' : 'u'),
  );

const CONTAINS: Expectation = {
  says: (bound: string) => `must contain at ${bound} valid item${bound.endsWith(' 1') ? '' : 's'}`,
};

export const accepts: Check = () => undefined;
export const refuses: Check = (value) => failed(NOT_ALLOWED, undefined, value);

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: { takes: TYPE, options: (type: string | string[]) => [type].flat() },
  required: {
    takes: NAMES,
    of: OBJECTS,
    make(names: string[], _, { properties = {} }) {
      // The keyword `properties` finds missing properties that it names, so only the other names are checked here.
      const others = names.filter((name) => !Object.hasOwn(properties as object, name));
      return others.length > 0 ? (value) => missing(others, value) : undefined;
    },
  },
  additionalProperties: {
    takes: SCHEMA,
    of: OBJECTS,
    closes: true,
    make(check: Check, _, schema) {
      const named = (schema['properties'] ?? {}) as object;
      const patterns = keyPatterns(schema);
      return (value, seen) =>
        firstOf(Object.keys(value as object), (key) =>
          Object.hasOwn(named, key) || patterns.some((pattern) => pattern.test(key))
            ? undefined
            : checkPart(check, (value as Fields)[key], key, seen),
        );
    },
  },
  dependencies: dependent,
  dependentRequired: { ...dependent, takes: NAMED_LISTS },
  dependentSchemas: { ...dependent, takes: NAMED },
  patternProperties: {
    takes: PATTERNED,
    of: OBJECTS,
    closes: true,
    make(named: Named, _, schema) {
      const patterns = keyPatterns(schema);
      return (value, seen) =>
        firstOf(named.entries(), ([index, [, check]]) =>
          firstOf(Object.keys(value as object), (key) =>
            patterns[index]?.test(key)
              ? checkPart(check, (value as Fields)[key], key, seen)
              : undefined,
          ),
        );
    },
  },
  properties: {
    takes: NAMED,
    of: OBJECTS,
    make(named: Named, { required = [] }) {
      const names = named.map(([name]) => name);
      const checks = named.map(([, check]) => check);
      const isRequired = names.map((name) => (required as string[]).includes(name));
      const failureAt = (value: unknown, index: number, part: unknown): Failure | undefined => {
        // An optional property can be undefined.
        if (part === undefined && !isRequired[index]) return undefined;
        const failure = (checks[index] as Check)(part);
        return (
          failure &&
          (missing(required as string[], value) ?? failedAt(names[index] as string, failure))
        );
      };
      return (value, seen) => {
        let index = 0;
        // Most objects have their properties in the order of the schema. This loop is then 33 % faster than looking up
        // each name.
        if (!seen && isPlain(value)) {
          for (const name in value as Fields) {
            if (name !== names[index]) break;
            const failure = failureAt(value, index, (value as Fields)[name]);
            if (failure) return failure;
            index++;
          }
        }
        for (; index < names.length; index++) {
          const name = names[index] as string;
          if (Object.hasOwn(value as object, name)) {
            const failure = failureAt(value, index, (value as Fields)[name]);
            if (failure) return failure;
            seen?.add(name);
          } else if (isRequired[index]) return missing(required as string[], value);
        }
        return undefined;
      };
    },
  },
  propertyNames: {
    takes: SCHEMA,
    of: OBJECTS,
    closes: true,
    make: (check: Check) => (value) =>
      firstOf(Object.keys(value as object), (name) => {
        const failure = check(name);
        return failure && failedAt(name, failure, NAME);
      }),
  },
  minProperties: size(OBJECTS, 'property', 'least', (value, least) => sizeOf(value) >= least),
  maxProperties: {
    ...size(OBJECTS, 'property', 'most', (value, most) => sizeOf(value) <= most),
    closes: true,
  },
  additionalItems: {
    takes: SCHEMA,
    of: ARRAYS,
    make: (check: Check, { items }) =>
      Array.isArray(items) ? itemsFrom(items.length, () => check) : undefined,
  },
  contains: {
    takes: SCHEMA,
    of: ARRAYS,
    make: (check: Check, { minContains = 1, maxContains = Infinity }) => {
      const [least, most] = [minContains as number, maxContains as number];
      return (value, seen) => {
        let found = 0;
        for (const [index, item] of (value as unknown[]).entries()) {
          const failure = check(item);
          if (failure?.isFatal) return failedAt(index, failure);
          if (failure) continue;
          found++;
          seen?.add(index);
        }
        if (found >= least && found <= most) return undefined;
        return failed(CONTAINS, found < least ? `least ${least}` : `most ${most}`, value);
      };
    },
  },
  items: {
    takes: SCHEMA_OR_LIST,
    of: ARRAYS,
    make: (part: Check | Check[], { prefixItems = [] }) =>
      Array.isArray(part)
        ? firstItems(part)
        : itemsFrom((prefixItems as Check[]).length, () => part),
  },
  minContains: holding(NUMBER, ARRAYS),
  maxContains: holding(NUMBER, ARRAYS),
  minItems: size(ARRAYS, 'item', 'least', (value: unknown[], least) => value.length >= least),
  maxItems: size(ARRAYS, 'item', 'most', (value: unknown[], most) => value.length <= most),
  prefixItems: { takes: SCHEMAS, of: ARRAYS, make: firstItems },
  uniqueItems: {
    takes: FLAG,
    of: ARRAYS,
    says: () => 'must not have duplicate items',
    test: (isAsked: boolean) => (items: unknown[]) => !isAsked || areUnique(items),
  },
  // A character has one or two code units, so the characters of a long text need not be counted.
  minLength: size(
    STRINGS,
    'character',
    'least',
    (text: string, least) =>
      text.length >= 2 * least || (text.length >= least && lengthOf(text) >= least),
  ),
  maxLength: size(
    STRINGS,
    'character',
    'most',
    (text: string, most) =>
      text.length <= most || (text.length <= 2 * most && lengthOf(text) <= most),
  ),
  pattern: {
    takes: PATTERN,
    of: STRINGS,
    says: (pattern: string | RegExp) => `must match pattern "${patternOf(pattern).source}"`,
    test(pattern: string | RegExp) {
      const regExp = patternOf(pattern);
      return (text: string) => regExp.test(text);
    },
  },
  format: {
    takes: FORMAT,
    of: STRINGS,
    says: (name: string) => `must match format "${name}"`,
    test: (name: string) => FORMATS[name] as (text: string) => boolean,
  },
  minimum: comparison('>=', (limit) => (value) => value >= limit),
  maximum: comparison('<=', (limit) => (value) => value <= limit),
  exclusiveMinimum: comparison('>', (limit) => (value) => value > limit),
  exclusiveMaximum: comparison('<', (limit) => (value) => value < limit),
  multipleOf: {
    takes: DIVISOR,
    of: NUMBERS,
    says: (divisor: number) => `must be multiple of ${divisor}`,
    test: (divisor: number | bigint) => (value: number | bigint) => isMultiple(value, divisor),
  },
  $ref: { takes: TEXT },
  const: {
    takes: ANYTHING,
    options: (value: unknown) => [shown(value)],
    test: (expected: unknown) =>
      typeof expected === 'object'
        ? (value) => areEqual(value, expected)
        : (value) => value === expected,
  },
  enum: {
    takes: LIST,
    options: (values: unknown[]) => values.map(shown),
    test: (values: unknown[]) => {
      const objects = values.filter((value) => typeof value === 'object' && value !== null);
      return (value) =>
        values.includes(value) || objects.some((expected) => areEqual(value, expected));
    },
  },
  if: {
    takes: SCHEMA,
    make:
      (condition: Check, { then = accepts, else: otherwise = accepts }) =>
      (value, seen) => {
        const failure = attempt(condition, value, seen);
        if (failure?.isFatal) return failure;
        return ((failure ? otherwise : then) as Check)(value, seen);
      },
  },
  // oxlint-disable-next-line no-thenable -- it is a keyword
  then: holding(SCHEMA),
  else: holding(SCHEMA),
  not: {
    takes: SCHEMA,
    says: () => 'must not be valid',
    make: (check: Check) => (value) => {
      const failure = check(value);
      if (!failure) return failed(KEYWORDS['not'] as Keyword, undefined, value);
      return failure.isFatal ? failure : undefined;
    },
  },
  allOf: { takes: SCHEMAS, make: allOf },
  anyOf: {
    takes: SCHEMAS,
    make: (checks: Check[]) => (value, seen) => {
      const failures: Failure[] = [];
      for (let index = 0; index < checks.length; index++) {
        const failure = attempt(checks[index] as Check, value, seen);
        if (failure) failures.push(failure);
        // The parts that each fitting member has checked count as checked.
        else if (!seen) return undefined;
      }
      return failures.length < checks.length ? undefined : failedAll(failures, value, checks);
    },
  },
  oneOf: {
    takes: SCHEMAS,
    says: () => 'must match exactly one schema in oneOf',
    make: (checks: Check[]) => (value, seen) => {
      const failures = checks.flatMap((check) => attempt(check, value, seen) ?? []);
      const fatal = failures.find(({ isFatal }) => isFatal);
      if (fatal) return fatal;
      if (failures.length === checks.length) return failedAll(failures, value, checks);
      if (failures.length === checks.length - 1) return undefined;
      return failed(KEYWORDS['oneOf'] as Keyword, undefined, value);
    },
  },
  $defs: holding(NAMED),
  definitions: holding(NAMED),
  contentSchema: holding(SCHEMA),
  parameters: holding(SCHEMAS, FUNCTIONS),
  returnType: holding(SCHEMA, FUNCTIONS),
  instanceType: holding(SCHEMA, FUNCTIONS),
  unevaluatedItems: {
    takes: SCHEMA,
    of: ARRAYS,
    make: (check: Check) => (value, seen) => unseen(check, (value as unknown[]).entries(), seen),
  },
  unevaluatedProperties: {
    takes: SCHEMA,
    of: OBJECTS,
    closes: true,
    make: (check: Check) => (value, seen) => unseen(check, Object.entries(value as object), seen),
  },
};

/** Checks the parts that no other keyword has checked. */
function unseen(
  check: Check,
  parts: Iterable<readonly [string | number, unknown]>,
  seen: Seen | undefined,
): Failure | undefined {
  return firstOf(parts, ([key, part]) =>
    seen?.has(key) ? undefined : checkPart(check, part, key, seen),
  );
}

function patternOf(pattern: string | RegExp): RegExp {
  // A regular expression with the flag `g` or `y` continues after its last match, so it would answer differently.
  return typeof pattern === 'string'
    ? new RegExp(pattern, 'u')
    : new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
}

function isMultiple(value: number | bigint, divisor: number | bigint): boolean {
  const isWhole = typeof divisor === 'bigint' || Number.isInteger(divisor);
  if (isWhole && (typeof value === 'bigint' || typeof divisor === 'bigint')) {
    return typeof value === 'bigint' || Number.isInteger(value)
      ? BigInt(value) % BigInt(divisor) === 0n
      : false;
  }
  const [dividend, by] = [Number(value), Number(divisor)];
  if (Number.isInteger(dividend) && Number.isInteger(1 / by)) return true;
  const rest = Math.abs(dividend % by);
  // The remainder of a division by a decimal fraction is not exact.
  return Math.min(rest, by - rest) < 1e-10;
}

function shown(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : String(JSON.stringify(value));
}
