/** Collections, arrays with holes, shared objects and cycles. */
import type { Case } from './case.ts';

/** Creates a value, and lets `close` add a reference to the value itself. */
function cyclic<Value>(value: Value, close: (value: Value) => void): Value {
  close(value);
  return value;
}

function sparse(length: number, items: Record<number, unknown>): unknown[] {
  return Object.assign([], items, { length });
}

function nullPrototype(properties: object): object {
  return Object.assign(Object.create(null), properties);
}

/** Returns an object with properties of these names. */
export function named(names: string[]): object {
  return Object.fromEntries(names.map((name, index) => [name, index]));
}

export function twice(value: unknown): unknown[] {
  return [value, value];
}

/**
 * Returns ten objects. Each occurs twice in the next one, which would be 1 024 objects if they were
 * written out.
 */
function diamonds(): unknown {
  let value: unknown = ['the end'];
  for (let level = 0; level < 10; level++) value = [value, value];
  return value;
}

function nestedMaps(depth: number): unknown {
  let value: unknown = 'the end';
  for (let level = 0; level < depth; level++) value = new Map([[`level ${level}`, value]]);
  return value;
}

export const collectionCases: Case[] = [
  { name: 'an empty Map', value: () => new Map(), wire: '[1,"rich",[["Map"]]]' },
  { name: 'a Map', value: () => new Map([['a', 1]]), wire: '[1,"rich",[["Map","a",1]]]' },
  {
    name: 'a Map with every type of primitive as key',
    value: () =>
      new Map<unknown, unknown>([
        [0, 'zero'],
        ['0', 'text'],
        [false, 1],
        [null, 2],
        [undefined, 3],
        [Number.NaN, 4],
        [1n, 5],
      ]),
  },
  {
    name: 'a Map with objects as keys',
    value: () =>
      new Map<unknown, unknown>([
        [{ a: 1 }, [1]],
        [{ a: 1 }, [2]],
        [[], {}],
      ]),
  },
  {
    name: 'a Map with Maps as keys',
    value: () => new Map([[new Map([[new Map(), 1]]), new Map()]]),
  },
  {
    name: 'a Map in its order',
    value: () =>
      new Map([
        ['b', 1],
        ['a', 2],
        ['1', 3],
      ]),
  },
  { name: 'an empty Set', value: () => new Set(), wire: '[1,"rich",[["Set"]]]' },
  { name: 'a Set', value: () => new Set([3, 'a', 3]), wire: '[1,"rich",[["Set",3,"a"]]]' },
  { name: 'a Set of objects', value: () => new Set([{}, [], {}, new Set([new Map()])]) },
  { name: 'nested Maps', value: () => nestedMaps(80) },
  {
    name: 'a hole',
    value: () => sparse(2, { 1: 'a' }),
    wire: '[1,"rich",[["Sparse",{"1":"a"},2]]]',
  },
  { name: 'holes only', value: () => sparse(5, {}) },
  { name: 'a hole at the end', value: () => sparse(3, { 0: 1, 1: 2 }) },
  { name: 'holes beside undefined', value: () => sparse(4, { 1: undefined, 2: null }) },
  {
    name: 'a long array that is nearly empty',
    value: () => sparse(1_000, { 7: 'a', 999: new Date(0) }),
    wire: '[1,"rich",[["Sparse",{"7":"a","999":["Date",0]},1000]]]',
  },
  {
    name: 'an object without a prototype',
    value: () => nullPrototype({ a: 1 }),
    wire: '[1,"rich",[["Null",{"a":1}]]]',
  },
  { name: 'an empty object without a prototype', value: () => nullPrototype({}) },
  {
    name: 'an object without a prototype and with odd keys',
    value: () =>
      nullPrototype(named(['', 'constructor', 'toString', 'then', '__defineGetter__', '\uD800"'])),
  },
  {
    name: 'odd keys beside values that JSON lacks',
    value: () => ({
      '': undefined,
      constructor: -0,
      toString: 1n,
      '\uDC00': new Set(),
      ...named(['then']),
    }),
  },
  {
    name: 'strings beside values that JSON lacks',
    value: () => ['\uD800', '<\u2028"\\', 'x'.repeat(9_999), undefined],
  },
];

export const graphCases: Case[] = [
  {
    name: 'arrays that are sent with a marker',
    value: () => [undefined, [], [1], [-1], ['NaN'], ['a'], [['a']], ['Date', 1], ['Odd', 2]],
    wire: '[1,"rich",[[[],[[]],[[1]],[[-1]],[["NaN"]],[["a"]],[[[["a"]]]],[["Date",1]],[["Odd",2]]]]]',
  },
  {
    name: 'arrays that are sent without a marker',
    value: () => [undefined, [1, 2], [-1, -1], ['date', 1], [{}, []], [['A', 1], 2]],
    wire: '[1,"rich",[[[],[1,2],[-1,-1],["date",1],[{},[[]]],[[["A",1]],2]]]]',
  },
  {
    name: 'an object that occurs twice',
    value: () => twice({ a: 1 }),
    wire: '[1,"rich",[[{"a":1},[-2]]]]',
  },
  {
    name: 'an empty array that occurs twice',
    value: () => {
      const empty: unknown[] = [];
      return { a: empty, b: empty };
    },
  },
  { name: 'a Date that occurs twice', value: () => twice(new Date(5)) },
  {
    name: 'an object as key, value and member',
    value: () => {
      const shared = { name: 'shared' };
      return { map: new Map([[shared, shared]]), set: new Set([shared]), shared };
    },
  },
  { name: 'objects shared at every level', value: diamonds },
  {
    name: 'more than 32 objects, two of which are one object',
    value: () => {
      const objects: object[] = Array.from({ length: 40 }, (_, index) => ({ index }));
      return [...objects, objects[3]];
    },
  },
  {
    name: 'several hundred objects, two of which are one object, with values that are not numbered among them',
    value: () => {
      const shared = { at: new Date(0) };
      const rows = Array.from({ length: 300 }, (_, index) => ({
        id: BigInt(index % 2),
        at: new Date(index),
        bytes: index % 100 ? undefined : Uint8Array.of(index),
        tags: index % 50 ? ['a', 'b'] : [],
        shared: index % 40 ? undefined : shared,
      }));
      return { rows, last: rows[299], first: rows[0], shared };
    },
  },
  {
    name: 'an object in itself',
    value: () => cyclic<Record<string, unknown>>({ a: 1 }, (object) => (object.self = object)),
    wire: '[1,"rich",[{"a":1,"self":[-1]}]]',
  },
  { name: 'an array in itself', value: () => cyclic<unknown[]>([], (array) => array.push(array)) },
  {
    name: 'a Map in itself, as key and as value',
    value: () => cyclic(new Map<unknown, unknown>(), (map) => map.set(map, [map])),
  },
  { name: 'a Set in itself', value: () => cyclic(new Set<unknown>(), (set) => set.add({ set })) },
  {
    name: 'an object without a prototype in itself',
    value: () => cyclic(nullPrototype({}), (object) => Object.assign(object, { object })),
  },
  {
    name: 'a sparse array in itself',
    value: () => cyclic(sparse(1_000, {}), (array) => (array[500] = array)),
  },
  {
    name: 'two objects in each other',
    value: () => {
      const parent = { name: 'parent', children: new Set<object>() };
      parent.children.add({ name: 'child', parent });
      return parent;
    },
  },
  {
    name: 'a long cycle',
    value: () =>
      cyclic<Record<string, unknown>>(
        {},
        (object) => (object.a = [new Map([['b', { c: object }]])]),
      ),
  },
];
