/**
 * Uses the board in three browsers, with the Content Security Policy and the scripts of a deployment. Each browser
 * shows the changes of the others. The connection of one browser can be held, so that a test decides when an answer
 * arrives.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startVite } from '../../harness/dev-server.mjs';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { rewrite } from '../guides/sections.mjs';
import { projects } from '../setup/projects.mjs';
import { run } from '../setup/outside.mjs';

/** @typedef {import('playwright-core').Page} Page */

const place = projects({ stopAfter: 'all' });
const browser = sharedBrowser();
/** @type {string} */
let url;
/** The proxy between the server and Bob. @type {NetworkProxy} */
let proxy;

beforeAll(async () => {
  const project = await place.scaffoldBare('board', ['--example', 'board']);
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', args, { cwd: project, env: place.env });
  await place.npm(project, 'types');
  await place.npm(project, 'typecheck');
  await place.npm(project, 'lint', '--deny-warnings');
  await place.npm(project, 'test', 'test/board.test.ts');
  // The page records the cards that it renders.
  rewrite(join(project, 'src/ui/board/lanes.tsx'), [
    [/^ {2}const \{ id, title \} = card;\n/m, '$&  (globalThis as any).renders?.push(title);\n'],
  ]);
  await place.npm(project, 'build');
  ({ url } = await startVite(project, ['exec', 'vite', 'preview'], place.env));
  proxy = await new NetworkProxy(Number(new URL(url).port)).listen();
});

afterAll(() => proxy?.close());

test('a card that one user moves moves in all three browsers, and no other card is rendered', async () => {
  const { ada, bob, eve } = await enterAll('moves');
  for (const page of [ada, bob, eve]) await page.evaluate('globalThis.renders = []');
  await button(bob, 'Move two to Doing').click();
  for (const page of [ada, bob, eve]) await expectLanes(page, ['one', 'three'], ['two'], []);
  for (const page of [ada, eve]) expect(await page.evaluate('renders')).toEqual(['two']);
  await card(ada, 'three').dragTo(card(ada, 'two'));
  for (const page of [ada, bob, eve]) await expectLanes(page, ['one'], ['three', 'two'], []);
  await button(ada, 'Remove three').click();
  for (const page of [ada, bob, eve]) await expectLanes(page, ['one'], ['two'], []);
});

test('a move is shown at once, and only the old and the new state are ever shown', async () => {
  const { ada, bob } = await enterAll('optimistic');
  await watchLanes(bob);
  proxy.silence('up');
  await button(bob, 'Move one to Doing').click();
  await expectLanes(bob, ['two', 'three'], ['one'], []);
  await expectLanes(ada, ['one', 'two', 'three'], [], []);
  proxy.resume();
  await expectLanes(ada, ['two', 'three'], ['one'], []);
  proxy.delay = 300;
  await button(bob, 'Move two to Doing').click();
  await button(bob, 'Move three to Doing').click();
  await expectLanes(ada, [], ['one', 'two', 'three'], []);
  proxy.delay = 0;
  await button(ada, 'Move one to Done').click();
  await expectLanes(bob, [], ['two', 'three'], ['one']);
  expect(await bob.evaluate('shown')).toEqual([
    'one,two,three||',
    'two,three|one|',
    'three|one,two|',
    '|one,two,three|',
    '|two,three|one',
  ]);
});

test('a refused move is undone, and a viewer has no buttons to move cards', async () => {
  const { ada, bob, eve } = await enterAll('refused');
  expect(await edits(eve).count()).toBe(0);
  proxy.silence('down');
  await ada.getByLabel('Role of Bob').selectOption('viewer');
  await expect.poll(() => eve.getByLabel('Role of Bob').inputValue()).toBe('viewer');
  // Bob's page does not know of it yet.
  await button(bob, 'Move one to Doing').click();
  await expectLanes(bob, ['two', 'three'], ['one'], []);
  proxy.resume();
  await expectLanes(bob, ['one', 'two', 'three'], [], []);
  await expect.poll(() => alerts(bob)).toContain('Bob is viewer here, and not editor');
  await expect.poll(() => edits(bob).count()).toBe(0);
  await expectLanes(ada, ['one', 'two', 'three'], [], []);
});

