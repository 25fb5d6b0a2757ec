/** Arguments of every type that has a tag, with parts that the encoder would not write. */
import { TAGS } from '../../template/src/rpc/wire/tags.ts';
import { forCall, type HostileFrame, richArgument } from './writing.ts';

/** Items beside the argument, for parts to refer to: 16 bytes, an object and an array. */
const BESIDES = ['["ArrayBuffer","AAAAAAAAAAAAAAAAAAAAAA=="]', '{"toString":1}', '[["a"]]'];

/** A view's parts, by the name of its class; all else is the same for all of them. */
const views: Record<string, string[]> = Object.fromEntries(
  [...TAGS.keys()]
    .filter((tag) => tag === 'DataView' || /\dC?.*Array$/.test(tag))
    .map((tag) => [
      tag,
      [
        ['', '[3]', '[3],0', '[],0,1', '5,0,1', '4000000000,0,1', '[4],0,1', '[5],0,1'],
        ['"AAAA",0,1', '[3],"0",1', '[3],0,"1"', '[3],[4],1', '[3],0,[5]', '[3],null,1'],
        ['[3],0,null', '[3],-8,1', '[3],0,-1', '[3],0,17', '[3],0,4000000000', '[3],16,8'],
        ['[3],1000,1', '[3],1e300,1', '[3],["Infinity"],1', '[3],0,["Infinity"]'],
      ].flat(),
    ]),
);

/** By tag, the parts that are refused. */
const refused: Record<string, string[]> = {
  ...views,
  BigInt: ['', '5', 'null', '[]', '[4]', '"1e5"', '"1.5"', '"--1"', '"x"', '"1n"'],
  Boxed: ['null', '[3]', '[4]', '[5]'],
  Date: ['', '"0"', '"2000-01-01"', 'null', 'true', '[]', '[4]', '[5]'],
  RegExp: ['', '5', '"a"', '"a",5', 'null,""', '[4],""', '"(",""', '"a","gg"', '"a","x y"'],
  URL: ['', '1', 'null', '""', '"nowhere"', '"//a"', '[4]'],
  URLSearchParams: ['', '1', 'null', '[]', '[4]', '[5]'],
  Headers: ['"a"', '"a","b","c"', '5,"b"', '"a",5', '"a",[4]', '"a",[]', '"a b","c"'],
  ArrayBuffer: ['', '5', '4000000000', 'null', '[]', '[4]', '[5]', '"!!!!"', '"A"'],
  Map: ['1', '1,2,3', '[9],1', '"a",[-1]', '{},1'],
  Set: ['[9]', '1,{}', '["0"]'],
  Sparse: [
    ['', '"3"', 'null', '[]', '[4]', '-1', '1.5', '4294967296', '1e300', '["NaN"]', '["-0"]'],
    ['3,"0"', '3,0,1', '3,"3",1', '3,"9",1', '3,"01",1', '3,"-1",1', '3,"-0",1', '3,"1.5",1'],
    ['3,"length",9', '3,"__proto__",[5]', '3,"push",1', '3,"",1', '3," 1",1', '3,"1e0",1'],
    ['3,"0x1",1', '3,[],1', '3,[4],1', '3,[5],1', '3,null,1', '3,true,1'],
    ['4294967295,"4294967295",1', '4294967295,"4294967296",1', '0,"0",1'],
  ].flat(),
  Null: ['"a"', '"a",1,"b"', '5,1', 'null,1', '[],1', '[4],1', '"__proto__",1'],
  Error: [
    ['', '"Error"', '"Error","Error"', '5,"Error","",[]', '"Error",5,"",[]'],
    ['"Error",null,"",[]', '"Error","Error",5,[]', '"Error","Error",[4],[]'],
    ['"Error","Error","",5', '"Error","Error","",null', '"Error","Error","",[4]'],
    ['Function', 'constructor', '__proto__', 'Promise', 'Object', '', 'error'].map(
      (type) => `"${type}","Error","",[]`,
    ),
    ['"a"', '5,1', '[4],1', '"__proto__",[4]', '"message",5', '"name",5', '"stack",5'].map(
      (properties) => `"Error","Error","",[],${properties}`,
    ),
  ].flat(),
};

