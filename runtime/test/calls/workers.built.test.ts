/**
 * The conformance suite from inside the Workers runtime, by every way. By those that few users wire a part is tried, and
 * by `npm run test:all` all but the values where the way is of another kind than those of users.
 */
import { afterAll, describe, test } from 'vitest';
import { byBinding, byPort, type Way, ways, waysOfUsers } from './caller.ts';
import { Callers } from './callers.ts';
import { isThorough } from '../support/effort.ts';
import { workersPlatform } from './workers-platform.ts';
import { casesOf } from './case.ts';
import { subjects, wiring } from './cases/subjects.ts';

const all = [...ways, ...byBinding, byPort];

/** Not a POST by a binding, nor a class that routes by itself: their frames arrive as those of users do. */
const isOfAnotherKind = ({ binding, by, transport }: Way): boolean =>
  binding === 'RESIDENT' || (by !== undefined && transport === 'websocket');

// A value is the same text by each way.
const { values: _values, ...withoutValues } = subjects;

describe.each(all)('$name', (way) => {
  const callers = new Callers(workersPlatform, way);
  afterAll(() => callers[Symbol.dispose]());

  const some = isThorough && isOfAnotherKind(way) ? withoutValues : wiring;
  const part = waysOfUsers.includes(way) ? subjects : some;

  describe.each(Object.entries(part))('%s', (_, cases) => {
    // Not test.each, which cuts names short.
    for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
  });
});
