/** The whole conformance suite by each way of users, at the oldest and at the newest compatibility date. Slow. */
import { describe } from 'vitest';
import { waysOfUsers } from './caller.ts';
import { NEWEST, OLDEST } from './dates.ts';
import { testCallsFromNode } from './from-node.ts';

describe.each([OLDEST, NEWEST])('%s', (date) => {
  testCallsFromNode(waysOfUsers, () => 'all', date);
});
