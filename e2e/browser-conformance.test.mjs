/**
 * The conformance suite of calls in a real browser, over real sockets, against the bare runtime that
 * serves the suite's Worker.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

const TEMPLATE = new URL('../template/', import.meta.url);
const CONFORMANCE = new URL('../conformance/', import.meta.url);

/** The same ones as the suite's own, which cannot be imported before it is bundled. */
const WAYS = [
  'WebSocket, hibernating',
  'WebSocket, not hibernating',
  'HTTP POST',
  'manual routing, WebSocket',
  'manual routing, HTTP POST',
];

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {{ url: string, stop(): Promise<void> }} */
let runtime;
/** @type {import('playwright-core').Page} */
let page;
/** What the page throws outside of the suite. @type {string[]} */
const problems = [];

beforeAll(async () => {
  const { startRuntime } = await import(new URL('perf/runtime.ts', TEMPLATE).href);
  runtime = await startRuntime(fileURLToPath(new URL('wrangler.jsonc', CONFORMANCE)));
  browser = await playwright.launch({
    args: chromium.args,
    executablePath: process.env.CHROME_PATH ?? (await chromium.executablePath()),
  });
  page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  // Any address of the Worker will do: what counts is that the page has its origin.
  await page.goto(runtime.url);
  const content = await bundle(fileURLToPath(new URL('calls/page.ts', CONFORMANCE)));
  await page.addScriptTag({ content });
});

afterAll(async () => {
  await browser?.close();
  await runtime?.stop();
});

test('every way is listed', async () => {
  expect(await page.evaluate('ways')).toEqual(WAYS);
});

test.each(WAYS)('calls from a page: %s', async (way) => {
  const { passed, failed } = await page.evaluate(`conformance(${JSON.stringify(way)})`);
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

/**
 * With the template's own esbuild.
 *
 * @param {string} entry
 * @returns {Promise<string>}
 */
async function bundle(entry) {
  const esbuild = createRequire(new URL('package.json', TEMPLATE))('esbuild');
  const options = { bundle: true, write: false, keepNames: true, format: 'iife', target: 'es2022' };
  const { outputFiles } = await esbuild.build({ entryPoints: [entry], ...options });
  return outputFiles[0].text;
}
