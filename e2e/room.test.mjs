/** The room's page in two browsers, while its server is killed and started again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../harness/browser.mjs';
import { startDevServer } from '../harness/dev-server.mjs';
import { kill, stopAll } from '../harness/guarded-process.mjs';
import { Proxy as NetworkProxy } from '../harness/network-proxy.ts';
import { REPOSITORY } from './outside.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {string} */
let storage;
/** @type {import('node:child_process').ChildProcess} */
let server;
/** One address, wherever the server is. @type {NetworkProxy} */
let proxy;
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Page} */
let ada;
/** @type {Page} */
let bob;

beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), 'lumenize-rpc-room-'));
  proxy = await new NetworkProxy(await serve()).listen();
  browser = await launchChromium();
  [ada, bob] = [await enter('Ada'), await enter('Bob')];
});

afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await stopAll();
  await rm(storage, { recursive: true, force: true });
});

test('what one says the other hears', async () => {
  await say(ada, 'hello');
  await expect.poll(() => heardBy(bob)).toEqual(['Ada (guest): hello']);
  await say(bob, 'hello yourself');
  await expectBothToHave(['Ada (guest): hello', 'Bob (guest): hello yourself']);
});

test('each message is heard once and in order, although the server is killed twice', async () => {
  const before = await heardBy(ada);
  const said = [...before, 'Ada (guest): one'];
  await say(ada, 'one');
  await expectBothToHave(said);
  await kill(server);
  // The message waits until the server is back.
  await say(ada, 'two');
  await say(ada, 'three');
  proxy.port = await serve();
  said.push('Ada (guest): two', 'Ada (guest): three');
  await expectBothToHave(said);
  await kill(server);
  proxy.port = await serve();
  await say(bob, 'four');
  await expectBothToHave([...said, 'Bob (guest): four']);
});

test('a topic is everywhere at once, and who comes sees what was said', async () => {
  await ada.getByLabel('Another topic').fill('Tea');
  await ada.getByRole('button', { name: 'Set topic' }).click();
  for (const page of [ada, bob]) {
    await expect.poll(() => page.textContent('#topic')).toBe('Tea');
    await expect.poll(() => page.textContent('#present')).toBe('2');
  }
  const eve = await enter('Eve');
  await expect.poll(() => heardBy(eve)).toEqual(await heardBy(ada));
  await expect.poll(() => bob.textContent('#present')).toBe('3');
  await eve.close();
  await expect.poll(() => bob.textContent('#present')).toBe('2');
});

test('what is refused is said', async () => {
  await say(ada, '');
  await expect
    .poll(() => ada.getByRole('alert').textContent())
    .toBe('RpcError: say: argument [0] must have at least 1 character, got 0');
});

const LOOKS = /** @type {const} */ ([
  [320, 'light'],
  [1280, 'dark'],
]);

test.each(LOOKS)('it can be used by everybody, %i pixels wide, %s', async (width, colorScheme) => {
  const page = await enter('Zoe', { viewport: { width, height: 800 }, colorScheme });
  await page.addScriptTag({ content: axe.source });
  expect((await page.evaluate('axe.run()')).violations).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.close();
});

/** @returns {Promise<number>} the port of a server that uses the same storage */
async function serve() {
  const started = await startDevServer(join(REPOSITORY, 'template'), ['--persist-to', storage]);
  ({ server } = started);
  return Number(new URL(started.url).port);
}

/**
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<Page>} of a browser profile of its own
 */
async function enter(name, options) {
  const page = await browser.newPage(options);
  await page.goto(`${proxy.url}/room`);
  await page.getByLabel('Your name').fill(name);
  await page.waitForFunction(`document.querySelector('#topic').textContent !== '…'`);
  return page;
}

/**
 * @param {Page} page
 * @param {string} text
 */
async function say(page, text) {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Say it' }).click();
}

/**
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
function heardBy(page) {
  return page.locator('#messages li').allTextContents();
}

/** @param {string[]} lines */
async function expectBothToHave(lines) {
  for (const page of [ada, bob]) await expect.poll(() => heardBy(page)).toEqual(lines);
}
