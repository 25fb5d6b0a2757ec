/** The demo page in a real browser, with the Worker in `wrangler dev`. */
import { describe } from 'vitest';
import { testFunctions } from './page/functions.mjs';
import { testLooks } from './page/looks.mjs';
import { testPictures } from './page/pictures.mjs';
import { shareDemoPage } from './page/shared.mjs';

shareDemoPage();

describe('its functions', testFunctions);
describe('its looks', testLooks);
describe('its pictures', testPictures);
