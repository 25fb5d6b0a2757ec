/**
 * Loaded before the worker's code: every look at the clock is up to twenty minutes wrong. Objects
 * forget clients by the clock, which on Cloudflare is set well; that may go wrong by less than the
 * half hour for which an object lets a call be sent again.
 */
import { jumpBy } from './clock.ts';

jumpBy(20);
