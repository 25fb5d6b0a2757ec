/**
 * The conformance suite from Node: the rest of what `npm test` tries by POST, and a part by the ways that few wire, which
 * are the object's alone and are tried with more from Workers. Slow: `npm run test:all` has it.
 */
import { otherWays, waysOfUsers } from './caller.ts';
import { testCallsFromNode } from './from-node.ts';

testCallsFromNode(otherWays, (way) => (waysOfUsers.includes(way) ? 'rest' : 'wiring'));
