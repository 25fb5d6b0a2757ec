/** Each page for its readers: without barriers, light, still, and as wide as a phone. */
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import { beforeAll, expect, test } from 'vitest';
import { allPages } from '../../site/.vitepress/pages.ts';

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

/** Bytes of a page with all that it loads, compressed as Cloudflare sends it. */
const MAX_WEIGHT = 300_000;

/** A script of the page that adds up its layout shifts in the global variable `shift`. */
const SUM_SHIFTS = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const ADDRESSES = ['', ...allPages().map(({ address }) => address), 'no-such-page'];

/**
 * @param {ReturnType<typeof import('../../harness/shared-browser.mjs').sharedBrowser>} browser
 * @param {() => string} url - of the site
 */
export function testReading(browser, url) {
  /** @type {{ page: import('playwright-core').Page, width: number, loaded: Set<string> }[]} */
  let readers;
  /** @type {string[]} */
  let problems;

  // A page that changes its colours would load the pictures of both.
  beforeAll(async () => {
    readers = await Promise.all([
      reader({ colorScheme: 'light', viewport: DESKTOP }),
      reader({ colorScheme: 'dark', viewport: PHONE }),
    ]);
    return () => Promise.all(readers.map(({ page }) => page.close()));
  });

  /** @param {{ colorScheme: 'light' | 'dark', viewport: typeof PHONE }} options */
  async function reader(options) {
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
    /** @type {Set<string>} */
    const loaded = new Set();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('response', (response) => loaded.add(response.url()));
    await page.addInitScript(SUM_SHIFTS);
    return { page, width: options.viewport.width, loaded };
  }

  test.each(ADDRESSES)('/%s', async (address) => {
    problems = [];
    for (const { page, width, loaded } of readers) {
      loaded.clear();
      await page.goto(`${url()}/${address}`, { waitUntil: 'networkidle' });
      expect(await weightOf(loaded)).toBeLessThan(MAX_WEIGHT);
      expect(await page.evaluate('shift')).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.evaluate(axe.source);
      expect(await barriers(page)).toEqual([]);
    }
    // A browser reports the status 404 of a page as an error.
    if (address !== 'no-such-page') expect(problems).toEqual([]);
  });

  test('code can be copied', async () => {
    const own = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await own.goto(`${url()}/features/calls`);
    const block = own.locator('div[class*=language-ts]').first();
    await block.hover();
    await block.locator('button.copy').click();
    const copied = () => own.evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toBe(await block.locator('code').innerText());
    await own.close();
  });

  test('diagrams have the colours of the page', async () => {
    const page = await browser.newPage();
    await page.goto(`${url()}/features/calls`);
    const colour = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.diagram svg text')).fill`);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(colour).not.toBe(light);
    await page.close();
  });
}

/** @type {Map<string, Promise<number>>} */
const sizes = new Map();

/** @param {Iterable<string>} urls - of a page and of all that it loads */
async function weightOf(urls) {
  let weight = 0;
  for (const url of urls) {
    const size = sizes.get(url) ?? sizeOf(url);
    sizes.set(url, size);
    weight += await size;
  }
  return weight;
}

/** @param {string} url */
async function sizeOf(url) {
  const response = await fetch(url);
  return gzipSync(await response.arrayBuffer()).length;
}

/**
 * @param {import('playwright-core').Page} page - with axe
 * @returns {Promise<{ rule: string, elements: string[] }[]>} the rules that the page breaks
 */
async function barriers(page) {
  /** @type {{ id: string, nodes: { html: string }[] }[]} */
  const violations = (await page.evaluate('axe.run()')).violations;
  return violations.map(({ id, nodes }) => ({
    rule: id,
    elements: nodes.map(({ html }) => html),
  }));
}
