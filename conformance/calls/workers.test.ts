/** The conformance suite from inside the Workers runtime, by every way. */
import { afterAll, describe, test } from 'vitest';
import { byBinding, byPort, ways } from '../support/caller.ts';
import { Callers } from '../support/callers.ts';
import { workersPlace } from '../support/workers-place.ts';
import { casesOf } from './case.ts';
import { subjects } from './cases/subjects.ts';

describe.each([...ways, ...byBinding, byPort])('$name', (way) => {
  const callers = new Callers(workersPlace, way);
  afterAll(() => callers[Symbol.dispose]());

  describe.each(Object.entries(subjects))('%s', (_, cases) => {
    // Not test.each, which cuts names short.
    for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
  });
});
