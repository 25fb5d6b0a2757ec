/**
 * Tests the error for an unknown method. It names the method that was probably meant, if errors may
 * have details.
 */
import * as Type from '../../../src/typebox.ts';
import { expect, test } from 'vitest';
import { objectMethod } from '../../../src/server/calls/targets.ts';
import { compileContract, read } from '../../../src/server.ts';

const methods = { addItem: [Type.Integer()], getItems: read(), reset: [] };
const open = compileContract(methods);
const closed = compileContract(methods, { exposeErrorDetails: false });

function messageFor(name: string, contract = open): string {
  try {
    return String(objectMethod(name, contract)?.name);
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  ['additem', 'addItem'],
  ['addItme', 'addItem'],
  ['addItems', 'addItem'],
  ['addIte', 'addItem'],
  ['getItem', 'getItems'],
  ['items', 'getItems'],
  ['rest', 'reset'],
  // At most half of the letters may differ, rounded down.
  ['rzzet', 'reset'],
])('%s', (name, meant) => {
  expect(messageFor(name)).toBe(`The contract lists no method ${name}: did you mean ${meant}?`);
});

test.each(['', 'a', 'rzzzt', 'peek', 'constructor', 'toString', '\uD800', 'x'.repeat(100)])(
  '%j is similar to no method',
  (name) => {
    expect(messageFor(name)).toBe(`The contract lists no method ${name}`);
  },
);

test('a long name is truncated', () => {
  const problem = `The contract lists no method ${'addItem'.repeat(100).slice(0, 100)}`;
  expect(messageFor('addItem'.repeat(100_000))).toBe(problem);
});

test('without details, the other methods are not named', () => {
  expect(messageFor('additem', closed)).toBe('The contract lists no method additem');
});
