/**
 * Tests the pages of the examples in a real browser: the room while its server is killed and restarted, the digits, and
 * the meter.
 */
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { kill } from '../../harness/guarded-process.mjs';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { until } from '../../harness/waiting.mjs';
import { press, watch } from '../page/demo-page.mjs';
import { projects } from '../setup/projects.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { env, scaffoldBare } = projects({ stopAfter: 'all' });
const browser = sharedBrowser();
/** @type {string} */
let project;
/** @type {import('node:child_process').ChildProcess} */
let server;
/** The proxy has one address, whatever the address of the server is. @type {NetworkProxy} */
let proxy;
/** @type {Page} */
let ada;
/** @type {Page} */
let bob;

beforeAll(async () => {
  project = await scaffoldBare('pages', ['--example', 'room,digits,meter']);
  linkPackages(project);
  proxy = await new NetworkProxy(await serve()).listen();
  [ada, bob] = [await enter('Ada'), await enter('Bob')];
});

afterAll(() => proxy?.close());

test('each page shows the messages of the other', async () => {
  await say(ada, 'hello');
  await expect.poll(() => heardBy(bob)).toEqual(['Ada (guest): hello']);
  await say(bob, 'hello yourself');
  await expectBothToHave(['Ada (guest): hello', 'Bob (guest): hello yourself']);
});

test('each message arrives once and in order, although the server is killed', async () => {
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
  await say(bob, 'four');
  await expectBothToHave([...said, 'Bob (guest): four']);
});

test('both pages show a new topic at once, and a new page shows earlier messages', async () => {
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

test('a rejection is shown', async () => {
  await say(ada, '');
  await expect
    .poll(() => ada.getByRole('alert').textContent())
    .toBe('RpcError: say: argument [0] must have at least 1 character, got 0');
});

test('digits are shown one by one, until the last digit or until they are stopped', async () => {
  const page = await browser.newPage();
  const { frames, problems } = watch(page);
  await page.goto(`${proxy.url}/digits`);
  expect(await page.textContent('#digits')).toBe('The digits, one by one');
  const expected = digitsOfPi(200);
  await press(page, 'Start');
  expect(await page.textContent('#connection')).toBe('Connection: open');
  expect(await page.textContent('#digits')).toBe(expected);
  expect(await page.textContent('#read')).toBe('200 of 200 digits');

  await page.getByRole('button', { name: 'Start' }).click();
  await expect.poll(() => page.textContent('#digits')).toMatch(/^3\.14159/);
  await press(page, 'Stop');
  await expect.poll(() => page.locator('#start').getAttribute('aria-busy')).toBe('false');
  const read = Number.parseInt(`${await page.textContent('#read')}`);
  expect(read).toBeLessThan(200);
  expect(await page.textContent('#digits')).toBe(expected.slice(0, read + 1));
  expect(frames.at(-1)).toEqual({ direction: 'up', text: '[["unsubscribe",2]]' });
  expect(problems).toEqual([]);
  await page.close();
});

test('the dashboards of all pages show the count of one page, although the server is killed', async () => {
  const [one, other] = [await browser.newPage(), await browser.newPage()];
  const { frames } = watch(one);
  for (const page of [one, other]) {
    await page.goto(`${proxy.url}/meter`);
    await expect.poll(() => page.textContent('#connection')).toBe('Connection: open');
  }
  const total = async (/** @type {string[]} */ ...rows) => {
    for (const page of [one, other]) {
      await expect
        .poll(() =>
          page
            .locator('#totals li')
            .allTextContents()
            .then((all) => all.toSorted()),
        )
        .toEqual(rows);
    }
  };
  await one.getByRole('button', { name: '100 teas' }).click();
  await one.getByRole('button', { name: 'Tea', exact: true }).click();
  await total('tea: 101');
  expect(await one.textContent('#pressed')).toBe('This page has counted 101');
  // The counts are in one call, or in two if a second passed between the presses.
  const calls = frames.filter(({ direction, text }) => direction === 'up' && /"record"/.test(text));
  expect([1, 2]).toContain(calls.length);
  await kill(server);
  await other.getByRole('button', { name: 'Coffee' }).click();
  proxy.port = await serve();
  await total('coffee: 1', 'tea: 101');
  await one.close();
  await other.close();
});

const LOOKS = /** @type {const} */ ([
  ['room', 320, 'light'],
  ['room', 1280, 'dark'],
  ['digits', 320, 'dark'],
  ['digits', 1280, 'light'],
  ['meter', 320, 'light'],
  ['meter', 1280, 'dark'],
]);

test.each(LOOKS)('%s is accessible, %i pixels wide, %s', async (name, width, colorScheme) => {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  await page.goto(`${proxy.url}/${name}`);
  if (name === 'digits') await press(page, 'Start');
  await expect.poll(() => page.textContent('#connection')).toBe('Connection: open');
  await page.evaluate(axe.source);
  expect((await page.evaluate('axe.run()')).violations).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.close();
});

/** @returns {Promise<number>} the port of a server of the project */
async function serve() {
  const started = await startDevServer(project, [], env);
  ({ server } = started);
  return Number(new URL(started.url).port);
}

/**
 * @param {string} name
 * @returns {Promise<Page>} a page of the room, in a browser profile of its own
 */
async function enter(name) {
  const page = await browser.newPage();
  await page.goto(`${proxy.url}/room`);
  await page.getByLabel('Your name').fill(name);
  await until(async () => (await page.textContent('#topic')) !== '…');
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

/**
 * Computes digits of pi by Machin's formula.
 *
 * @param {number} count - the number of digits
 */
function digitsOfPi(count) {
  const one = 10n ** BigInt(count + 10);
  const inverseTangent = (/** @type {bigint} */ of) => {
    let [sum, term, sign] = [0n, one / of, 1n];
    for (let divisor = 1n; term > 0n; divisor += 2n) {
      sum += (sign * term) / divisor;
      term /= of * of;
      sign = -sign;
    }
    return sum;
  };
  const text = `${4n * (4n * inverseTangent(5n) - inverseTangent(239n))}`.slice(0, count);
  return text.replace('3', '3.');
}
