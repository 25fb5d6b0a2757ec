/** The conformance suite from Node, by each transport; by POST a part, which is whole from Workers. */
import { byPort, waysOfUsers } from './caller.ts';
import { testCallsFromNode } from './from-node.ts';

testCallsFromNode([...waysOfUsers, byPort], ({ transport }) => transport === 'websocket');