/** By tag, the parts that are odd, and harmless: they make a value, which no schema here allows. */
const harmless: Record<string, string[]> = {
  BigInt: [`"${'9'.repeat(100_000)}"`, '""', '"0x10"', '"1","2",[4]'],
  Boxed: ['1,2', '"a",[5]'],
  Date: ['["NaN"]', '["Infinity"]', '1e300', '-1e300', '0.5', '0,1,[4]'],
  RegExp: ['"^((a)+.)+[A-Z](a)+$",""', `"${'(a|b)*'.repeat(10_000)}",""`, '"a","g",1,[4]'],
  URL: ['"javascript:alert(1)"', '"https://a","https://b"'],
  URLSearchParams: ['"%"', '"a=1&a=2","b"'],
  Headers: ['', '"__proto__","a"', '"a","b","a","b"'],
  ArrayBuffer: ['""', '"AAAA","AAAA"'],
  Map: ['["NaN"],1,["NaN"],2', '[4],[4],[4],[5]'],
  Set: ['', '1,1,1'],
  Sparse: ['0', '3', '3,"0",1,"0",2', '3,"2",[]'],
  Null: ['', '"constructor",1,"toString",2,"then",3', '"a",1,"a",2'],
  Error: [
    ['"Error","Error","",[]', '"TypeError","Function","","a\\nb"'],
    ['"Error","Error","",[],"cause",[2]', '"Error","Error","",[],"toString",5'],
    ['"Error","Error","",[],"valueOf",5', '"AggregateError","Odd","",[]'],
    ['"AggregateError","A","",[],"errors",5', '"RpcError","RpcError","",[]'],
    ['"DOMException","Odd","",[]'],
  ].flat(),
  Uint8Array: ['[3],["NaN"],1', '[3],0.5,1.5', '[3],16,0', '[3],0,1,[4],5'],
  DataView: ['[3],["NaN"],1', '[3],0.5,1.5', '[3],16,0', '[3],0,1,[4],5'],
  BigUint64Array: ['[3],8,1', '[3],8,0'],
};

/** Multi-byte views, which begin at multiples of their size. */
const misaligned = Object.keys(views).filter((tag) => /(16|32|64)/.test(tag));

const unknownTags = [
  ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'get', 'size', '', 'map', 'Error '],
  ['globalThis', 'Functions', 'Promise', 'Array', 'Object', 'Proxy', 'eval', 'Symbol', 'WeakMap'],
  ['SharedArrayBuffer', 'Temporal.Nothing', 'Number', 'String', 'Boolean', 'AggregateError'],
].flat();

function written(tag: string, parts: string): string {
  return `["${tag}"${parts && ','}${parts}]`;
}

function frames(rows: Record<string, string[]>): [name: string, frame: () => string][] {
  return Object.entries(rows).flatMap(([tag, all]) =>
    all.map((parts): [string, () => string] => {
      const item = written(tag, parts);
      const name = item.length > 60 ? `${item.slice(0, 60)}… ${item.length}` : item;
      return [name, richArgument(item, ...BESIDES)];
    }),
  );
}

export const tags: HostileFrame[] = [
  ...forCall('BAD_MESSAGE', [
    ...frames(refused),
    ...frames(Object.fromEntries(misaligned.map((tag) => [tag, ['[3],1,1']]))),
    ...frames(Object.fromEntries(unknownTags.map((tag) => [tag, ['', '1', '"return 1"', '[4]']]))),
    [
      'a RegExp of 100 000 groups in each other',
      richArgument(`["RegExp","${'('.repeat(100_000)}${')'.repeat(100_000)}",""]`),
    ],
    ['a key of an array with holes that takes long to write', richArgument(...longToWrite())],
  ]),
  ...forCall('INVALID_ARGUMENTS', frames(harmless)),
];

/** An array of 4 billion holes, and arrays that repeat each other, where text is expected. */
function longToWrite(): string[] {
  const repeated = Array.from({ length: 60 }, (_, level) => `[[[${level + 4}],[${level + 4}]]]`);
  return ['["Sparse",9,[3],1]', ...repeated, '["Sparse",4294967295]'];
}

/** Tags for which the table above lacks a row; there must be none. */
export const tagsWithoutRows = [...TAGS.keys()].filter((tag) => !(tag in refused));
