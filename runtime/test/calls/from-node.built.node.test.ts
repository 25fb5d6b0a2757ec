/**
 * Runs the conformance suite from Node: all cases by a WebSocket, and some by POST and by a port.
 * From Workers, all of them run.
 */
import { byPort, ways, waysOfUsers } from './caller.ts';
import { testCallsFromNode } from './from-node.ts';

testCallsFromNode([...waysOfUsers, byPort], (way) => (way === ways[0] ? 'all' : 'wiring'));