test('the other users see a pointer, until its browser is closed', async () => {
  const { ada, bob, eve } = await enterAll('cursors');
  for (const x of [0.25, 0.75]) {
    await point(bob, x, 0.5);
    for (const page of [ada, eve])
      await expect.poll(() => cursorOf('Bob', page)).toEqual([`${x * 100}%`, '50%']);
  }
  expect(await cursorOf('Bob', bob)).toBeUndefined();
  await point(ada, 0.5, 0.25);
  for (const page of [bob, eve])
    await expect.poll(() => cursorOf('Ada', page)).toEqual(['50%', '25%']);
  await bob.context().close();
  for (const page of [ada, eve]) await expect.poll(() => cursorOf('Bob', page)).toBeUndefined();
  expect(await cursorOf('Ada', eve)).toEqual(['50%', '25%']);
});

test('older activity is loaded page by page, and new activity is added without a gap', async () => {
  const { ada, eve } = await enterAll('activity');
  for (let index = 1; index <= 50; index++) await addCard(ada, `card ${index}`);
  const late = await enter('Zoe', 'activity');
  const texts = () => late.getByRole('list', { name: 'Activity' }).locator('li').allTextContents();
  await expect.poll(() => texts().then((all) => all.length)).toBe(20);
  await addCard(ada, 'while reading');
  await expect.poll(() => texts().then((all) => all.length)).toBe(21);
  const older = button(late, 'Older');
  for (const length of [41, 55]) {
    await older.click();
    await expect.poll(() => texts().then((all) => all.length)).toBe(length);
  }
  expect(await older.count()).toBe(0);
  const expected = [
    'one',
    'two',
    'three',
    ...Array.from({ length: 50 }, (_, i) => `card ${i + 1}`),
  ];
  const added = (await texts()).filter((text) => text.includes('added')).toReversed();
  expect(added.map((text) => /“(.*)”/.exec(text)?.[1])).toEqual([...expected, 'while reading']);
  await eve.close();
});

test('a file is uploaded in one browser, and downloaded in another', async () => {
  const { bob, eve } = await enterAll('files');
  const buffer = Buffer.alloc(3_000_000, 'a file of some length. ');
  const file = { name: 'plan.pdf', mimeType: 'application/pdf', buffer };
  await bob.getByLabel('Attach to one').setInputFiles(file);
  const download = eve.waitForEvent('download');
  await button(eve, 'Download plan.pdf').click();
  const path = await (await download).path();
  expect((await download).suggestedFilename()).toBe('plan.pdf');
  expect(readFileSync(path).equals(buffer)).toBe(true);
});

test('a link shows the board until it is revoked', async () => {
  const { ada, bob } = await enterAll('link');
  expect(await bob.getByRole('heading', { name: 'Link' }).count()).toBe(0);
  await button(ada, 'Make a link').click();
  const address = await ada.getByRole('link', { name: /who has this link/ }).getAttribute('href');
  const visitor = await open(`${url}${address}`);
  await expectLanes(visitor, ['one', 'two', 'three'], [], []);
  await button(bob, 'Move one to Doing').click();
  await expectLanes(visitor, ['two', 'three'], ['one'], []);
  expect(await edits(visitor).count()).toBe(0);
  await button(ada, 'Take it back').click();
  await expect.poll(() => alerts(visitor)).toContain('This link was taken back.');
  expect(await visitor.getByText('two').count()).toBe(0);
  await visitor.reload();
  await expect.poll(() => alerts(visitor)).toContain('This link was taken back.');
});

const LOOKS = /** @type {const} */ ([
  [320, 'light'],
  [320, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
]);

test.each(LOOKS)('the board is accessible, %i pixels wide, %s', async (width, colorScheme) => {
  const board = `looks-${width}-${colorScheme}`;
  const { ada: page, bob } = await enterAll(board, {
    viewport: { width, height: 800 },
    colorScheme,
  });
  await button(page, 'Make a link').click();
  await page.getByRole('link', { name: /who has this link/ }).waitFor();
  await page.getByLabel('Attach to two').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('notes'),
  });
  await button(page, 'Download notes.txt').waitFor();
  await point(bob, 0.4, 0.4);
  await expect.poll(() => cursorOf('Bob', page)).toEqual(['40%', '40%']);
  await page.evaluate(axe.source);
  expect((await page.evaluate('axe.run()')).violations).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
});

