/**
 * The conformance suite of calls in a browser that lacks what current ones have: a page without a
 * secure context, as `http://192.168.…` is, and without the methods of Uint8Array for Base64.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from './chromium.mjs';

const TEMPLATE = new URL('../template/', import.meta.url);
const CONFORMANCE = new URL('../conformance/', import.meta.url);
/** No name of this machine, so that Chromium does not trust it as it trusts `localhost`. */
const HOST = 'page.test';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {{ url: string, stop(): Promise<void> }} */
let runtime;
/** @type {import('playwright-core').Page} */
let page;

beforeAll(async () => {
  const { startRuntime } = await import(new URL('perf/runtime.ts', TEMPLATE).href);
  runtime = await startRuntime(fileURLToPath(new URL('wrangler.jsonc', CONFORMANCE)));
  browser = await launchChromium([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
  page = await browser.newPage();
  const { port } = new URL(runtime.url);
  await page.goto(`http://${HOST}:${port}`);
  await page.evaluate('delete Uint8Array.prototype.toBase64; delete Uint8Array.fromBase64');
  await page.addScriptTag({ content: await bundle('calls/page.ts') });
  await page.addScriptTag({ content: await bundle('wire/base64-page.ts') });
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

test.each(['WebSocket, hibernating', 'HTTP POST'])('calls from it: %s', async (way) => {
  const { passed, failed } = await page.evaluate(`conformance(${JSON.stringify(way)})`);
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(0);
});

test('bytes of every length, and ten million of them', async () => {
  expect(await page.evaluate('wrongLengths([10000000])')).toEqual([]);
});

/**
 * With the template's own esbuild.
 *
 * @param {string} entry - in conformance/
 * @returns {Promise<string>}
 */
async function bundle(entry) {
  const esbuild = createRequire(new URL('package.json', TEMPLATE))('esbuild');
  const entryPoints = [fileURLToPath(new URL(entry, CONFORMANCE))];
  const options = { bundle: true, write: false, keepNames: true, format: 'iife', target: 'es2022' };
  const { outputFiles } = await esbuild.build({ entryPoints, ...options });
  return outputFiles[0].text;
}
