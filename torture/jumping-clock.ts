/**
 * Loaded before a client's code: every look at the clock sees another hour of the last or next day.
 */
import { jumpBy } from './clock.ts';

jumpBy(24 * 60);
