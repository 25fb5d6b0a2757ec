/** Values that JSON represents exactly, so that they are sent as plain JSON. */
import type { Case } from './case.ts';
import { named } from './structures.ts';

function nested(depth: number): unknown {
  let value: unknown = 'the end';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { level, value };
  return value;
}

export const plainCases: Case[] = [
  { name: 'null', value: () => null, wire: '[1,null]' },
  { name: 'true', value: () => true, wire: '[1,true]' },
  { name: 'false', value: () => false },
  { name: 'zero', value: () => 0, wire: '[1,0]' },
  { name: 'a negative number', value: () => -1.5 },
  { name: 'the largest number', value: () => Number.MAX_VALUE },
  { name: 'the smallest number', value: () => Number.MIN_VALUE },
  { name: 'the largest safe integer', value: () => Number.MAX_SAFE_INTEGER },
  { name: 'a number beyond the safe integers', value: () => 2 ** 53 + 2 },
  { name: 'a number that looks like a sentinel', value: () => -3, wire: '[1,-3]' },
  { name: 'the empty string', value: () => '', wire: '[1,""]' },
  { name: 'a string', value: () => 'héllo, wörld' },
  { name: 'a string that is the name of a form', value: () => 'rich', wire: '[1,"rich"]' },
  { name: 'a string that is the name of another form', value: () => 'error', wire: '[1,"error"]' },
  { name: 'a string with all characters that JSON escapes', value: () => '"\\\b\f\n\r\t\0\u001F/' },
  { name: 'a string with markup', value: () => '</script><!--\u2028\u2029' },
  { name: 'a string of emoji', value: () => '👩‍👩‍👧‍👦🏳️‍🌈' },
  { name: 'a string with U+FFFF and U+FEFF', value: () => '\uFEFFa\uFFFF\uFFFE' },
  { name: 'a lone high surrogate', value: () => 'a\uD83Db', wire: '[1,"a\\ud83db"]' },
  { name: 'a lone low surrogate', value: () => '\uDE00', wire: '[1,"\\ude00"]' },
  { name: 'surrogates in the wrong order', value: () => '\uDE00\uD83D' },
  { name: 'a long string', value: () => 'long '.repeat(20_000) },
  { name: 'a long string that is not ASCII', value: () => '漢字€\n'.repeat(10_000) },
  { name: 'an empty array', value: () => [], wire: '[1,[]]' },
  { name: 'an array', value: () => [1, 'two', null, [true]], wire: '[1,[1,"two",null,[true]]]' },
  { name: 'an array like a tagged array', value: () => ['Date', 'x'], wire: '[1,["Date","x"]]' },
  { name: 'an array of arrays', value: () => [[], [[]], [[], [[]]]] },
  { name: 'an empty object', value: () => ({}), wire: '[1,{}]' },
  { name: 'an object', value: () => ({ b: 1, a: { c: [] } }), wire: '[1,{"b":1,"a":{"c":[]}}]' },
  { name: 'an object with integers as keys', value: () => ({ 10: 'b', 9: 'a', x: 'c' }) },
  {
    name: 'an object with odd keys',
    value: () => ({ '': 1, ' ': 2, '"\\': 3, 'a.b': 4, '[0]': 5, é: 6, '\uD800': 7, '\0': 8 }),
  },
  {
    name: 'an object with the names of inherited methods as keys',
    value: () => ({
      constructor: 1,
      toString: { a: 1 },
      valueOf: null,
      hasOwnProperty: [],
      __defineGetter__: 'x',
      __lookupSetter__: 0,
      prototype: 2,
      isPrototypeOf: true,
    }),
  },
  {
    name: 'an object whose then is not a function',
    value: () => ({ catch: [], ...named(['then']) }),
  },
  { name: 'an object whose toJSON is not a function', value: () => ({ toJSON: 'x' }) },
  { name: 'an object with the properties of a Date', value: () => ({ getTime: 1, length: 2 }) },
  { name: 'two equal objects', value: () => [{ a: 1 }, { a: 1 }] },
  { name: 'many objects', value: () => Array.from({ length: 500 }, (_, id) => ({ id, on: true })) },
  { name: 'deep nesting', value: () => nested(80) },
  { name: 'a long key', value: () => ({ ['k'.repeat(5_000)]: 1 }) },
];
