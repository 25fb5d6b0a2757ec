/**
 * The conformance suite from inside the Workers runtime, by every way. By those that few wire, and
 * those that `npm test` takes with the whole suite from elsewhere, it is whole only when all is tried.
 */
import { afterAll, describe, test } from 'vitest';
import { byBinding, byPort, type Way, ways, waysOfUsers } from '../support/caller.ts';
import { Callers } from '../support/callers.ts';
import { isThorough } from '../support/effort.ts';
import { workersPlace } from '../support/workers-place.ts';
import { type Case, casesOf } from './case.ts';
import { subjects } from './cases/subjects.ts';

/** Subjects in which it may matter how a class is wired. */
const WIRED = new Set(['access', 'batching', 'earlier calls', 'errors', 'giving up', 'telling']);

/** Nowhere else are there bindings. */
const WHOLE = new Set([...waysOfUsers, byBinding[0]]);

function subjectsOf(way: Way): [name: string, cases: readonly Case[]][] {
  const all = Object.entries(subjects);
  if (isThorough || WHOLE.has(way)) return all;
  return all.filter(([name]) => WIRED.has(name));
}

describe.each([...ways, ...byBinding, byPort])('$name', (way) => {
  const callers = new Callers(workersPlace, way);
  afterAll(() => callers[Symbol.dispose]());

  describe.each(subjectsOf(way))('%s', (_, cases) => {
    // Not test.each, which cuts names short.
    for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
  });
});
