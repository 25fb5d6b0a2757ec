/**
 * The conformance suite from Node, by each transport: by a WebSocket all of it, by POST and by a port a part, of which the
 * whole runs from Workers.
 */
import { byPort, ways, waysOfUsers } from './caller.ts';
import { testCallsFromNode } from './from-node.ts';

testCallsFromNode([...waysOfUsers, byPort], (way) => (way === ways[0] ? 'all' : 'wiring'));