test('the board can be used with the keyboard alone', async () => {
  const { ada, eve } = await enterAll('keyboard');
  await button(ada, 'Move one to Doing').focus();
  await ada.keyboard.press('Enter');
  await expectLanes(eve, ['two', 'three'], ['one'], []);
  await ada.getByLabel('New card').focus();
  await ada.keyboard.type('four');
  await ada.keyboard.press('Enter');
  await expectLanes(eve, ['two', 'three', 'four'], ['one'], []);
});

/**
 * @param {string} board
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<Record<'ada' | 'bob' | 'eve', Page>>} the pages of an owner, an editor behind the proxy, and a
 *   viewer, in three browsers that share nothing; the board has three cards
 */
async function enterAll(board, options) {
  const ada = await enter('Ada', board, url, options);
  await ada.getByRole('heading', { name: 'Ada, owner' }).waitFor();
  const bob = await enter('Bob', board, proxy.url);
  const eve = await enter('Eve', board);
  await ada.getByLabel('Role of Bob').selectOption('editor');
  await bob.getByRole('heading', { name: 'Bob, editor' }).waitFor();
  for (const title of ['one', 'two', 'three']) await addCard(ada, title);
  for (const page of [ada, bob, eve]) await expectLanes(page, ['one', 'two', 'three'], [], []);
  return { ada, bob, eve };
}

/**
 * @param {string} user
 * @param {string} board
 * @param {string} [at]
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
async function enter(user, board, at = url, options) {
  const page = await open(`${at}/?user=${user}&board=${board}`, options);
  await page.getByText('Connection: open').first().waitFor();
  return page;
}

/**
 * @param {string} address
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<Page>} a page in a browser context of its own
 */
async function open(address, options) {
  const page = await browser.newPage(options);
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) problems.push(message.text());
  });
  onTestFinished(async () => {
    await page.context().close();
    expect(problems).toEqual([]);
  });
  await page.goto(address);
  return page;
}

/**
 * @param {Page} page
 * @param {string} title
 */
async function addCard(page, title) {
  await page.getByLabel('New card').fill(title);
  await button(page, 'Add card').click();
  await page.locator('.lane').getByText(title, { exact: true }).waitFor();
}

/**
 * @param {Page} page
 * @param {string} name
 */
const button = (page, name) => page.getByRole('button', { name, exact: true });

/**
 * @param {Page} page
 * @param {string} title
 */
const card = (page, title) => page.locator('.lane li', { hasText: title });

/** @param {Page} page */
const edits = (page) => page.locator('.board').getByRole('button', { name: /^(Move|Remove|Add)/ });

/** @param {Page} page */
const alerts = async (page) => (await page.getByRole('alert').allTextContents()).join('');

/** The lanes of a page as text. */
const LANES = `[...document.querySelectorAll('.lane')].map((lane) =>
  [...lane.querySelectorAll('li > p:first-child')].map((title) => title.textContent).join()).join('|')`;

/**
 * @param {Page} page
 * @param {string[][]} lanes
 */
async function expectLanes(page, ...lanes) {
  await expect.poll(() => page.evaluate(LANES)).toBe(lanes.map((lane) => lane.join()).join('|'));
}

/**
 * Records every state of the lanes from now on.
 *
 * @param {Page} page
 */
async function watchLanes(page) {
  await page.evaluate(`
    globalThis.shown = [${LANES}];
    new MutationObserver(() => {
      const now = ${LANES};
      if (now !== shown.at(-1)) shown.push(now);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
}

/**
 * Moves the pointer to a position on the board, in fractions of its width and height.
 *
 * @param {Page} page
 * @param {number} x
 * @param {number} y
 */
async function point(page, x, y) {
  const box = await page.locator('.cursors').boundingBox();
  if (!box) throw new Error('There is no board');
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
}

/**
 * @param {string} user
 * @param {Page} page
 * @returns {Promise<string[] | undefined>} the position at which the page shows the pointer of another user
 */
function cursorOf(user, page) {
  return page.evaluate(`[...document.querySelectorAll('.cursor')]
    .filter((cursor) => cursor.textContent === '${user}')
    .map(({ style }) => [style.left, style.top].map((part) => Math.round(parseFloat(part)) + '%'))[0]`);
}
