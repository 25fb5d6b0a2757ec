/** The conformance suite from inside the Workers runtime, by every way. */
import { describe, test } from 'vitest';
import { Caller, ways } from '../support/caller.ts';
import { workersPlace } from '../support/workers-place.ts';
import { subjects } from './cases/subjects.ts';

describe.each(ways)('$name', (way) => {
  describe.each(Object.entries(subjects))('%s', (_, cases) => {
    const ours = cases.filter(({ only = way.transport }) => only === way.transport);
    // Not test.each, which cuts names short.
    for (const { name, run } of ours)
      test(name, async () => {
        using caller = new Caller(workersPlace, way);
        await run(caller);
      });
  });
});
