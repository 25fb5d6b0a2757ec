/** The conformance suite from Node, by the ways that few wire. Slow: `npm run test:slow` has it. */
import { otherWays } from '../support/caller.ts';
import { testCallsFromNode } from './calls.ts';

testCallsFromNode(otherWays);
