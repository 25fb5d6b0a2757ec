/** Values that methods return, and how the door writes them. */

export interface WrittenValue {
  make: () => unknown;
  /** The body of the answer, or `undefined` for no content. */
  json: unknown;
}

const bytes = [1, 2, 250];

export const VALUES: Readonly<Record<string, WrittenValue>> = {
  'plain data': {
    make: () => ({ list: [1, 'two', null, true], nested: { a: {} } }),
    json: { list: [1, 'two', null, true], nested: { a: {} } },
  },
  'a text like a form': { make: () => 'rich', json: 'rich' },
  'a list like a form': { make: () => ['rich', 1], json: ['rich', 1] },
  null: { make: () => null, json: null },
  undefined: { make: () => undefined, json: undefined },
  'undefined within': { make: () => ({ a: undefined, b: [undefined] }), json: { b: [null] } },
  'a date': { make: () => new Date(0), json: '1970-01-01T00:00:00.000Z' },
  'no date': { make: () => new Date(NaN), json: null },
  'a bigint': { make: () => -(2n ** 70n), json: '-1180591620717411303424' },
  'a buffer': { make: () => new Uint8Array(bytes).buffer, json: 'AQL6' },
  bytes: { make: () => new Uint8Array([0, ...bytes, 9]).subarray(1, 4), json: 'AQL6' },
  'a map': { make: () => new Map([['a', new Set([1])]]), json: [['a', [1]]] },
  'a set': { make: () => new Set([new Date(0)]), json: ['1970-01-01T00:00:00.000Z'] },
  NaN: { make: () => [NaN, Infinity, -Infinity, -0], json: [null, null, null, 0] },
  'a hole': { make: () => Object.assign([], { 1: 2 }), json: [null, 2] },
  'an error': {
    make: () => ({ error: Object.assign(new TypeError('no'), { code: 7 }) }),
    json: { error: { name: 'TypeError', message: 'no', code: 7 } },
  },
  'a regular expression': { make: () => /a+/gu, json: '/a+/gu' },
  'an address': { make: () => new URL('https://example.com/a'), json: 'https://example.com/a' },
  headers: { make: () => new Headers({ a: 'b' }), json: [['a', 'b']] },
  'a query': { make: () => new URLSearchParams({ a: 'b c' }), json: 'a=b+c' },
  'an object without a prototype': {
    make: () => Object.assign(Object.create(null), { a: 1 }) as unknown,
    json: { a: 1 },
  },
  'an object that occurs twice': {
    make: () => {
      const one = { a: 1n };
      return [one, one];
    },
    json: [{ a: '1' }, { a: '1' }],
  },
  'a boxed number': { make: () => Object(5), json: 5 },
};
