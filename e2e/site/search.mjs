/** The search: the page that answers comes first, in the words that people use. */
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { search } from '../../site/.vitepress/search.ts';
import { BUILT, builtPages, SITE } from './built-site.mjs';
import { QUESTIONS } from './questions.mjs';

/** Of the built index, with the options of the site. */
export function testSearch() {
  /** @type {(words: string) => { id: string }[]} */
  let find;

  beforeAll(async () => {
    const [file = ''] = globSync('assets/chunks/@localSearchIndex*.js', { cwd: BUILT });
    const { default: index } = await import(`${pathToFileURL(join(BUILT, file))}`);
    // The version that VitePress puts into the pages.
    const ofVitePress = createRequire(
      createRequire(join(SITE, 'package.json')).resolve('vitepress'),
    );
    const { default: MiniSearch } = await import(ofVitePress.resolve('minisearch'));
    const { options, searchOptions } = search;
    const loaded = MiniSearch.loadJSON(index, {
      ...options,
      storeFields: ['title', 'titles'],
      searchOptions,
    });
    find = (words) => loaded.search(words);
  });

  test.each(QUESTIONS)('%s', (words, ...pages) => {
    expect([...builtPages().keys()]).toEqual(
      expect.arrayContaining(pages.map((page) => `/${page}`)),
    );
    const [first] = find(words);
    expect(pages).toContain(first?.id.replace(/^\/|#.*/g, ''));
  });
}

/**
 * @param {ReturnType<typeof import('../../harness/shared-browser.mjs').sharedBrowser>} browser
 * @param {() => string} url - of the site
 */
export function testSearchBox(browser, url) {
  /** @type {import('playwright-core').Page} */
  let page;

  beforeAll(async () => {
    page = await browser.newPage();
    await page.goto(url());
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('#localsearch-input').waitFor();
    return () => page.close();
  });

  // The box ranks by the same functions, which VitePress sends to the browser as text.
  test.each(['auth token', 'next.js', 'CURSOR_EXPIRED', 'tracing'])('%s', async (words) => {
    const [, ...pages] = QUESTIONS.find((question) => question[0] === words) ?? [words];
    const results = page.locator('#localsearch-list .result');
    // Nothing is found for no words. So the results are those of the words that follow.
    await page.fill('#localsearch-input', '');
    await expect.poll(() => results.count()).toBe(0);
    await page.fill('#localsearch-input', words);
    await results.first().waitFor();
    expect(pages).toContain((await results.first().getAttribute('href'))?.replace(/^\/|#.*/g, ''));
  });

  test('the first result opens by the keyboard', async () => {
    await page.fill('#localsearch-input', 'zod');
    await page.locator('#localsearch-list .result', { hasText: 'Zod' }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('h1')).toContain('Zod, Valibot and ArkType');
  });
}
