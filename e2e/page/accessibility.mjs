/** Tests the demo page with the keyboard alone, with other colours, on a small screen and with reduced motion. */
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { useEverything } from './demo-page.mjs';
import { demo } from './shared.mjs';

const SCHEMES = /** @type {const} */ (['light', 'dark']);

/** The elements in the order of the tab key. */
const STOPS = [
  '#increment',
  '#reset',
  '#by',
  '#add',
  '[aria-label=Frames]',
  '#measure',
  '#reject',
  '[aria-label=Rejection]',
  '#throw',
  '[aria-label=Stack]',
  '#cut',
  '[aria-label=Events]',
  'section:last-child a:first-of-type',
  'section:last-child a:last-of-type',
];

export function testAccessibility() {
  test('has no barrier before and after use, and a small screen scrolls only vertically', async () => {
    const { page, problems } = await demo.visit({ viewport: { width: 320, height: 800 } });
    await page.evaluate(axe.source);
    const empty = await page.locator('em').allTextContents();
    expect(empty.join(' ')).toMatch(/for programs .* for people .* thrown.* sent, cut/);
    await expectNoBarriers(page);
    await useEverything(page);
    expect(await page.locator('em').count()).toBe(0);
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('shows no motion while a button is busy, if reduced motion is preferred', async () => {
    const { page } = await demo.visit();
    await page.evaluate(`document.querySelector('#cut').ariaBusy = 'true'`);
    for (const [reducedMotion, count] of /** @type {const} */ ([
      ['no-preference', 1],
      ['reduce', 0],
    ])) {
      await page.emulateMedia({ reducedMotion });
      expect(await page.evaluate('document.getAnimations().length')).toBe(count);
    }
    await page.close();
  });

  test('can be used with the keyboard alone', async () => {
    const { page, problems } = await demo.visit();
    for (const selector of STOPS) {
      await page.keyboard.press('Tab');
      expect(await page.locator(`${selector}:focus`).count(), selector).toBe(1);
    }
    await page.locator('#reset').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.textContent('#value')).toBe('0');
    await page.locator('#increment').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('#value')).toBe('1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await page.locator('#cut').focus();
    await page.keyboard.press('Space');
    await page.locator('.exact').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the search for barriers finds some in a page that has them', async () => {
    const { page } = await demo.visit();
    await page.evaluate(axe.source);
    await page.evaluate(`
    document.documentElement.removeAttribute('lang');
    document.querySelector('label').remove();
    document.querySelector('h1').style.color = 'silver';
  `);
    const ids = (await barriers(page)).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['html-has-lang', 'label', 'color-contrast']));
    await page.close();
  });
}

/**
 * Checks both colour schemes.
 *
 * @param {import('playwright-core').Page} page - a page with axe
 */
async function expectNoBarriers(page) {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    expect(await barriers(page), colorScheme).toEqual([]);
  }
}

/**
 * @param {import('playwright-core').Page} page - a page with axe
 * @returns {Promise<{ id: string }[]>} the rules that the page breaks, and its elements that break them
 */
async function barriers(page) {
  return (await page.evaluate('axe.run()')).violations;
}
