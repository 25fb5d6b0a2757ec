/** All types of values that can be sent, in one table for every suite that sends values. */
import { binaryCases } from './cases/binary.ts';
import type { Case } from './cases/case.ts';
import { errorCases } from './cases/errors.ts';
import { plainCases } from './cases/plain.ts';
import { primitiveCases, textCases } from './cases/primitives.ts';
import { collectionCases, graphCases } from './cases/structures.ts';

export type { Case } from './cases/case.ts';
export { plainCases } from './cases/plain.ts';

/** The cases that need the general codec. */
export const richCases: Case[] = [
  ...primitiveCases,
  ...textCases,
  ...binaryCases,
  ...collectionCases,
  ...graphCases,
  ...errorCases,
];

export const cases: Case[] = [...plainCases, ...richCases];

/** A position of a value within another value. */
export interface Variant {
  name: string;
  wrap: (value: unknown) => unknown;
}

export const variants: Variant[] = [
  { name: 'alone', wrap: (value) => value },
  { name: 'in an object', wrap: (value) => ({ before: 1, value, after: [] }) },
  { name: 'in an array', wrap: (value) => [0, value, 'after'] },
  { name: 'twice', wrap: (value) => ({ one: value, other: [value] }) },
  { name: 'as a key of a Map', wrap: (value) => new Map([[value, 'value']]) },
  { name: 'as a value of a Map', wrap: (value) => new Map([['key', value]]) },
  { name: 'as a member of a Set', wrap: (value) => new Set(['before', value]) },
  { name: 'without a prototype', wrap: (value) => Object.assign(Object.create(null), { value }) },
  { name: 'as a cause', wrap: (value) => withFixedStack(new Error('a', { cause: value })) },
  {
    name: 'as a property of an Error',
    wrap: (value) => withFixedStack(Object.assign(new Error('a'), { value })),
  },
];

/**
 * Returns the value that arrives for a sent value alone. To compare them elsewhere, wrap both in
 * the same variant.
 */
export function arrivalOf({ arrives }: Case, sent: unknown): unknown {
  return arrives ? arrives(sent as never) : sent;
}

/**
 * Returns an Error with a fixed stack, because an Error that is wrapped twice must have one stack.
 */
function withFixedStack(error: Error): Error {
  return Object.assign(error, { stack: 'Error: a\n    at nowhere' });
}
