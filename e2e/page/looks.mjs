/** Appearance and accessibility of the demo page: contrast, labels, keyboard, small screens, no motion. */
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { press, shiftsOf, useEverything } from './demo-page.mjs';
import { demo } from './shared.mjs';

const WIDTHS = [320, 360, 768, 1280, 1920];
/** The widths in which everything is used: the narrowest, the most usual and the widest. */
const USED = [320, 1280, 1920];
const SCHEMES = /** @type {const} */ (['light', 'dark']);

/** In the order of the tab key. */
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

export function testLooks() {
  describe.each(USED)('%i pixels wide', (width) => {
    /** @type {import('./demo-page.mjs').Visit} */
    let visit;
    /** @type {import('playwright-core').Page} */
    let page;

    beforeAll(async () => {
      // The animation is the same in each width.
      const reducedMotion = width === 1280 ? 'no-preference' : 'reduce';
      visit = await demo.visit({ viewport: { width, height: 800 }, reducedMotion });
      ({ page } = visit);
      await page.addScriptTag({ content: axe.source });
    });

    afterAll(() => page?.close());

    test.each(SCHEMES)('is accessible before use: %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page)).toEqual([]);
    });

    test('says what will be where nothing is yet, and does not move while it is used', async () => {
      const empty = await page.locator('em').allTextContents();
      expect(empty.join(' ')).toMatch(/for programs .* for people .* thrown.* sent, cut/);
      await useEverything(page);
      expect(await page.locator('em').count()).toBe(0);
      expect(await shiftsOf(page)).toEqual([]);
      expect(await page.evaluate('document.getAnimations().length')).toBe(0);
      expect(visit.problems).toEqual([]);
    });

    describe.each(SCHEMES)('after use, %s', (colorScheme) => {
      beforeAll(() => page.emulateMedia({ colorScheme }));

      test('is accessible', async () => {
        expect(await barriers(page)).toEqual([]);
      });

      test('has borders, bars and marks that can be told from what is behind them', async () => {
        for (const [selector, property, behind] of [
          ['button:not(.primary)', 'border-color', 'section'],
          ['.primary', 'background-color', 'section'],
          ['input', 'border-color', 'section'],
          ['#sequential path', 'fill', 'section'],
          ['#batched path', 'fill', 'section'],
          ['#pipelined path', 'fill', 'section'],
          ['path + path', 'stroke', 'section'],
        ]) {
          const front = await styleOf(page.locator(selector).first(), property);
          const back = await styleOf(page.locator(behind).first(), 'background-color');
          expect(contrast(front, back), `${selector} ${property}`).toBeGreaterThanOrEqual(3);
        }
      });
    });

    // Other widths with what was used at the narrowest.
    test.each(width === 320 ? WIDTHS : [width])('scrolls in one direction at %i', async (to) => {
      await page.setViewportSize({ width: to, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(to);
    });
  });

  describe('a page that is made wider', () => {
    /** @type {import('playwright-core').Page} */
    let page;

    beforeAll(async () => {
      await demo.fill('demo');
      ({ page } = await demo.visit());
      return () => page.close();
    });

    test.each(WIDTHS)('has 1,000,000,000 in its panel, %i pixels wide', async (width) => {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.textContent('#value')).toBe('1,000,000,000');
      const [text, panel] =
        await page.evaluate(`[...document.querySelectorAll('#value, #call')].map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return (element.id === 'value' ? range : element).getBoundingClientRect().toJSON();
  })`);
      // The code below the number is as wide as the panel, without its padding.
      expect(text.left).toBe(panel.left);
      expect(text.right).toBeLessThanOrEqual(panel.right);
      expect(text.width).toBeGreaterThan(panel.width / 2);
      expect(text.height).toBeGreaterThan(24);
    });

    test('shows the frames of a call', async () => {
      await press(page, 'Reset');
      await page.waitForFunction(`document.querySelectorAll('#frames tr').length > 2`);
    });

    test.each(WIDTHS)(
      'has a heading above each column of frames, %i pixels wide',
      async (width) => {
        await page.setViewportSize({ width, height: 800 });
        /** @type {{ text: string, left: number, top: number, bottom: number }[][]} */
        const [heads = [], ...rows] = await page.evaluate(`
    [...document.querySelectorAll('tr')].map(({ cells }) => [...cells].map((cell) => {
      const { left, top, bottom } = cell.getBoundingClientRect();
      return { text: cell.textContent, left, top, bottom };
    }))`);
        expect(heads.map(({ text }) => text)).toEqual(['Object', 'Direction', 'Bytes', 'Frame']);
        const isNarrow = width < 1000;
        for (const [index, cells] of rows.entries()) {
          expect(cells.map(({ left }) => left)).toEqual(heads.map(({ left }) => left));
          const [object, way, bytes, frame] = cells;
          expect([way?.top, bytes?.top]).toEqual([object?.top, object?.top]);
          // A frame is in the same row as its details; on a narrow screen it is below them, and above the next row.
          if (isNarrow) expect(frame?.top).toBeGreaterThanOrEqual(Number(object?.bottom));
          else expect(frame?.top).toBe(object?.top);
          const next = rows[index + 1]?.[0]?.top ?? Infinity;
          expect(frame?.bottom).toBeLessThanOrEqual(next);
        }
        // The headings stay visible when the list is scrolled.
        await page
          .locator('#screen')
          .evaluate((screen) => (screen.scrollTop = screen.scrollHeight));
        const [screen, head] = await Promise.all(
          ['#screen', 'thead'].map((selector) => page.locator(selector).boundingBox()),
        );
        expect(Math.abs(Number(head?.y) - Number(screen?.y))).toBeLessThanOrEqual(1);
      },
    );
  });

  test('stands still while a button works, if less motion is asked for', async () => {
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

  test.each(SCHEMES)(
    'can be used with the keyboard alone, and shows where: %s',
    async (colorScheme) => {
      const { page, problems } = await demo.visit({ colorScheme });
      const panel = await styleOf(page.locator('section').first(), 'background-color');
      for (const selector of STOPS) {
        await page.keyboard.press('Tab');
        expect(await page.locator(`${selector}:focus`).count(), selector).toBe(1);
        const outline = await styleOf(page.locator(selector), 'outline');
        expect(outline, selector).toMatch(/ solid 3px$/);
        expect(contrast(outline, panel), selector).toBeGreaterThanOrEqual(3);
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
    },
  );

  test('notices a shift of the layout', async () => {
    const { page } = await demo.visit();
    await page.evaluate(`document.querySelector('h1').style.marginTop = '100px'`);
    await expect.poll(async () => (await shiftsOf(page)).length).toBeGreaterThan(0);
    await page.close();
  });

  test('notices a barrier', async () => {
    const { page } = await demo.visit();
    await page.addScriptTag({ content: axe.source });
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
 * @param {import('playwright-core').Page} page - with axe
 * @returns {Promise<{ id: string, nodes: string[] }[]>} elements that break a rule, or whose contrast could
 *   not be computed
 */
async function barriers(page) {
  // Shows all content, so that axe also checks text that is scrolled away or under a heading.
  const unrolled = await page.addStyleTag({
    content: '.screen { height: auto; overflow: visible } thead { position: static !important }',
  });
  const found = await page.evaluate(`axe.run().then(({ violations, incomplete }) => [
    ...violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
    // For a single character, axe reports the contrast but does not judge it.
    ...incomplete
      .filter(({ id }) => id === 'color-contrast')
      .map(({ id, nodes }) => ({
        id,
        nodes: nodes
          .filter(({ any }) => !(any[0]?.data?.contrastRatio >= 4.5))
          .map(({ html, any }) => html + any[0]?.message),
      }))
      .filter(({ nodes }) => nodes.length > 0),
  ])`);
  await unrolled.evaluate((/** @type {any} */ element) => element.remove());
  return found;
}

/**
 * @param {import('playwright-core').Locator} locator
 * @param {string} property
 * @returns {Promise<string>}
 */
function styleOf(locator, property) {
  const read = (/** @type {any} */ element, /** @type {string} */ name) =>
    element.ownerDocument.defaultView.getComputedStyle(element).getPropertyValue(name);
  return locator.evaluate(read, property);
}

/**
 * As WCAG 2 computes it.
 *
 * @param {string} one - a style with a colour in it
 * @param {string} other
 */
function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (Number(lighter) + 0.05) / (Number(darker) + 0.05);
}

/** @param {string} style */
function luminance(style) {
  const channels = style.match(/rgb\((\d+), (\d+), (\d+)\)/)?.slice(1) ?? [];
  const [red, green, blue] = channels.map((channel) => {
    const part = Number(channel) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * Number(red) + 0.7152 * Number(green) + 0.0722 * Number(blue);
}
