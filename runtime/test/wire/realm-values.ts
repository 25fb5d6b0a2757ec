/**
 * Values of each type that can be sent, as source text that each realm evaluates with its own
 * classes.
 */
import { encodeCall } from '../../src/wire/messages.ts';

export const SOURCES: Readonly<Record<string, string>> = {
  Object: '({ a: 1, b: { c: [1] } })',
  'Object as JSON': 'JSON.parse(\'{"a":{"b":1}}\')',
  'Object with what JSON lacks': '({ a: undefined, b: NaN, c: { d: 1n } })',
  Array: '[1, [2], { a: 1 }]',
  Sparse: '[1, , 3]',
  Null: 'Object.assign(Object.create(null), { a: 1 })',
  BigInt: '5n',
  Number: '-0',
  Boxed: '[Object(1), Object("a"), Object(true), Object(1n)]',
  Date: 'new Date(5)',
  RegExp: '/a/gi',
  URL: 'new URL("https://example.com/a")',
  URLSearchParams: 'new URLSearchParams("a=1&b=2")',
  Headers: 'new Headers({ a: "1" })',
  Map: 'new Map([["a", { b: 1 }], [{ c: 1 }, 2]])',
  Set: 'new Set([1, { a: 1 }])',
  Error:
    'stackless(Object.assign(new Error("a", { cause: { b: 1 } }), { code: "E", held: { c: 1 } }))',
  'Error of another class': 'stackless(new RangeError("a"))',
  'Error with errors': 'stackless(Object.assign(new Error("a"), { errors: [1] }))',
  AggregateError: 'stackless(new AggregateError([stackless(new TypeError("b")), { c: 1 }], "a"))',
  DOMException: 'stackless(new DOMException("a", "AbortError"))',
  ArrayBuffer: 'new Uint8Array([1, 2, 3]).buffer',
  DataView: 'new DataView(new Uint8Array([1, 2, 3]).buffer, 1)',
  ...Object.fromEntries(
    'Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float32 Float64'
      .split(' ')
      .map((kind) => [`${kind}Array`, `new ${kind}Array([1, 2, 3]).subarray(1)`]),
  ),
  Float16Array: 'globalThis.Float16Array ? new Float16Array([1, 2]) : 0',
  BigInt64Array: 'new BigInt64Array([1n])',
  BigUint64Array: 'new BigUint64Array([1n])',
};

/** Objects that are not plain in any realm. */
export const REFUSED: Readonly<Record<string, string>> = {
  'an instance of a class': 'new (class User { a = 1 })()',
  'an instance of a class without a parent':
    'new (class extends null { constructor() { return Object.create(new.target.prototype); } })()',
  'an object with another one as prototype': 'Object.create({ a: 1 })',
  'an object with one without a prototype as prototype': 'Object.create(Object.create(null))',
  'a promise': 'Promise.resolve(1)',
  'a function': '() => 1',
};

/** The stack of an error differs between realms. */
const STACKLESS = '((error) => Object.defineProperty(error, "stack", { value: "at a" }))';

/** Evaluates source text. */
export type Evaluate = (code: string) => unknown;

/**
 * Returns the text of a call with the value that a realm creates, or the message of its rejection.
 */
export function textOf(source: string, evaluate: Evaluate): string {
  const value = evaluate(`((stackless) => (${source}))(${STACKLESS})`);
  try {
    return encodeCall(1, 'save', [value, { value }], () => undefined);
  } catch (error) {
    return String(error);
  }
}
