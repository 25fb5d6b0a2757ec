/**
 * Primitives that JSON lacks, the objects that box them, and built-in objects that contain text.
 */
import type { Case } from './case.ts';

export const primitiveCases: Case[] = [
  { name: 'undefined', value: () => undefined, wire: '[1]' },
  { name: 'NaN', value: () => Number.NaN, wire: '[1,"rich",[["Number","NaN"]]]' },
  { name: 'Infinity', value: () => Infinity, wire: '[1,"rich",[["Number","Infinity"]]]' },
  { name: '-Infinity', value: () => -Infinity, wire: '[1,"rich",[["Number","-Infinity"]]]' },
  { name: '-0', value: () => -0, wire: '[1,"rich",[["Number","-0"]]]' },
  { name: 'zeros of both signs', value: () => [0, -0, 0] },
  { name: 'a bigint', value: () => 5n, wire: '[1,"rich",[["BigInt","5"]]]' },
  { name: 'the bigint zero', value: () => 0n },
  { name: 'a negative bigint', value: () => -(2n ** 64n) },
  { name: 'a huge bigint', value: () => 10n ** 5_000n + 1n },
  { name: 'a boxed number', value: () => new Number(1.5), wire: '[1,"rich",[["Boxed",1.5]]]' },
  {
    name: 'a boxed NaN',
    value: () => new Number(Number.NaN),
    wire: '[1,"rich",[["Boxed",["Number","NaN"]]]]',
  },
  { name: 'a boxed -0', value: () => new Number(-0) },
  { name: 'a boxed string', value: () => new String('text') },
  { name: 'a boxed empty string', value: () => new String('') },
  { name: 'a boxed boolean', value: () => new Boolean(false) },
  { name: 'a boxed bigint', value: () => Object(7n) },
  { name: 'a property that is undefined', value: () => ({ a: undefined, b: 1 }) },
  { name: 'null beside undefined', value: () => [null, undefined, null, undefined] },
];

export const textCases: Case[] = [
  {
    name: 'a Date',
    value: () => new Date(1_700_000_000_123),
    wire: '[1,"rich",[["Date",1700000000123]]]',
  },
  {
    name: 'an invalid Date',
    value: () => new Date(Number.NaN),
    wire: '[1,"rich",[["Date",["Number","NaN"]]]]',
  },
  { name: 'the first Date', value: () => new Date(-8_640_000_000_000_000) },
  { name: 'the last Date', value: () => new Date(8_640_000_000_000_000) },
  { name: 'a Date before the year zero', value: () => new Date(Date.UTC(-43, 2, 15)) },
  {
    name: 'a RegExp',
    value: () => /a(b[/\]])/,
    wire: String.raw`[1,"rich",[["RegExp","a(b[/\\]])",""]]]`,
  },
  {
    name: 'a RegExp with flags',
    value: () => /é\n/dgimsuy,
    wire: String.raw`[1,"rich",[["RegExp","é\\n","dgimsuy"]]]`,
  },
  { name: 'a RegExp of sets', value: () => /[\p{L}--[a-z]]/v },
  { name: 'an empty RegExp', value: () => new RegExp('') },
  {
    // As with structured clone, a search begins again on the other side.
    name: 'a RegExp in the middle of a search',
    value: () => Object.assign(/a/g, { lastIndex: 3 }),
    arrives: () => /a/g,
  },
  { name: 'a URL', value: () => new URL('https://u:p@example.com:8080/ä/%20?q=1&q=2#h') },
  { name: 'a URL without a host', value: () => new URL('data:text/plain,<b>"\\u2028') },
  { name: 'URLSearchParams', value: () => new URLSearchParams('a=1&b=&a=2&ä=%26+x') },
  { name: 'empty URLSearchParams', value: () => new URLSearchParams() },
  {
    name: 'Headers',
    value: () => new Headers({ 'Content-Type': 'text/html', 'X-Long': 'a, b' }),
    wire: '[1,"rich",[["Headers","content-type","text/html","x-long","a, b"]]]',
  },
  {
    name: 'Headers with two cookies',
    value: () =>
      new Headers([
        ['Set-Cookie', 'a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT'],
        ['Set-Cookie', 'b=2'],
      ]),
  },
  { name: 'empty Headers', value: () => new Headers() },
];
