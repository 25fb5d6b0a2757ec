/** A page calls objects in a web worker and in an iframe, in Chromium. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../harness/browser.mjs';
import { bundledScript } from './bundled-script.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

test('a page calls and subscribes to an object in a web worker and an object in an iframe', async () => {
  const page = await browser.newPage();
  await page.setContent('<!doctype html><title>ports</title>');
  await page.addScriptTag({ content: await bundledScript('ports-page.ts') });
  const script = JSON.stringify(await bundledScript('../server/port/web-worker.ts'));
  const heard = [4, 'the page', 4, 7];
  expect(await page.evaluate(`useBoth(${script})`)).toEqual([heard, heard]);
});
