/**
 * The suite of calls in a browser that lacks current features: in a page without a secure context, such as
 * `http://192.168.…`, and without the methods of Uint8Array for Base64.
 */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../../harness/browser.mjs';
import { Runtime } from '../../../harness/runtime.ts';
import { bundledScript } from './bundled-script.ts';
import type { Report } from './page.ts';

/** This is not a name of the machine itself, so Chromium does not trust it as it trusts `localhost`. */
const HOST = 'page.test';

let runtime: Runtime;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  runtime = await Runtime.serve({ config: join(import.meta.dirname, '../wrangler.jsonc') });
  browser = await launchChromium([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
  page = await browser.newPage();
  await page.goto(`http://${HOST}:${runtime.port}`);
  await page.evaluate('delete Uint8Array.prototype.toBase64; delete Uint8Array.fromBase64');
  await page.addScriptTag({ content: await bundledScript('page.ts') });
  await page.addScriptTag({ content: await bundledScript('base64-page.ts') });
});

afterAll(async () => {
  await browser?.close();
  await runtime?.stop();
});

test('the page lacks these features', async () => {
  const has = '[isSecureContext, "randomUUID" in crypto, "toBase64" in Uint8Array.prototype]';
  expect(await page.evaluate(has)).toEqual([false, false, false]);
  expect(await page.evaluate('"fromBase64" in Uint8Array')).toBe(false);
});

// One transport runs all cases, because the features matter only to the encoding of values, which both share.
test.each([
  ['WebSocket, hibernating', 'all'],
  ['HTTP POST', 'wiring'],
])('calls from the page work: %s', async (way, part) => {
  const call = `conformance(${JSON.stringify(way)}, '${part}')`;
  const { passed, failed } = await page.evaluate<Report>(call);
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(100);
});

test('bytes of every length, and ten million bytes, are encoded and decoded', async () => {
  expect(await page.evaluate('wrongLengths([10000000])')).toEqual([]);
});
