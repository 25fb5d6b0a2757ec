/** The conformance suite from Node, by each transport. */
import { byPort, waysOfUsers } from '../support/caller.ts';
import { testCallsFromNode } from './calls.ts';

testCallsFromNode([...waysOfUsers, byPort]);
