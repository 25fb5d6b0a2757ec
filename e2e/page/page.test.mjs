/** The demo page in a real browser, with the Worker in `wrangler dev`. One server and one browser serve all tests. */
import { describe } from 'vitest';
import { testFunctions } from './functions.mjs';
import { testLooks } from './looks.mjs';
import { testPictures } from './pictures.mjs';
import { shareDemoPage } from './shared.mjs';

shareDemoPage();

describe('its functions', testFunctions);
describe('its looks', testLooks);
describe('its pictures', testPictures);
