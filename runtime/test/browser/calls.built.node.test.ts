/**
 * The conformance suite in Chromium, by each transport: by a WebSocket all of it, by POST and by a port
 * a part, of which the whole runs from Workers and from Node.
 */
import { byPort, ways, waysOfUsers } from '../calls/caller.ts';
import { testCallsFromPage } from './calls.ts';

testCallsFromPage([...waysOfUsers, byPort], (way) => (way === ways[0] ? 'all' : 'wiring'));
