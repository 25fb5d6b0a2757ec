/** The conformance suite in Chromium, by each transport; by POST a part, which is whole from Workers. */
import { byPort, waysOfUsers } from '../support/caller.ts';
import { testCallsFromPage } from './calls.ts';

testCallsFromPage([...waysOfUsers, byPort], ({ transport }) => transport === 'websocket');
