/**
 * Runs the conformance suite of calls in a real browser, over real sockets, with the Worker of the suite in the bare
 * runtime. A test file calls it.
 */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../../harness/browser.mjs';
import { Runtime } from '../../../harness/runtime.ts';
import { type Case, casesOf } from '../calls/case.ts';
import { parts } from '../calls/cases/subjects.ts';
import type { Way } from '../calls/caller.ts';
import { bundledScript } from './bundled-script.ts';
import type { Report } from './page.ts';

/** @param partOf - returns the part of the suite that a way runs, which is the wiring if another way is like it */
export function testCallsFromPage(
  ways: readonly Way[],
  partOf: (way: Way) => keyof typeof parts,
): void {
  let runtime: Runtime;
  let browser: Browser;
  let page: Page;
  /** The errors of the page outside of the suite. */
  const problems: string[] = [];

  beforeAll(async () => {
    runtime = await Runtime.serve({ config: join(import.meta.dirname, '../wrangler.jsonc') });
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    // Any address of the Worker works, because only the page's origin matters.
    await page.goto(runtime.url);
    await page.addScriptTag({ content: await bundledScript('page.ts') });
  });

  afterAll(async () => {
    await browser?.close();
    await runtime?.stop();
  });

  test.each(ways)('calls from a page work: $name', async (way) => {
    const part = partOf(way);
    const call = `conformance(${JSON.stringify(way.name)}, '${part}')`;
    const { passed, failed } = await page.evaluate<Report>(call);
    expect(failed).toEqual([]);
    const tried = Object.values<readonly Case[]>(parts[part]).flat();
    expect(passed).toBe(casesOf(tried, way).length);
    expect(problems).toEqual([]);
  });
}
