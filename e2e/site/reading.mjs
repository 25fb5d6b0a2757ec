/** Each page for its readers: without barriers, light, still, and as wide as a phone. */
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { allPages } from '../../site/.vitepress/pages.ts';

const PHONE = { width: 360, height: 740 };

/** Bytes of a page with all that it loads, compressed as Cloudflare sends it. */
const MAX_WEIGHT = 300_000;

/** A script of the page that adds up its layout shifts in the global variable `shift`. */
const SUM_SHIFTS = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const ADDRESSES = ['', ...allPages().map(({ address }) => address)];

/**
 * @param {ReturnType<typeof import('../../harness/shared-browser.mjs').sharedBrowser>} browser
 * @param {() => string} url - of the site
 */
export function testReading(browser, url) {
  test.each(ADDRESSES)('/%s', async (address) => {
    const page = await browser.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    /** @type {Promise<number>[]} */
    const sizes = [];
    page.on('response', (response) => sizes.push(sizeOf(response)));
    await page.addInitScript(SUM_SHIFTS);
    await page.goto(`${url()}/${address}`, { waitUntil: 'networkidle' });
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(
      MAX_WEIGHT,
    );
    await page.evaluate(axe.source);
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await barriers(page), colorScheme).toEqual([]);
    }
    expect(await page.evaluate('shift')).toBe(0);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a page is still while it loads on a phone', async () => {
    const page = await browser.newPage({ viewport: PHONE });
    await page.addInitScript(SUM_SHIFTS);
    for (const address of ['', 'start/overview', 'start/try', 'features/calls']) {
      await page.goto(`${url()}/${address}`, { waitUntil: 'networkidle' });
      expect(await page.evaluate('shift'), address).toBe(0);
    }
    await page.close();
  });

  test('code can be copied', async () => {
    const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${url()}/features/calls`);
    const block = page.locator('div[class*=language-ts]').first();
    await block.hover();
    await block.locator('button.copy').click();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toBe(await block.locator('code').innerText());
    await page.close();
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

/** @param {import('playwright-core').Response} response */
async function sizeOf(response) {
  const body = await response.body();
  return gzipSync(body).length;
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
