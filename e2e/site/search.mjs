/** The search: the page that answers comes first, in the words that people use. */
import { beforeAll, expect, test } from 'vitest';

/** What people type, and the page that answers it. */
const QUESTIONS = /** @type {const} */ ([
  ['idempotency', 'features/http'],
  ['presence', 'features/presence'],
  ['who is online', 'features/presence'],
  ['zod', 'recipes/schemas'],
  ['react hook', 'recipes/frameworks'],
  ['use in React Native', 'recipes/frameworks'],
  ['tanstack query', 'recipes/tanstack-query'],
  ['openapi', 'features/openapi'],
  ['mcp', 'features/mcp'],
  ['idempotency key', 'features/http'],
  ['generate a client for python', 'features/openapi'],
  ['webhook', 'recipes/other-languages'],
  ['server-sent events', 'features/server-sent-events'],
  ['EventSource', 'features/server-sent-events'],
  ['optimistic update', 'features/optimistic-values'],
  ['history of a feed', 'features/feeds'],
  ['progress callback', 'features/callbacks'],
  ['upload', 'recipes/large-files'],
  ['login', 'features/authentication'],
  ['token', 'features/authentication'],
  ['better-auth', 'recipes/better-auth'],
  ['share link', 'recipes/shareable-links'],
  ['INVALID_ARGUMENTS', 'reference/errors'],
  ['TIMEOUT', 'reference/errors'],
  ['maybeExecuted', 'reference/options-and-limits'],
  ['cost', 'production/scale-and-cost'],
  ['hibernation', 'production/guarantees'],
  ['capnweb', 'start/comparison'],
  ['tRPC', 'start/comparison'],
  ['playwright', 'recipes/playwright'],
  ['sentry', 'recipes/sentry'],
  ['testing', 'recipes/testing'],
  ['migration', 'recipes/changes-and-deploys'],
  ['cron', 'recipes/queues-and-crons'],
  ['csrf', 'production/security'],
  ['jurisdiction', 'recipes/placement'],
  ['MessagePort', 'reference/transports'],
  ['dates and bytes', 'reference/values'],
  ['logs', 'recipes/observe-and-debug'],
  ['at most once', 'features/calls'],
]);

/**
 * @param {ReturnType<typeof import('../../harness/shared-browser.mjs').sharedBrowser>} browser
 * @param {() => string} url - of the site
 */
export function testSearch(browser, url) {
  /** @type {import('playwright-core').Page} */
  let page;

  beforeAll(async () => {
    page = await browser.newPage();
    await page.goto(url());
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('#localsearch-input').waitFor();
    return () => page.close();
  });

  test.each(QUESTIONS)('%s leads to %s', async (words, address) => {
    const results = page.locator('#localsearch-list .result');
    // Nothing is found for no words. So the results are those of the words that follow.
    await page.fill('#localsearch-input', '');
    await expect.poll(() => results.count()).toBe(0);
    await page.fill('#localsearch-input', words);
    await results.first().waitFor();
    expect((await results.first().getAttribute('href'))?.replace(/#.*/, '')).toBe(`/${address}`);
  });

  test('the first result opens by the keyboard', async () => {
    await page.fill('#localsearch-input', 'zod');
    await page.locator('#localsearch-list .result', { hasText: 'Zod' }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('h1')).toContain('Zod, Valibot and ArkType');
  });
}
