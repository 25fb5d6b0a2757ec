/**
 * In a real browser, a page has an origin that the Worker does not allow. Its developer gets the reason from the error
 * and from the Worker's console.
 */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../../harness/browser.mjs';
import { freePort } from '../../../harness/ports.mjs';
import { Runtime } from '../../../harness/runtime.ts';
import { bundledScript } from './bundled-script.ts';

let runtime: Runtime;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  runtime = await Runtime.serve({ config: join(import.meta.dirname, '../wrangler.jsonc') });
  browser = await launchChromium();
  page = await browser.newPage();
  // The same server has another origin under another name.
  await page.goto(runtime.url.replace('127.0.0.1', 'localhost'));
  await page.addScriptTag({ content: await bundledScript('client-page.ts') });
});

afterAll(async () => {
  await browser?.close();
  await runtime?.stop();
});

test.each(['websocket', 'http'])('%s: the call rejects with the reason', async (transport) => {
  const options = JSON.stringify({ baseUrl: runtime.url, transport });
  const origin = `http://localhost:${runtime.port}`;
  const address = `${runtime.url}/__rpc/COUNTER/page/call`;
  expect(await page.evaluate(`failureOf(${options})`)).toEqual({
    code: 'FORBIDDEN',
    message: `The server answered 403: Origin ${origin} is not allowed: see the option cors (${address})`,
  });
});

test('a page of another origin can read only the rejection', async () => {
  const url = `${runtime.url}/__rpc/COUNTER/page/call`;
  const status = (credentials: string, headers = {}): Promise<unknown> =>
    page.evaluate(
      `fetch(${JSON.stringify(url)}, ${JSON.stringify({ method: 'POST', body: '[[1,"increment"]]', credentials, headers: { 'Content-Type': 'application/json', ...headers } })})` +
        `.then(({ status }) => status, ({ name }) => name)`,
    );
  expect(await status('omit')).toBe(403);
  expect(await status('omit', { Authorization: 'Bearer a' })).toBe(403);
  expect(await status('include')).toBe('TypeError');
  await page.goto(runtime.url);
  await page.addScriptTag({ content: await bundledScript('client-page.ts') });
  await expect(page.evaluate('failureOf({})')).rejects.toThrow('It was answered: 0');
});

test('the error names the address and other possible reasons if no server listens', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const options = JSON.stringify({ baseUrl });
  const { message } = await page.evaluate<{ message: string }>(`failureInVain(${options})`);
  const address = `${baseUrl}/__rpc/COUNTER/page/call`;
  expect(message.replace(/\d+/, '')).toBe(
    `getValue timed out after  ms: TypeError: Failed to fetch (CORS or Content Security Policy? ${address})`,
  );
});
