/** The conformance suite in Chromium, by each transport. */
import { byPort, waysOfUsers } from '../support/caller.ts';
import { testCallsFromPage } from './calls.ts';

testCallsFromPage([...waysOfUsers, byPort]);
