/**
 * The conformance suite from Node, by the ways of which `npm test` takes a part, or that few wire.
 * Slow: `npm run test:slow` has it.
 */
import { otherWays } from './caller.ts';
import { testCallsFromNode } from './from-node.ts';

testCallsFromNode(otherWays, () => true);
