/** A browser that all tests of a file share. */
import { beforeAll } from 'vitest';
import { launchChromium } from './browser.mjs';

/** @typedef {import('playwright-core').Browser} Browser */

/**
 * Launches a browser before the tests of the calling file or `describe`, and closes it after them.
 *
 * @returns {Pick<Browser, 'newPage'>} opens pages while these tests run
 */
export function sharedBrowser() {
  /** @type {Browser} */
  let browser;
  beforeAll(async () => {
    browser = await launchChromium();
    return () => browser.close();
  });
  return { newPage: (options) => browser.newPage(options) };
}
