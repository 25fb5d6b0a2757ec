/**
 * The conformance suite in Chromium: the rest of the cases by POST and by a port, and a part of the cases for the
 * options of an object that few projects use, which have more tests from Workers. `npm run test:all` runs this file.
 */
import { byPort, otherWays, waysOfUsers } from '../calls/caller.ts';
import { testCallsFromPage } from './calls.ts';

const begun = new Set([...waysOfUsers, byPort]);

testCallsFromPage([...otherWays, byPort], (way) => (begun.has(way) ? 'rest' : 'wiring'));
