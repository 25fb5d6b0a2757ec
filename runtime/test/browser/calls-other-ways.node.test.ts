/**
 * The conformance suite in Chromium, by the ways of which `npm test` takes a part, or that few wire.
 * Slow: `npm run test:slow` has it.
 */
import { byPort, otherWays } from '../calls/caller.ts';
import { testCallsFromPage } from './calls.ts';

testCallsFromPage([...otherWays, byPort], () => true);
