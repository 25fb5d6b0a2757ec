/**
 * The conformance suite from Node, by the ways of which `npm test` takes a part, or that few wire.
 * Slow: `npm run test:slow` has it.
 */
import { otherWays } from '../support/caller.ts';
import { testCallsFromNode } from './calls.ts';

testCallsFromNode(otherWays, () => true);
