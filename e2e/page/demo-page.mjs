/** Serves the demo page with `wrangler dev`, opens it in a real browser, and records its frames, sockets and errors. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stopAll } from '../../harness/guarded-process.mjs';
import { launchChromium } from '../../harness/browser.mjs';
import { until } from '../../harness/waiting.mjs';

const TEMPLATE = path.resolve(import.meta.dirname, '../../template');

/** A heartbeat, which is sent and answered every 15 seconds. */
const HEARTBEAT = '[]';

/** @typedef {import('playwright-core').Page} Page */

/** @typedef {{ payload: string | Buffer }} Payload */

/** @typedef {{ direction: string, text: string }} Frame */

/**
 * @typedef {object} Visit
 * @property {Page} page
 * @property {string[]} problems - grows with every error that the page logs or throws
 * @property {string[]} sockets - the addresses of the sockets that the page opens
 * @property {Frame[]} frames - frames on the sockets, as the browser reports them; no heartbeats
 */

/**
 * @typedef {object} DemoPage
 * @property {string} url
 * @property {(options?: import('playwright-core').BrowserContextOptions, at?: string) => Promise<Visit>} visit -
 *   opens the page, at the address of the server or a proxy, and waits until it shows its value
 * @property {(instance: string) => Promise<number>} valueOf - reads a counter's value from Node
 * @property {(instance: string) => Promise<void>} fill - sets a counter to 1,000,000,000, its maximum
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<DemoPage>} a page with a storage of its own */
export async function startDemoPage() {
  const storage = await mkdtemp(path.join(tmpdir(), 'lumenize-rpc-browser-'));
  const { url } = await startDevServer(TEMPLATE, ['--persist-to', storage]);
  const browser = await launchChromium();
  return {
    url,
    async visit(options, at = url) {
      // The bar of a busy button is painted 60 times a second, which takes most of the browser's time.
      const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
      const watched = watch(page);
      await page.goto(at);
      await until(async () => (await page.textContent('#value')) !== '…');
      return { page, ...watched };
    },
    async valueOf(instance) {
      using counter = await connect(url, instance);
      return await counter.getValue();
    },
    async fill(instance) {
      using counter = await connect(url, instance);
      await counter.reset();
      await Promise.all(Array.from({ length: 1_000 }, () => counter.increment(1_000_000)));
    },
    async stop() {
      await browser.close();
      await stopAll();
      await rm(storage, { recursive: true, force: true });
    },
  };
}

/**
 * @param {string} baseUrl
 * @param {string} instance
 */
async function connect(baseUrl, instance) {
  const client = path.join(TEMPLATE, 'vendor/lumenize-rpc/dist/client.js');
  const { createRpcClient } = await import(pathToFileURL(client).href);
  return createRpcClient('COUNTER', instance, { baseUrl });
}

/**
 * Presses a button and waits until its action has ended. `waitForFunction` would evaluate text in the page, which the
 * page's policy forbids.
 *
 * @param {Page} page
 * @param {string} name
 */
export async function press(page, name) {
  const button = page.getByRole('button', { name, exact: true });
  await button.click();
  const busy = await button.elementHandle();
  await until(async () => !(await busy?.evaluate((element) => element.ariaBusy === 'true')));
}

/**
 * Uses everything on the page once.
 *
 * @param {Page} page
 */
export async function useEverything(page) {
  for (const name of ['Increment', 'Increment', 'Add']) await press(page, name);
  const failures = ['Increment by 1.5', 'Overfill a counter'];
  for (const name of ['Measure', ...failures, 'Cut the connection']) {
    await press(page, name);
  }
  await page.locator('.exact').waitFor();
  // The panel of frames is updated after some tenths of a second.
  await until(async () => (await page.textContent('#frames'))?.includes('"resent"') === true);
}

/** @param {Page} page */
export function watch(page) {
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const sockets = [];
  /** @type {Frame[]} */
  const frames = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('websocket', (socket) => {
    sockets.push(socket.url());
    const note =
      (/** @type {string} */ direction) =>
      (/** @type {Payload} */ { payload }) => {
        if (payload !== HEARTBEAT) frames.push({ direction, text: `${payload}` });
      };
    socket.on('framesent', note('up'));
    socket.on('framereceived', note('down'));
  });
  return { problems, sockets, frames };
}
