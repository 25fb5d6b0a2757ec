/**
 * Tests the kinds of types that people write, each as a parameter and as a result of a method. A
 * client passes and receives the types of the class.
 */
import { expectTypeOf, test } from 'vitest';
import { createRpcClient, type RpcClient, type RpcPromise } from '../../src/client.ts';

type Id = string & { readonly brand: 'Id' };
declare const unit: unique symbol;
type Metres = number & { readonly [unit]: 'm' };

interface Tree {
  name?: string;
  parts: Tree[];
  by: Record<string, Tree>;
}
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

interface Page<Item> {
  items: readonly Item[];
  next: string | undefined;
}

const Level = { Low: 'low', High: 'high' } as const;
type Level = (typeof Level)[keyof typeof Level];

type Shape =
  | { kind: 'circle'; radius: number }
  | { kind: 'square'; side: number; at?: [x: number, y: number] };

interface Settings {
  theme: 'dark' | 'light';
  size: number;
}

class Point {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
}

/** A type for each kind. */
interface Kinds {
  string: string;
  number: number;
  bigint: bigint;
  boolean: boolean;
  literal: 'a';
  union: string | number;
  unionOfObjects: Shape;
  unionOfLiterals: 1 | 2 | 'three' | null;
  nullable: Settings | null;
  undefinable: string | undefined;
  tuple: [number, string];
  optionalTuple: [number, string?];
  restTuple: [string, ...number[]];
  readonlyTuple: readonly [number, Shape];
  array: number[];
  readonlyArray: readonly string[];
  arrayOfUnions: (string | Settings)[];
  branded: Id;
  brandedNumber: Metres;
  brandedInside: { id: Id; height?: Metres };
  recursive: Tree;
  json: Json;
  generic: Page<Settings>;
  genericOfUnions: Page<string | null>;
  record: Record<string, number>;
  recordOfLevels: Record<Level, boolean>;
  index: { [key: string]: Settings };
  partial: Partial<Settings>;
  readonly: Readonly<Settings>;
  deepReadonly: { readonly a: { readonly b: readonly number[] } };
  pick: Pick<Settings, 'size'>;
  omit: Omit<Settings, 'size'>;
  mapped: { [Key in keyof Settings as `set_${Key}`]: Settings[Key] };
  template: `row-${number}`;
  enum: Level;
  optionalProperty: { a?: number };
  intersection: Settings & { id: string };
  date: Date;
  error: Error;
  map: Map<string, Settings>;
  readonlyMap: ReadonlyMap<string, number>;
  set: Set<number>;
  bytes: Uint8Array;
  buffer: ArrayBuffer;
  url: URL;
  regexp: RegExp;
  instance: Point;
  unknown: unknown;
  unknownInside: { data: unknown };
  null: null;
  undefined: undefined;
  void: void;
  never: never;
  object: object;
  empty: {};
}

/** For each kind, a method with a parameter of the type, and a method with a result of it. */
type Api = { [Kind in keyof Kinds]: (value: Kinds[Kind]) => void } & {
  [Kind in keyof Kinds as `get_${Kind}`]: () => Kinds[Kind];
} & {
  [Kind in keyof Kinds as `later_${Kind}`]: () => Promise<Kinds[Kind]>;
} & {
  [Kind in keyof Kinds as `optional_${Kind}`]: (first: string, value?: Kinds[Kind]) => void;
};

type Client = RpcClient<Api>;

/** True if two types are equal. */
type Same<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2
    ? true
    : false;

type ResultOf<Name extends keyof Client> = Client[Name] extends () => RpcPromise<infer Result>
  ? Result
  : 'no result';

/** The kinds for which a table has `false`. */
type Failing<Table> = {
  [Kind in keyof Table]: Table[Kind] extends true ? never : Kind;
}[keyof Table];

type Taken<Kind extends keyof Kinds, Name extends keyof Client, Rest extends unknown[] = []> =
  [...Rest, Kinds[Kind]] extends Parameters<Extract<Client[Name], (...args: never[]) => unknown>>
    ? true
    : false;

test('a result arrives as the method returns it, whether or not the method returns a promise', () => {
  type Results = {
    [Kind in keyof Kinds]: Same<Awaited<ReturnType<Client[`get_${Kind}`]>>, Kinds[Kind]>;
  };
  expectTypeOf<Failing<Results>>().toEqualTypeOf<never>();
  type Later = {
    [Kind in keyof Kinds]: Same<Awaited<ReturnType<Client[`later_${Kind}`]>>, Kinds[Kind]>;
  };
  expectTypeOf<Failing<Later>>().toEqualTypeOf<never>();
  expectTypeOf<ResultOf<'get_union'>>().toEqualTypeOf<string | number>();
});

test('a parameter takes the type that the method takes, and may be left out if the method leaves it out', () => {
  type Parameters = { [Kind in keyof Kinds]: Taken<Kind, Kind> };
  expectTypeOf<Failing<Parameters>>().toEqualTypeOf<never>();
  type Optional = { [Kind in keyof Kinds]: Taken<Kind, `optional_${Kind}`, [string]> };
  expectTypeOf<Failing<Optional>>().toEqualTypeOf<never>();
  type LeftOut = {
    [Kind in keyof Kinds]: [string] extends Parameters_<Client[`optional_${Kind}`]> ? true : false;
  };
  expectTypeOf<Failing<LeftOut>>().toEqualTypeOf<never>();
});

type Parameters_<Method> = Method extends (...args: infer Args) => unknown ? Args : never;

test('a parameter takes the promise of a call that returns its type', () => {
  type Promises = {
    [Kind in Exclude<keyof Kinds, 'never' | 'undefined' | 'void'>]: [
      ReturnType<Client[`get_${Kind}`]>,
    ] extends Parameters_<Client[Kind]>
      ? true
      : false;
  };
  expectTypeOf<Failing<Promises>>().toEqualTypeOf<never>();
});

test('an argument that a method does not take does not compile', () => {
  const client = createRpcClient<Api>('API', 'types');
  void (() => {
    // @ts-expect-error: the text has no brand
    void client.branded('a');
    // @ts-expect-error: the text in the object has no brand
    void client.brandedInside({ id: 'a' });
    // @ts-expect-error: the text does not match the template
    void client.template('column-1');
    // @ts-expect-error: the enum has no such level
    void client.enum('middle');
    // @ts-expect-error: the tuple lacks an item
    void client.tuple([1]);
    // @ts-expect-error: the property belongs to another member of the union
    void client.unionOfObjects({ kind: 'circle', side: 1 });
    const wrong = { parts: [{ parts: [], by: { a: { name: 1, parts: [], by: {} } } }], by: {} };
    // @ts-expect-error: a nested value is wrong
    void client.recursive(wrong);
    // @ts-expect-error: no value has the type never
    void client.never(1);
    // @ts-expect-error: the promise has another type
    void client.number(client.get_string());
    // @ts-expect-error: the method does not take every member of the union
    void client.string(client.get_union());
    void client.union(client.get_union());
    void client.boolean(client.get_boolean());
    void client.unionOfObjects(client.get_unionOfObjects());
    void client.generic({ items: [{ theme: 'dark', size: client.get_number() }], next: undefined });
    void client.get_generic().items;
  });
});

test('a client of `any` has any method', () => {
  // oxlint-disable-next-line typescript/no-explicit-any
  const client = createRpcClient<any>('API', 'types');
  void (() => client['whatever']?.(1, 'two'));
});
