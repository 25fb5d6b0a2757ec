/** Arguments of every type that has a tag, with parts that the encoder never writes. */
import { TAGS } from '../../src/wire/values/tags.ts';
import { forCall, type HostileFrame, richArgument } from './writing.ts';

/**
 * The values to which parts can refer: an object and an array before the argument, and 16 bytes in
 * the list.
 */
const OTHERS = '{"toString":1},[["a"]]';
const BYTES = '["ArrayBuffer","AAAAAAAAAAAAAAAAAAAAAA=="]';

/** The parts of a view, by the name of its class. All other parts are equal in every class. */
const views: Record<string, string[]> = Object.fromEntries(
  [...TAGS.keys()]
    .filter((tag) => tag === 'DataView' || /\dC?.*Array$/.test(tag))
    .map((tag) => [
      tag,
      [
        ['', '[1]', '[1],0', '[],0,1', '5,0,1', '4000000000,0,1', '[-2],0,1', '[-3],0,1'],
        ['"AAAA",0,1', '[1],"0",1', '[1],0,"1"', '[1],[-2],1', '[1],0,[-3]', '[1],null,1'],
        ['[1],0,null', '[1],-8,1', '[1],0,-1', '[1],0,17', '[1],0,4000000000', '[1],16,8'],
        ['[1],1000,1', '[1],1e300,1', '[1],["Number","Infinity"],1', '[1],0,["Number","Infinity"]'],
      ].flat(),
    ]),
);

/** The parts that are refused, by tag. */
const refused: Record<string, string[]> = {
  ...views,
  BigInt: ['', '5', 'null', '[]', '[-2]', '"1e5"', '"1.5"', '"--1"', '"x"', '"1n"'],
  Number: ['', '5', 'null', '[]', '[1]', '[-2]', '[-3]'],
  Boxed: ['null', '[1]', '[-2]', '[-3]'],
  Date: ['', '"0"', '"2000-01-01"', 'null', 'true', '[]', '[-2]', '[-3]'],
  RegExp: ['', '5', '"a"', '"a",5', 'null,""', '[-2],""'],
  URL: ['', '1', 'null', '""', '"nowhere"', '"//a"', '[-2]'],
  URLSearchParams: ['', '1', 'null', '[]', '[-2]', '[-3]'],
  Headers: ['"a"', '"a","b","c"', '5,"b"', '"a",5', '"a",[-2]', '"a",[]', '"a b","c"'],
  ArrayBuffer: ['', '5', '4000000000', 'null', '[-2]', '"A"', '""', '"AAAA","AAAA"'],
  Map: ['1', '1,2,3', '[9],1', '"a",[-9]', '["A",2],1'],
  Set: ['[9]', '1,["A",2]', '["0"]'],
  Sparse: [
    ['"3"', 'null', '[]', '[-2]', '-1', '1.5', '4294967296', '1e300'].map(
      (length) => `{},${length}`,
    ),
    ['', '{}', '{},["Number","NaN"]', '{},["Number","-0"]', '{"__proto__":[-3]},3', '{"0":[9]},3'],
    ['[-2],3', '[-3],3', '[1,2],3', '"abc",3', '3,{}'],
    [`"${'a'.repeat(3_000_000)}",3000000`],
  ].flat(),
  Null: [
    ['', '{"__proto__":1}', '[9]', '[1,2]', '"a"', '5', '[]', '[1]', '[-2]', '[-3]', '[-4]'],
    [`"${'a'.repeat(3_000_000)}"`],
  ].flat(),
  Error: [
    ['', '"Error"', '"Error","Error"', '5,"Error","",[],{}', '"Error",5,"",[],{}'],
    ['"Error",null,"",[],{}', '"Error","Error",5,[],{}', '"Error","Error",[-2],[],{}'],
    ['"Error","Error","",5,{}', '"Error","Error","",null,{}', '"Error","Error","",[-2],{}'],
    ['"Error","Error","",[]'],
    ['Function', 'constructor', '__proto__', 'Promise', 'Object', '', 'error'].map(
      (type) => `"${type}","Error","",[],{}`,
    ),
    [`"${'a'.repeat(3_000_000)}"`, '5', '[1]', '[-2]', '[-4]', '[["a"]]'].map(
      (properties) => `"Error","Error","",[],${properties}`,
    ),
    ['null', '{"__proto__":[-2]}'].map((properties) => `"Error","Error","",[],${properties}`),
    ['"RpcError","RpcError","",[],{"name":5}', '"DOMException","Odd","",[],{"message":5}'],
  ].flat(),
};

/**
 * The parts that are unusual but harmless, by tag. They make a value that no schema here allows.
 */
