/**
 * The keywords of JSON Schema, in the order in which a value is checked: what a schema may write, what it then checks,
 * and what an error says. A keyword that is not here is an error when a class is defined.
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
 * @returns what does not fit
 */
export type Check = (value: unknown, seen?: Seen) => Failure | undefined;

/** The properties or items that a schema has checked. */
export type Seen = Set<string | number>;

export type Fields = Readonly<Record<string, unknown>>;

/** By keyword, what a schema has, with a check in the place of each inner schema. */
type Parts = Readonly<Record<string, unknown>>;

/** The checks of inner schemas, by name. */
export type Named = readonly (readonly [name: string, Check])[];

export interface Keyword extends Expectation {
  /** The value that it takes. */
  readonly takes: keyof typeof OPERANDS;
  /** The values that it checks. Default: all. */
  readonly of?: keyof typeof GROUPS;
  /** Whether it limits all properties of an object, so that it can have no others. */
  readonly closes?: true;
  /** Makes the check of its value alone. */
  test?(operand: never): (value: never) => boolean;
  /** Makes the check. */
  make?(part: never, parts: Parts, schema: Fields): Check | undefined;
}

const isA =
  (type: string) =>
  (value: unknown): boolean =>
    typeof value === type;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** By name, whether a value is of the type. */
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

/** The values that keywords check, and the types that a schema can then name. */
export const GROUPS = {
  number: {
    is: (value: unknown) => Number.isFinite(value) || typeof value === 'bigint',
    types: ['number', 'integer', 'bigint'],
  },
  string: { is: isA('string'), types: ['string'] },
  array: { is: Array.isArray, types: ['array'] },
  object: { is: isObject, types: ['object'] },
  function: { is: isA('function'), types: ['function'] },
} as const;

const isNames = (names: unknown): boolean => Array.isArray(names) && names.every(isA('string'));

