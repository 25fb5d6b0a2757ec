/** The demo page for tests: served by `wrangler dev`, opened in a real browser, and watched. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDevServer } from '../scripts/dev-server.mjs';
import { stopAll } from '../scripts/guarded-process.mjs';
import { launchChromium } from './chromium.mjs';

const TEMPLATE = path.resolve(import.meta.dirname, '../template');

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Visit
 * @property {Page} page
 * @property {string[]} problems - grows with every error that the page logs or throws
 * @property {string[]} sockets - the addresses of the sockets that the page opens
 */

/**
 * Starts the server, with storage of its own, and the browser.
 *
 * @returns {Promise<{
 *   url: string,
 *   visit(options?: import('playwright-core').BrowserContextOptions): Promise<Visit>,
 *   stop(): Promise<void>,
 * }>}
 */
export async function startDemoPage() {
  const storage = await mkdtemp(path.join(tmpdir(), 'lumenize-rpc-browser-'));
  const { url } = await startDevServer(TEMPLATE, ['--persist-to', storage]);
  const browser = await launchChromium();
  return {
    url,
    async visit(options) {
      const page = await browser.newPage(options);
      const watched = watch(page);
      await page.goto(url);
      return { page, ...watched };
    },
    async stop() {
      await browser.close();
      await stopAll();
      await rm(storage, { recursive: true, force: true });
    },
  };
}

/** @param {Page} page */
function watch(page) {
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const sockets = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('websocket', (socket) => sockets.push(socket.url()));
  return { problems, sockets };
}
