/**
 * Loaded before a client's code: each reading of the clock is wrong by up to a day.
 */
import { jumpBy } from './clock.ts';

jumpBy(24 * 60);
