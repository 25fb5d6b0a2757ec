/**
 * Runs the whole conformance suite in each way of users, at the oldest and at the newest
 * compatibility date.
 */
import { describe } from 'vitest';
import { waysOfUsers } from './caller.ts';
import { NEWEST, OLDEST } from './dates.ts';
import { testCallsFromNode } from './from-node.ts';

describe.each([OLDEST, NEWEST])('%s', (date) => {
  testCallsFromNode(waysOfUsers, () => 'all', date);
});
