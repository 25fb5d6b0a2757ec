/**
 * Tests the demo page in a real browser, with the Worker in `wrangler dev`. One server and one browser serve all tests.
 */
import { describe } from 'vitest';
import { testAccessibility } from './accessibility.mjs';
import { testFunctions } from './functions.mjs';
import { shareDemoPage } from './shared.mjs';

shareDemoPage();

describe('its functions', testFunctions);
describe('its accessibility', testAccessibility);
