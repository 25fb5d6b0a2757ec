/** Hostile arguments, in well-formed calls of `increment`. */
import { forCall, type HostileFrame, nest, plain, rich, richArgument } from './writing.ts';

/**
 * Returns a number of items, each within the item before it.
 *
 * @param item - with `#` in place of the next item; a second `#` refers to the same item
 */
function nestIn(item: string, depth: number): string {
  const [start = '', end = '', ...more] = item.split('#');
  const ends = Array.from({ length: depth }, (_, level) => [end, ...more].join(`[-${level + 3}]`));
  return `${start.repeat(depth)}{}${ends.toReversed().join('')}`;
}

/** Returns a list with this number of levels, which include the arguments. */
function levels(count: number): () => string {
  return richArgument(nest(count - 1));
}

function named(
  prefix: string,
  texts: string[],
  write: (text: string) => () => string,
): [string, () => string][] {
  return texts.map((text) => [`${prefix} ${text}`, write(text)]);
}

export const values: HostileFrame[] = [
  ...forCall('INVALID_ARGUMENTS', [
    ['a lone surrogate', plain(String.raw`"\ud800"`)],
    ['keys of inherited names', plain('{"constructor":1,"toString":2,"hasOwnProperty":3}')],
    ['a toJSON', plain('{"toJSON":1,"then":2,"valueOf":3}')],
    [
      'keys of inherited names in rich form',
      richArgument('{"constructor":[],"then":1,"toString":1}'),
    ],
    ['an array of two negative numbers', richArgument('[-1,-1]')],
    ['a cycle', richArgument('[[[-2]]]')],
    ['a cycle through an array of two', richArgument('[[-2],1]')],
    ['two cycles in each other', richArgument('{"a":[-2],"b":[[[-2],[-3]]]}')],
    ['a long cycle', richArgument(nest(60, 1, '[-2]'))],
    ['the arguments in themselves', rich('[[[[-1]]]]')],
    ['a Map in itself', richArgument('["Map",[-2],[-2]]')],
    ['a Set in itself', richArgument('["Set",[-2],[-1]]')],
    ['an array with holes in itself', richArgument('["Sparse",{"1":[-2]},3]')],
    ['an object without a prototype in itself', richArgument('["Null",{"a":[-2]}]')],
    [
      'items without a reference to them',
      richArgument('{"a":[]}', '["Nothing"]', '[[["x"]]]', '5'),
    ],
    ['100 levels in rich form', levels(100)],
    ['a boxed text of 3 million characters', richArgument(`["Boxed","${'x'.repeat(3_000_000)}"]`)],
  ]),
  ...forCall('LIMIT_EXCEEDED', [
    ['33 arguments', () => `[[1,"increment",[${Array.from({ length: 33 }).fill(1)}]]]`],
    ['33 rich arguments', rich(`[[[${Array.from({ length: 33 }).fill('[]')}]]]`)],
    ['4 billion arguments', rich('[["Sparse",{},4294967295]]')],
    ['an array with one entry that claims 100 000', richArgument('["Sparse",{"5":1},99990]')],
    [
      'three arrays with 2 100 holes',
      richArgument(`[[${Array.from({ length: 3 }).fill('["Sparse",{},700]')}]]`),
    ],
    ['a bigint of a million and one digits', richArgument(`["BigInt","${'7'.repeat(1_000_001)}"]`)],
    ['an array that claims 4 billion entries', richArgument('["Sparse",{},4294967295]')],
    [
      'an array that claims 4 billion entries and has one',
      richArgument('["Sparse",{"4294967294":1},4294967295]'),
    ],
    [
      '200 arrays that claim 30 million entries',
      richArgument(`[[${Array.from({ length: 200 }).fill('["Sparse",{"7":1},30000000]')}]]`),
    ],
    ['100 000 levels of arrays', plain('['.repeat(100_000) + ']'.repeat(100_000))],
    ['100 000 levels of objects', plain('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))],
    ['101 levels of arrays', plain('['.repeat(101) + ']'.repeat(101))],
    ['102 levels in rich form', levels(102)],
    ['1 000 levels in rich form', levels(1_000)],
    ['1 001 levels in rich form', levels(1_001)],
    ['100 000 levels in rich form', levels(100_000)],
    ['100 000 levels of Maps', richArgument(nestIn('["Map",#,1]', 100_000))],
    ['100 000 levels of objects in rich form', richArgument(nestIn('{"a":#}', 100_000))],
    [
      '50 000 levels of causes',
      richArgument(nestIn('["Error","Error","Error","",[],{"cause":#}]', 50_000)),
    ],
    ['100 000 levels of boxes', richArgument(nestIn('["Boxed",#]', 100_000))],
    ['100 001 values', plain(`[${'0,'.repeat(100_000)}0]`)],
    ['100 001 values in rich form', richArgument(`[[${'[],'.repeat(100_000)}[]]]`)],
    ['a few arrays that repeat each other, 10 to the 30th values', richArgument(nest(30, 10))],
    ['arrays that repeat each other, two to the 90th values', richArgument(nest(90, 2))],
    [
      'Maps that repeat each other, two to the 90th values',
      richArgument(nestIn('["Map",1,#,2,#]', 90)),
    ],
    ['a Set of objects that repeat each other', richArgument(`["Set",${nest(50, 9, '1', 3)}]`)],
  ]),
  ...forCall('BAD_MESSAGE', [
    ...named(
      'a rich list that is',
      ['5', '"text"', 'null', '{}', '[]', '-1', '0', 'true', '{"0":[1],"length":2}'],
      rich,
    ),
    ...named(
      'the rich arguments',
      ['5', '"text"', 'null', '{}', '[]', 'true', '["Number","NaN"]', '["Map"]', '["rich"]'],
      (value) => rich(`[${value},[[]]]`),
    ),
    ['rich arguments that are an object', rich('[{"length":0}]')],
    ['rich arguments that are a Set', rich('[["Set",1]]')],
    ...named(
      'the index',
      [
        ['0', '-0', '2', '-99', '99', '1.5', '1e300', '1e999', '"1"', '"2"', '"length"'],
        ['"__proto__"', '"constructor"', '"at"', 'null', 'true', 'false', '{}', '-2', '-1.5'],
        ['"NAN"', '"nan"', '"undefined"', '"0"', '""', '{"toString":1}'],
      ].flat(),
      (index) => richArgument(`[${index}]`, '["Date",0]'),
    ),
    ...named('the item', ['5', '"Date"', 'null', 'true', '[]', '[5]', '[null]', '[{}]'], (item) =>
      richArgument('[1]', item),
    ),
    ['bytes twice', richArgument('["Set",[1],[1]]', '["ArrayBuffer","AAAA"]')],
    ['a property with an index out of range', richArgument('{"a":[99]}')],
    ['a property with a fractional index', richArgument('{"a":[0.5]}')],
    ['an array that begins like a tag', richArgument('["A",2]')],
    ['a __proto__ in plain form', plain('{"__proto__":{"polluted":1}}')],
    ['a nested __proto__', plain('{"a":[{"__proto__":null}]}')],
    ['a __proto__ in rich form', richArgument('{"__proto__":{"polluted":1}}')],
    ['a __proto__ that is null', richArgument('{"__proto__":null}')],
    ['a __proto__ without a prototype', richArgument('["Null",{"__proto__":{}}]')],
    ['a __proto__ on an Error', richArgument('["Error","Error","Error","",[],{"__proto__":{}}]')],
    ['the call itself', richArgument('[1]', '["Call",1]')],
    ['a call in the place of an argument', richArgument('["Call",99]')],
    ['a Date of itself', richArgument('["Date",[-2]]')],
    ['a Date of itself, twice', richArgument('["Date",[-2],[-2]]')],
    ['a bigint of itself', richArgument('["BigInt",[-2]]')],
    ['a box of itself', richArgument('["Boxed",[-2]]')],
    ['two boxes of each other', richArgument('["Boxed",["Boxed",[-2]]]')],
    ['a typed array of itself', richArgument('["Uint8Array",[-2],0,1]')],
    ['a DataView of a DataView of itself', richArgument('["DataView",["DataView",[-2],0,1],0,1]')],
    ['Headers of themselves', richArgument('["Headers","a",[-2]]')],
    ['a call that is not in the frame', richArgument('[1]', '["Call",99]')],
    ['a call in itself', richArgument('[1]', '["Call",[1]]')],
    ...named(
      'a call with the number',
      [
        ['0', '-1', '1.5', '1e300', '9007199254740993', '"1"', 'null', 'true', '[]', '[1]'],
        ['{}', '{"toString":1,"valueOf":2}', '["Number","NaN"]'],
      ].flat(),
      (id) => richArgument('[1]', `["Call",${id}]`),
    ),
    ['a call without a number', richArgument('[1]', '["Call"]')],
    ['a call without a reference to it', rich('[[[]],["Call",99]]')],
  ]),
];
