/** The same schemas, written with each library that implements Standard Schema. */
import { scope, type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import * as zm from 'zod/mini';
import type { StandardSchema } from '../../../../src/server/base/standard-schema.ts';

const { _default: withDefault } = zm;

export interface Item {
  sku: string;
  amount: number;
}

export interface Tree {
  value: number;
  children: Tree[];
}

/** An object that a transform can make, and that no message can carry. */
export class Money {
  readonly cents: number;

  constructor(cents: number) {
    this.cents = cents;
  }
}

export interface Schemas {
  readonly text: StandardSchema<string>;
  readonly number: StandardSchema<number>;
  readonly item: StandardSchema<{ sku: string; amount?: number }, Item>;
  readonly either: StandardSchema<string | number>;
  /** Transforms a text into a Date. */
  readonly day: StandardSchema<string, Date>;
  readonly money: StandardSchema<number, Money>;
  /** Refines a number. */
  readonly even: StandardSchema<number>;
  readonly tree: StandardSchema<Tree>;
  readonly counts: StandardSchema<Record<string, number>>;
  readonly optional: StandardSchema<string | undefined>;
  readonly fallback: StandardSchema<number | undefined, number>;
  readonly numbers: StandardSchema<number[]>;
  readonly members: StandardSchema<Set<string>>;
  readonly pattern: StandardSchema<RegExp>;
  /** Throws an error when it checks a value. */
  readonly throwing: StandardSchema<string>;
  /** Returns a promise. */
  readonly asynchronous: StandardSchema<string>;
}

const EVEN = 'must be even';
const isEven = (value: number): boolean => value % 2 === 0;
const fail = (): never => {
  throw new TypeError('a bug in the check');
};
const later = (): Promise<boolean> => Promise.resolve(true);
const toDate = (text: string): Date => new Date(text);
const toMoney = (cents: number): Money => new Money(cents);

const zodTree: z.ZodType<Tree, Tree> = z.object({
  value: z.number(),
  get children() {
    return z.array(zodTree);
  },
});

const miniTree: zm.ZodMiniType<Tree, Tree> = zm.object({
  value: zm.number(),
  get children() {
    return zm.array(miniTree);
  },
});

const valibotTree: v.GenericSchema<Tree> = v.object({
  value: v.number(),
  children: v.array(v.lazy(() => valibotTree)),
});

const ark = scope({ tree: { value: 'number', children: 'tree[]' } }).export();

export const LIBRARIES = {
  zod: {
    text: z.string(),
    number: z.number(),
    item: z.object({ sku: z.string(), amount: z.number().default(1) }),
    either: z.union([z.string(), z.number()]),
    day: z.string().transform(toDate),
    money: z.number().transform(toMoney),
    even: z.number().refine(isEven, EVEN),
    tree: zodTree,
    counts: z.record(z.string(), z.number()),
    optional: z.string().optional(),
    fallback: z.number().default(10),
    numbers: z.array(z.number()),
    members: z.set(z.string()),
    pattern: z.instanceof(RegExp),
    throwing: z.string().refine(fail),
    asynchronous: z.string().refine(later),
  },
  'zod/mini': {
    text: zm.string(),
    number: zm.number(),
    item: zm.object({ sku: zm.string(), amount: withDefault(zm.number(), 1) }),
    either: zm.union([zm.string(), zm.number()]),
    day: zm.pipe(zm.string(), zm.transform(toDate)),
    money: zm.pipe(zm.number(), zm.transform(toMoney)),
    even: zm.number().check(zm.refine(isEven, EVEN)),
    tree: miniTree,
    counts: zm.record(zm.string(), zm.number()),
    optional: zm.optional(zm.string()),
    fallback: withDefault(zm.number(), 10),
    numbers: zm.array(zm.number()),
    members: zm.set(zm.string()),
    pattern: zm.instanceof(RegExp),
    throwing: zm.string().check(zm.refine(fail)),
    asynchronous: zm.string().check(zm.refine(later)),
  },
  valibot: {
    text: v.string(),
    number: v.number(),
    item: v.object({ sku: v.string(), amount: v.optional(v.number(), 1) }),
    either: v.union([v.string(), v.number()]),
    day: v.pipe(v.string(), v.transform(toDate)),
    money: v.pipe(v.number(), v.transform(toMoney)),
    even: v.pipe(v.number(), v.check(isEven, EVEN)),
    tree: valibotTree,
    counts: v.record(v.string(), v.number()),
    optional: v.optional(v.string()),
    fallback: v.optional(v.number(), 10),
    numbers: v.array(v.number()),
    members: v.set(v.string()),
    pattern: v.instance(RegExp),
    throwing: v.pipe(v.string(), v.check(fail)),
    // A schema that declares itself asynchronous is refused when a contract lists it.
    asynchronous: Object.assign(v.pipeAsync(v.string(), v.checkAsync(later)), {
      async: undefined,
    }) as StandardSchema<string>,
  },
  arktype: {
    text: type('string'),
    number: type('number'),
    item: type({ sku: 'string', amount: 'number = 1' }),
    either: type('string | number'),
    day: type('string').pipe(toDate),
    money: type('number').pipe(toMoney),
    even: type('number').narrow((value, context) => isEven(value) || context.mustBe('even')),
    tree: ark.tree,
    counts: type({ '[string]': 'number' }),
    optional: type('string | undefined'),
    fallback: type('number | undefined').pipe((value) => value ?? 10),
    numbers: type('number[]'),
    members: type('Set').narrow((set): set is Set<string> =>
      [...set].every((member) => typeof member === 'string'),
    ),
    pattern: type('RegExp'),
    throwing: type('string').narrow(fail),
    // ArkType has no asynchronous schemas, so this schema is written by hand.
    asynchronous: {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value) => later().then(() => ({ value: value as string })),
      },
    },
  },
} satisfies Record<string, Schemas>;

export type Library = keyof typeof LIBRARIES;
export const NAMES = Object.keys(LIBRARIES) as Library[];

/** Returns the schemas of a library. Their types are common to all libraries. */
export function schemasOf(name: Library): Schemas {
  return LIBRARIES[name];
}
