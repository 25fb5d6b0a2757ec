/**
 * The conformance suite in Chromium: the rest of what `npm test` tries by POST and by a port, and a part by the ways that
 * few wire, which are the object's alone and are tried with more from Workers. Slow: `npm run test:all` has it.
 */
import { byPort, otherWays, waysOfUsers } from '../calls/caller.ts';
import { testCallsFromPage } from './calls.ts';

const begun = new Set([...waysOfUsers, byPort]);

testCallsFromPage([...otherWays, byPort], (way) => (begun.has(way) ? 'rest' : 'wiring'));
