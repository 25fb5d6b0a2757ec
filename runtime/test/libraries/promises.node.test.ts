/**
 * Libraries handle the promise of a call like any promise: in Node and in a page of Chromium, with
 * capabilities and without.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../../../harness/shared-browser.mjs';
import { bundledPage, IN_NODE } from './in-node.mjs';
import { EVERYWHERE, IN_A_PAGE } from './rows.mjs';
import { served } from './served.ts';

const RIGHT = { found: [5], others: 0 };
const WAYS: [way: string, isCapable: boolean][] = [
  ['without capabilities', false],
  ['with capabilities', true],
];

describe.each(WAYS)('%s', (_, isCapable) => {
  test.each(Object.entries({ ...EVERYWHERE, ...IN_NODE }))('in Node, %s', async (name, row) => {
    expect(await served(isCapable, row), name).toEqual(RIGHT);
  });
});

describe('in a page', () => {
  const browser = sharedBrowser();
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.setContent('<!doctype html><title>Promises</title>');
    await page.addScriptTag({ content: await bundledPage() });
  });

  const names = [...Object.keys({ ...EVERYWHERE, ...IN_A_PAGE }), 'Svelte: an await block'];

  describe.each(WAYS)('%s', (_, isCapable) => {
    test.each(names)('%s', async (name) => {
      expect(await page.evaluate(`run(${JSON.stringify(name)}, ${isCapable})`)).toEqual(RIGHT);
      expect(errors.splice(0)).toEqual([]);
    });
  });

  test('each row of the page is in the table', async () => {
    expect(await page.evaluate('names')).toEqual(names);
  });
});
