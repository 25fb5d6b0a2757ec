/** How the demo page looks and who can use it: contrast, labels, keyboard, small screens, stillness. */
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shiftsOf, startDemoPage, useEverything } from './demo-page.mjs';

const WIDTHS = [320, 360, 900, 1280];
const SCHEMES = /** @type {const} */ (['light', 'dark']);
const LOOKS = WIDTHS.flatMap((width) => SCHEMES.map((colorScheme) => ({ width, colorScheme })));

/** In the order in which the tab key comes to them. */
const STOPS = [
  '#increment',
  '#reset',
  '#by',
  '#add button',
  '[aria-label=Frames]',
  '#measure',
  '#reject',
  '[aria-label=Rejection]',
  '#throw',
  '[aria-label=Stack]',
  '#cut',
  '[aria-label=Events]',
];

/** @type {import('./demo-page.mjs').DemoPage} */
let demo;

beforeAll(async () => {
  demo = await startDemoPage();
});

afterAll(() => demo?.stop());

describe.each(LOOKS)('$width pixels wide, $colorScheme', ({ width, colorScheme }) => {
  /** @type {import('./demo-page.mjs').Visit} */
  let visit;
  /** @type {import('playwright-core').Page} */
  let page;

  beforeAll(async () => {
    visit = await demo.visit({ viewport: { width, height: 800 }, colorScheme });
    ({ page } = visit);
    await page.addScriptTag({ content: axe.source });
  });

  afterAll(() => page?.close());

  test('is accessible before use', async () => {
    expect(await barriers(page)).toEqual([]);
  });

  test('does not move while it is used', async () => {
    await useEverything(page);
    expect(await shiftsOf(page)).toEqual([]);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    expect(visit.problems).toEqual([]);
  });

  test('is accessible after use', async () => {
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

  test('scrolls in one direction', async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
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

/**
 * @param {import('playwright-core').Page} page - with axe
 * @returns {Promise<{ id: string, nodes: string[] }[]>} what breaks a rule, or a contrast that could
 *   not be computed
 */
async function barriers(page) {
  // What is scrolled out of sight has a contrast too.
  const unrolled = await page.addStyleTag({
    content: '.screen { height: auto; overflow: visible }',
  });
  const found = await page.evaluate(`axe.run().then(({ violations, incomplete }) => [
    ...violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
    // Of one character it says the contrast, and does not judge it.
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
