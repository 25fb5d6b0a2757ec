/**
 * The suite of calls in a browser that lacks what current ones have: in a page without a secure context, as
 * `http://192.168.…` is, and without the methods of Uint8Array for Base64.
 */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../../harness/browser.mjs';
import { Runtime } from '../../../harness/runtime.ts';
import { bundledScript } from './bundled-script.ts';
import type { Report } from './page.ts';

/** No name of this machine, so that Chromium does not trust it as it trusts `localhost`. */
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

test('the page lacks what it should', async () => {
  const has = '[isSecureContext, "randomUUID" in crypto, "toBase64" in Uint8Array.prototype]';
  expect(await page.evaluate(has)).toEqual([false, false, false]);
  expect(await page.evaluate('"fromBase64" in Uint8Array')).toBe(false);
});

// All by one of them: what the page lacks matters to how values are written, which is the same by both.
test.each([
  ['WebSocket, hibernating', 'all'],
  ['HTTP POST', 'wiring'],
])('calls from it: %s', async (way, part) => {
  const call = `conformance(${JSON.stringify(way)}, '${part}')`;
  const { passed, failed } = await page.evaluate<Report>(call);
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(100);
});

test('bytes of every length, and ten million of them', async () => {
  expect(await page.evaluate('wrongLengths([10000000])')).toEqual([]);
});
