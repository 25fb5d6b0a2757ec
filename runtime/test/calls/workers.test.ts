/**
 * The conformance suite from inside the Workers runtime, by every way. By those that few users wire `npm test` tries a
 * part, and `npm run test:slow` the rest where the way is of another kind than those of users. On the built package a
 * part is enough: Node tries it with all.
 */
import { afterAll, describe, test } from 'vitest';
import { byBinding, byPort, ways, waysOfUsers } from './caller.ts';
import { Callers } from './callers.ts';
import { isBuilt, isThorough } from '../support/effort.ts';
import { workersPlace } from './workers-place.ts';
import { casesOf } from './case.ts';
import { rest, subjects, wiring } from './cases/subjects.ts';

const all = [...ways, ...byBinding, byPort];

/** A class that routes by itself, and a POST by a binding, are asked for frames as those of users are. */
const ofAnotherKind = all.filter(
  ({ binding, by, transport }) => binding === 'RESIDENT' || (by && transport === 'websocket'),
);

describe.each(isThorough ? ofAnotherKind : all)('$name', (way) => {
  const callers = new Callers(workersPlace, way);
  afterAll(() => callers[Symbol.dispose]());

  const part = waysOfUsers.includes(way) && !isBuilt ? subjects : wiring;
  // A value is the same text by each way.
  const { values: _values, ...others } = rest;

  describe.each(Object.entries(isThorough ? others : part))('%s', (_, cases) => {
    // Not test.each, which cuts names short.
    for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
  });
});
