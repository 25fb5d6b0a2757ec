/** The conformance suite from Node, by each transport. */
import { waysOfUsers } from '../support/caller.ts';
import { testCallsFromNode } from './calls.ts';

testCallsFromNode(waysOfUsers);
