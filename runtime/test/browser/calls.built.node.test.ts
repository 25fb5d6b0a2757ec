/**
 * The conformance suite in Chromium, by each transport: all cases by a WebSocket, and a part of them by POST and by
 * a port. All cases also run from Workers and from Node.
 */
import { byPort, ways, waysOfUsers } from '../calls/caller.ts';
import { testCallsFromPage } from './calls.ts';

testCallsFromPage([...waysOfUsers, byPort], (way) => (way === ways[0] ? 'all' : 'wiring'));
