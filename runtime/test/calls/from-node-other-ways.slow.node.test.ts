/**
 * Runs the conformance suite from Node: by POST the cases that `npm test` leaves out, and some
 * cases in ways that few users wire. The Workers runtime runs more cases in these ways.
 */
import { otherWays, waysOfUsers } from './caller.ts';
import { testCallsFromNode } from './from-node.ts';

testCallsFromNode(otherWays, (way) => (waysOfUsers.includes(way) ? 'rest' : 'wiring'));