/** What keywords take. */
const OPERANDS = {
  'a type': (type: unknown) => [type].flat().every((one) => Object.hasOwn(TYPES, one as string)),
  'a format': (format: unknown) => Object.hasOwn(FORMATS, format as string),
  'a number': (limit: unknown) => Number.isFinite(limit) || typeof limit === 'bigint',
  'a number above 0': (divisor: unknown) =>
    typeof divisor === 'bigint' ? divisor > 0n : Number.isFinite(divisor) && Number(divisor) > 0,
  'a boolean': isA('boolean'),
  'a text': isA('string'),
  'a regular expression': (pattern: unknown) =>
    pattern instanceof RegExp || (typeof pattern === 'string' && isPattern(pattern)),
  'a list': Array.isArray,
  'a list of names': isNames,
  'lists of names': (lists: unknown) => isObject(lists) && Object.values(lists).every(isNames),
  'a schema': () => true,
  'a list of schemas': Array.isArray,
  'a schema or a list': () => true,
  'schemas by name': isObject,
  'schemas by regular expression': (schemas: unknown) =>
    isObject(schemas) && Object.keys(schemas).every(isPattern),
  'what it requires': isObject,
  anything: () => true,
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
export function mapInner(
  keyword: Keyword,
  operand: unknown,
  act: (schema: unknown, ...steps: string[]) => unknown,
): unknown {
  switch (keyword.takes) {
    case 'a schema':
      return act(operand);
    case 'a schema or a list':
      return Array.isArray(operand) ? mapEntries(operand, act).map(([, one]) => one) : act(operand);
    case 'a list of schemas':
      return mapEntries(operand, act).map(([, one]) => one);
    case 'schemas by name':
    case 'schemas by regular expression':
      return mapEntries(operand, act);
    case 'what it requires':
      return mapEntries(operand, (one, key) => (Array.isArray(one) ? one : act(one, key)));
    case 'lists of names':
      return Object.entries(operand as object);
    default:
      return operand;
  }
}

function mapEntries(
  operand: unknown,
  act: (schema: unknown, key: string) => unknown,
): [key: string, unknown][] {
  return Object.entries(operand as object).map(([key, one]) => [key, act(one, key)]);
}

export function takes(keyword: Keyword, operand: unknown): boolean {
  return OPERANDS[keyword.takes](operand);
}

/** Of numbers: `>= 1`. */
const comparison = (
  sign: string,
  test: (limit: number) => (value: number) => boolean,
): Keyword => ({
  takes: 'a number',
  of: 'number',
  says: (limit: number) => `must be ${sign} ${limit}`,
  test,
});

/** Of texts, arrays and objects: `at least 1 item`. */
const size = (
  of: keyof typeof GROUPS,
  noun: string,
  most: string,
  fits: (value: never, limit: number) => boolean,
): Keyword => ({
  takes: 'a number',
  of,
  says: (limit: number) => `must have at ${most} ${count(limit, noun)}`,
  got: (value: unknown) => String(sizeOf(value)),
  test: (limit: number) => (value) => fits(value, limit),
});

/** A keyword that checks nothing by itself. */
const holding = (noun: Keyword['takes'], of?: keyof typeof GROUPS): Keyword => ({
  takes: noun,
  ...(of && { of }),
});

/** All properties of an object that exist have to have others. */
const dependent: Keyword = {
  takes: 'what it requires',
  of: 'object',
  make: (parts: readonly (readonly [string, Check | string[]])[]) => (value, seen) => {
    for (const [name, required] of parts) {
      if (!Object.hasOwn(value as object, name)) continue;
      if (typeof required === 'function') {
        const failure = required(value, seen);
        if (failure) return failure;
      } else if (!required.every((other) => Object.hasOwn(value as object, other))) {
        return failed(DEPENDENT, [name, required], value);
      }
    }
    return undefined;
  },
};

const DEPENDENT: Expectation = {
  says: ([name, required]: [string, string[]]) =>
    `must have properties ${required.join(', ')} when property ${name} is present`,
};

/** Whether an object has no properties but its own. */
export function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The failure of an object without a property that it must have. */
export function missing(names: readonly string[], value: unknown): Failure | undefined {
  const name = names.find((one) => !Object.hasOwn(value as object, one));
  return name === undefined ? undefined : failedAt(name, failed(REQUIRED, undefined, undefined));
}

/** Checks items from an index on. */
const itemsFrom =
  (start: number, check: Check): Check =>
  (value, seen) => {
    const items = value as unknown[];
    for (let index = start; index < items.length; index++) {
      const failure = check(items[index]);
      if (failure) return failedAt(index, failure);
      seen?.add(index);
    }
    return undefined;
  };

/** Checks the first items, each by a check of its own. */
const firstItems =
  (checks: readonly Check[]): Check =>
  (value, seen) => {
    const items = value as unknown[];
    for (let index = 0; index < checks.length && index < items.length; index++) {
      const failure = checks[index]?.(items[index]);
      if (failure) return failedAt(index, failure);
      seen?.add(index);
    }
    return undefined;
  };

/** Checks a value by each, until it does not fit. */
export function allOf([first = accepts, second, ...more]: readonly Check[]): Check {
  if (!second) return first;
  const both: Check = (value, seen) => first(value, seen) ?? second(value, seen);
  return more.length > 0 ? allOf([both, ...more]) : both;
}

/** Checks a value, and adds what was checked only if it fits. */
function attempt(check: Check, value: unknown, seen: Seen | undefined): Failure | undefined {
  if (!seen) return check(value);
  const own: Seen = new Set();
  const failure = check(value, own);
  if (!failure) for (const key of own) seen.add(key);
  return failure;
}

const keyPatterns = ({ patternProperties = {}, additionalProperties = true }: Fields): RegExp[] =>
  // The dot of `.*`, which `Type.Record` writes for any name, stands for no line break without the flag.
  Object.keys(patternProperties as object).map(
    (pattern) => new RegExp(pattern, additionalProperties === true ? 'su' : 'u'),
  );

const CONTAINS: Expectation = {
  says: (bound: string) => `must contain at ${bound} valid item${bound.endsWith(' 1') ? '' : 's'}`,
};

export const accepts: Check = () => undefined;
export const refuses: Check = (value) => failed(NOT_ALLOWED, undefined, value);

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: { takes: 'a type', options: (type: string | string[]) => [type].flat() },
  required: {
    takes: 'a list of names',
    of: 'object',
    make(names: string[], _, { properties = {} }) {
      // `properties` finds those of its own that are missing, and so does another failure of the object.
      const others = names.filter((name) => !Object.hasOwn(properties as object, name));
      return others.length > 0 ? (value) => missing(others, value) : undefined;
    },
  },
  additionalProperties: {
    takes: 'a schema',
    of: 'object',
    closes: true,
    make(check: Check, _, schema) {
      const named = (schema['properties'] ?? {}) as object;
      const patterns = keyPatterns(schema);
      return (value, seen) => {
        for (const key of Object.keys(value as object)) {
          if (Object.hasOwn(named, key) || patterns.some((pattern) => pattern.test(key))) continue;
          const failure = check((value as Fields)[key]);
          if (failure) return failedAt(key, failure);
          seen?.add(key);
        }
        return undefined;
      };
    },
  },
  dependencies: dependent,
  dependentRequired: { ...dependent, takes: 'lists of names' },
  dependentSchemas: { ...dependent, takes: 'schemas by name' },
  patternProperties: {
    takes: 'schemas by regular expression',
    of: 'object',
    closes: true,
    make(named: Named, _, schema) {
      const patterns = keyPatterns(schema);
      return (value, seen) => {
        const keys = Object.keys(value as object);
        for (const [index, [, check]] of named.entries()) {
          for (const key of keys) {
            if (!patterns[index]?.test(key)) continue;
            const failure = check((value as Fields)[key]);
            if (failure) return failedAt(key, failure);
            seen?.add(key);
          }
        }
        return undefined;
      };
    },
  },
  properties: {
    takes: 'schemas by name',
    of: 'object',
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
        // Most objects have the properties in this order. A loop over them takes a third less time than names do.
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
    takes: 'a schema',
    of: 'object',
    closes: true,
    make: (check: Check) => (value) => {
      for (const name of Object.keys(value as object)) {
        const failure = check(name);
        if (failure) return failedAt(name, failure, NAME);
      }
      return undefined;
    },
  },
  minProperties: size('object', 'property', 'least', (value, least) => sizeOf(value) >= least),
  maxProperties: {
    ...size('object', 'property', 'most', (value, most) => sizeOf(value) <= most),
    closes: true,
  },
  additionalItems: {
    takes: 'a schema',
    of: 'array',
    make: (check: Check, { items }) =>
      Array.isArray(items) ? itemsFrom(items.length, check) : undefined,
  },
  contains: {
    takes: 'a schema',
    of: 'array',
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
    takes: 'a schema or a list',
    of: 'array',
    make: (part: Check | Check[], { prefixItems = [] }) =>
      Array.isArray(part) ? firstItems(part) : itemsFrom((prefixItems as Check[]).length, part),
  },
  minContains: holding('a number', 'array'),
  maxContains: holding('a number', 'array'),
  minItems: size('array', 'item', 'least', (value: unknown[], least) => value.length >= least),
  maxItems: size('array', 'item', 'most', (value: unknown[], most) => value.length <= most),
  prefixItems: { takes: 'a list of schemas', of: 'array', make: firstItems },
  uniqueItems: {
    takes: 'a boolean',
    of: 'array',
    says: () => 'must not have duplicate items',
    test: (isAsked: boolean) => (items: unknown[]) => !isAsked || areUnique(items),
  },
  // A character of one or two code units: of a long text, none has to be counted.
  minLength: size(
    'string',
    'character',
    'least',
    (text: string, least) =>
      text.length >= 2 * least || (text.length >= least && lengthOf(text) >= least),
  ),
  maxLength: size(
    'string',
    'character',
    'most',
    (text: string, most) =>
      text.length <= most || (text.length <= 2 * most && lengthOf(text) <= most),
  ),
  pattern: {
    takes: 'a regular expression',
    of: 'string',
    says: (pattern: string | RegExp) => `must match pattern "${patternOf(pattern).source}"`,
    test(pattern: string | RegExp) {
      const regExp = patternOf(pattern);
      return (text: string) => regExp.test(text);
    },
  },
  format: {
    takes: 'a format',
    of: 'string',
    says: (name: string) => `must match format "${name}"`,
    test: (name: string) => FORMATS[name] as (text: string) => boolean,
  },
  minimum: comparison('>=', (limit) => (value) => value >= limit),
  maximum: comparison('<=', (limit) => (value) => value <= limit),
  exclusiveMinimum: comparison('>', (limit) => (value) => value > limit),
  exclusiveMaximum: comparison('<', (limit) => (value) => value < limit),
  multipleOf: {
    takes: 'a number above 0',
    of: 'number',
    says: (divisor: number) => `must be multiple of ${divisor}`,
    test: (divisor: number | bigint) => (value: number | bigint) => isMultiple(value, divisor),
  },
  $ref: { takes: 'a text' },
  const: {
    takes: 'anything',
    options: (value: unknown) => [shown(value)],
    test: (expected: unknown) =>
      typeof expected === 'object'
        ? (value) => areEqual(value, expected)
        : (value) => value === expected,
  },
  enum: {
    takes: 'a list',
    options: (values: unknown[]) => values.map(shown),
    test: (values: unknown[]) => {
      const objects = values.filter((value) => typeof value === 'object' && value !== null);
      return (value) =>
        values.includes(value) || objects.some((expected) => areEqual(value, expected));
    },
  },
  if: {
    takes: 'a schema',
    make:
      (condition: Check, { then = accepts, else: otherwise = accepts }) =>
      (value, seen) => {
        const failure = attempt(condition, value, seen);
        if (failure?.isFatal) return failure;
        return ((failure ? otherwise : then) as Check)(value, seen);
      },
  },
  // oxlint-disable-next-line no-thenable -- it is a keyword
  then: holding('a schema'),
  else: holding('a schema'),
  not: {
    takes: 'a schema',
    says: () => 'must not be valid',
    make: (check: Check) => (value) => {
      const failure = check(value);
      if (!failure) return failed(KEYWORDS['not'] as Keyword, undefined, value);
      return failure.isFatal ? failure : undefined;
    },
  },
  allOf: { takes: 'a list of schemas', make: allOf },
  anyOf: {
    takes: 'a list of schemas',
    make: (checks: Check[]) => (value, seen) => {
      const failures: Failure[] = [];
      for (let index = 0; index < checks.length; index++) {
        const failure = attempt(checks[index] as Check, value, seen);
        if (failure) failures.push(failure);
        // Each member that fits counts for what was checked.
        else if (!seen) return undefined;
      }
      return failures.length < checks.length ? undefined : failedAll(failures, value, checks);
    },
  },
  oneOf: {
    takes: 'a list of schemas',
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
  $defs: holding('schemas by name'),
  definitions: holding('schemas by name'),
  contentSchema: holding('a schema'),
  parameters: holding('a list of schemas', 'function'),
  returnType: holding('a schema', 'function'),
  instanceType: holding('a schema', 'function'),
  unevaluatedItems: {
    takes: 'a schema',
    of: 'array',
    make: (check: Check) => (value, seen) => {
      for (const [index, item] of (value as unknown[]).entries()) {
        const failure = seen?.has(index) ? undefined : check(item);
        if (failure) return failedAt(index, failure);
        seen?.add(index);
      }
      return undefined;
    },
  },
  unevaluatedProperties: {
    takes: 'a schema',
    of: 'object',
    closes: true,
    make: (check: Check) => (value, seen) => {
      for (const [name, part] of Object.entries(value as object)) {
        const failure = seen?.has(name) ? undefined : check(part);
        if (failure) return failedAt(name, failure);
        seen?.add(name);
      }
      return undefined;
    },
  },
};

function patternOf(pattern: string | RegExp): RegExp {
  // One that searches on from its last match would answer differently each time.
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
  // Of decimal fractions, the rest is not exact.
  return Math.min(rest, by - rest) < 1e-10;
}

function shown(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : String(JSON.stringify(value));
}