const harmless: Record<string, string[]> = {
  BigInt: [`"${'9'.repeat(100_000)}"`, '""', '"0x10"', '"1","2",[-2]'],
  Number: ['"nan"', '""', '"0x10"', '"1","2",[-2]'],
  Boxed: ['1,2', '"a",[-3]'],
  Date: ['["Number","NaN"]', '["Number","Infinity"]', '1e300', '-1e300', '0.5', '0,1,[-2]'],
  // The pattern is compiled only after a schema has accepted the value.
  RegExp: [
    '"(",""',
    '"a","gg"',
    '"a","x y"',
    '"^((a)+.)+[A-Z](a)+$",""',
    `"${'(a|b)*'.repeat(10_000)}",""`,
    '"a","g",1,[-2]',
  ],
  URL: ['"javascript:alert(1)"', '"https://a","https://b"'],
  URLSearchParams: ['"%"', '"a=1&a=2","b"'],
  Headers: ['', '"__proto__","a"', '"a","b","a","b"'],
  Map: ['["Number","NaN"],1,["Number","NaN"],2', '[-2],[-2],[-2],[-3]'],
  Set: ['', '1,1,1'],
  Sparse: [
    ['{},0', '{},3', '{"0":1,"0":2},3', '{"2":[-4]},3', 'null,3', '{"0":1},0', '{"9":1},3'],
    ['{"01":1},3', '{"4294967295":1},3', '{"99999999999999999999":1},3'],
    ['-1', '-0', '1.5', 'length', 'push', 'then', '', ' 1', '1e0', '0x1', 'NaN'].map(
      (key) => `{"${key}":1},3`,
    ),
  ].flat(),
  Null: ['{"constructor":1,"toString":2,"then":3}', 'null', '{},{}'],
  Error: [
    ['"Error","Error","",[],{}', '"TypeError","Function","","a\\nb",{}'],
    ['"Error","Error","",[],{"cause":[-4]}', '"Error","Error","",[],{"toString":5}'],
    ['{"message":5}', '{"name":5}', '{"stack":5}'].map(
      (properties) => `"Error","Error","",[],${properties}`,
    ),
    ['"Error","Error","",[],{"valueOf":5}', '"AggregateError","Odd","",[],{}'],
    ['"AggregateError","A","",[],{"errors":5}', '"RpcError","RpcError","",[],{}'],
    ['"DOMException","Odd","",[],{}'],
  ].flat(),
  Uint8Array: ['[1],["Number","NaN"],1', '[1],0.5,1.5', '[1],16,0', '[1],0,1,[-2],5'],
  DataView: ['[1],["Number","NaN"],1', '[1],0.5,1.5', '[1],16,0', '[1],0,1,[-2],5'],
  BigUint64Array: ['[1],8,1', '[1],8,0'],
};

/** Multi-byte views begin at multiples of their element size. */
const misaligned = Object.keys(views).filter((tag) => /(16|32|64)/.test(tag));

const unknownTags = [
  ['', 'Error ', 'Functions', 'Promise', 'Array', 'Object', 'Proxy', 'Symbol', 'WeakMap'],
  ['SharedArrayBuffer', 'Temporal.Nothing', 'String', 'Boolean', 'AggregateError'],
].flat();

/**
 * Names of tags begin with a capital letter, so an array with another first element is an array of
 * its parts.
 */
const noTags = [
  ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'get', 'size', 'map'],
  ['globalThis', 'eval'],
].flat();

function written(tag: string, parts: string): string {
  return `["${tag}"${parts && ','}${parts}]`;
}

function frames(rows: Record<string, string[]>): [name: string, frame: () => string][] {
  return Object.entries(rows).flatMap(([tag, all]) =>
    all.map((parts): [string, () => string] => {
      const item = written(tag, parts);
      const name = item.length > 60 ? `${item.slice(0, 60)}… ${item.length}` : item;
      return [name, richArgument(`${OTHERS},${item}`, BYTES)];
    }),
  );
}

export const tags: HostileFrame[] = [
  ...forCall('BAD_MESSAGE', [
    ...frames(refused),
    ...frames(Object.fromEntries(misaligned.map((tag) => [tag, ['[1],1,1']]))),
    ...frames(Object.fromEntries(unknownTags.map((tag) => [tag, ['', '1', '"return 1"', '[-2]']]))),
    ...frames(Object.fromEntries(noTags.map((tag) => [tag, ['', '[99]']]))),
  ]),
  ...forCall('INVALID_ARGUMENTS', [
    ...frames(harmless),
    [
      'a RegExp of 100 000 nested groups',
      richArgument(`["RegExp","${'('.repeat(100_000)}${')'.repeat(100_000)}",""]`),
    ],
    ...frames(Object.fromEntries(noTags.map((tag) => [tag, ['1', '"return 1"', '[-2]']]))),
  ]),
];

/** Tags without a row in the table above. There must be none. */
export const tagsWithoutRows = [...TAGS.keys()].filter((tag) => !(tag in refused));
