/** The page in a real browser, served by `wrangler dev`: it opens, counts, and keeps its number. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from './chromium.mjs';
import { startDevServer } from '../scripts/dev-server.mjs';
import { stopAll } from '../scripts/guarded-process.mjs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const TEMPLATE = path.resolve(import.meta.dirname, '../template');

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {string} */
let url;
/** @type {string} */
let storage;

beforeAll(async () => {
  storage = await mkdtemp(path.join(tmpdir(), 'lumenize-rpc-browser-'));
  ({ url } = await startDevServer(TEMPLATE, ['--persist-to', storage]));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await stopAll();
  await rm(storage, { recursive: true, force: true });
});

test('the page counts on the object over a WebSocket', async () => {
  const page = await browser.newPage();
  const problems = watchForProblems(page);
  const sockets = watchSockets(page);
  await page.goto(url);
  const value = page.getByRole('status');
  await expect.poll(() => value.textContent()).toBe('0');
  await page.getByRole('button', { name: 'Increment' }).click();
  await expect.poll(() => value.textContent()).toBe('1');
  await page.getByRole('button', { name: 'Increment' }).click();
  await expect.poll(() => value.textContent()).toBe('2');
  expect(sockets).toEqual([`${url.replace('http', 'ws')}/__rpc/COUNTER/demo/call`]);

  await page.reload();
  await expect.poll(() => value.textContent()).toBe('2');
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => value.textContent()).toBe('0');
  expect(problems).toEqual([]);
  await page.close();
});

/**
 * @param {import('playwright-core').Page} page
 * @returns {string[]} grows with every error that the page logs or throws
 */
function watchForProblems(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return problems;
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {string[]} the addresses of the sockets that the page opens
 */
function watchSockets(page) {
  /** @type {string[]} */
  const urls = [];
  page.on('websocket', (socket) => urls.push(socket.url()));
  return urls;
}
