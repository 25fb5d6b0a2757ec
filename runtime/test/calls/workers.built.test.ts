/**
 * Runs the conformance suite inside the Workers runtime, in every way. Ways that few users wire run
 * some cases. `npm run test:all` runs all cases but the values in ways of another kind.
 */
import { afterAll, describe, test } from 'vitest';
import { byBinding, byPort, type Way, ways, waysOfUsers } from './caller.ts';
import { Callers } from './callers.ts';
import { isThorough } from '../support/effort.ts';
import { workersPlatform } from './workers-platform.ts';
import { casesOf } from './case.ts';
import { subjects, wiring } from './cases/subjects.ts';

const all = [...ways, ...byBinding, byPort];

/**
 * Excludes a POST by a binding and a class that routes by itself, because their frames arrive as
 * the frames of users do.
 */
const isOfAnotherKind = ({ binding, by, transport }: Way): boolean =>
  binding === 'RESIDENT' || (by !== undefined && transport === 'websocket');

// A value is encoded as the same text in each way.
const { values: _values, ...withoutValues } = subjects;

describe.each(all)('$name', (way) => {
  const callers = new Callers(workersPlatform, way);
  afterAll(() => callers[Symbol.dispose]());

  const some = isThorough && isOfAnotherKind(way) ? withoutValues : wiring;
  const part = waysOfUsers.includes(way) ? subjects : some;

  describe.each(Object.entries(part))('%s', (_, cases) => {
    // `test.each` would shorten long names.
    for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
  });
});
