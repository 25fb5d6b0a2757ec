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
  /** @type {import('playwright-core').Page} */
  let page;
  /** @type {string[]} */
  let problems;
  /** @type {Set<string>} */
  const loaded = new Set();

  beforeAll(async () => {
    page = await browser.newPage({ reducedMotion: 'reduce' });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('response', (response) => loaded.add(response.url()));
    await page.addInitScript(SUM_SHIFTS);
    return () => page.close();
  });

  test.each(ADDRESSES)('/%s', async (address) => {
    problems = [];
    for (const [colorScheme, viewport] of /** @type {const} */ ([
      ['light', DESKTOP],
      ['dark', PHONE],
    ])) {
      // The page before would load its pictures for another colour scheme.
      await page.goto('about:blank');
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      loaded.clear();
      await page.goto(`${url()}/${address}`, { waitUntil: 'networkidle' });
      expect(await weightOf(loaded)).toBeLessThan(MAX_WEIGHT);
      expect(await page.evaluate('shift'), colorScheme).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await page.evaluate(axe.source);
      expect(await barriers(page), colorScheme).toEqual([]);
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
    await page.goto(`${url()}/features/calls`);
    const colour = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.diagram svg text')).fill`);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(colour).not.toBe(light);
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
