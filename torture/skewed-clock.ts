/**
 * Loaded before the Worker's code: each reading of the clock is wrong by up to twenty minutes. Objects forget
 * clients by the clock, which is accurate on Cloudflare. The error has to be less than the half hour in which an
 * object accepts a call again.
 */
import { jumpBy } from './clock.ts';

jumpBy(20);
