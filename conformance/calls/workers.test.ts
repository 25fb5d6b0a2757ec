/**
 * The conformance suite from inside the Workers runtime, by every way. By those that few users wire it
 * is whole only when all is tried.
 */
import { afterAll, describe, test } from 'vitest';
import { byBinding, byPort, ways, waysOfUsers } from '../support/caller.ts';
import { Callers } from '../support/callers.ts';
import { isThorough } from '../support/effort.ts';
import { workersPlace } from '../support/workers-place.ts';
import { casesOf } from './case.ts';
import { subjects, wiring } from './cases/subjects.ts';

describe.each([...ways, ...byBinding, byPort])('$name', (way) => {
  const callers = new Callers(workersPlace, way);
  afterAll(() => callers[Symbol.dispose]());

  const tried = isThorough || waysOfUsers.includes(way) ? subjects : wiring;

  describe.each(Object.entries(tried))('%s', (_, cases) => {
    // Not test.each, which cuts names short.
    for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
  });
});
