/**
 * Values of another realm are sent like values of the same realm: of an iframe, and of the program
 * around the tests of Jest.
 */
import vm from 'node:vm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../../../harness/shared-browser.mjs';
import { TAGS } from '../../src/wire/values/tags.ts';
import { bundledScript } from '../browser/bundled-script.ts';
import { REFUSED, SOURCES, textOf } from './realm-values.ts';

test('each type is in the table', () => {
  expect(Object.keys(SOURCES)).toEqual(expect.arrayContaining([...TAGS.keys()]));
});

describe('a context of Node', () => {
  const context = vm.createContext({});
  /** A context lacks the classes that are not part of the language. */
  const inLanguage = Object.entries(SOURCES).filter(
    ([, source]) => !/URL|Headers|DOMException/.test(source),
  );

  test.each(inLanguage)('%s', (_, source) => {
    const own = textOf(source, (code) => vm.runInThisContext(code));
    expect(own).toMatch(/^\[1,"save",/);
    expect(textOf(source, (code) => vm.runInContext(code, context))).toBe(own);
  });

  test.each(Object.entries(REFUSED))('%s is refused', (_, source) => {
    const own = textOf(source, (code) => vm.runInThisContext(code));
    expect(own).toMatch(/^RpcError: Cannot send /);
    expect(textOf(source, (code) => vm.runInContext(code, context))).toBe(own);
  });
});

describe('an iframe', () => {
  const browser = sharedBrowser();
  let page: Page;

  beforeAll(async () => {
    page = await browser.newPage();
    await page.setContent('<!doctype html><title>realms</title>');
    await page.addScriptTag({ content: await bundledScript('realms-page.ts') });
  });

  test.each(Object.entries(SOURCES))('%s', async (_, source) => {
    const [own, other] = (await page.evaluate(`textsOf(${JSON.stringify(source)})`)) as string[];
    expect(own).toMatch(/^\[1,"save",/);
    expect(other).toBe(own);
  });

  test.each(Object.entries(REFUSED))('%s is refused', async (_, source) => {
    const [own, other] = (await page.evaluate(`textsOf(${JSON.stringify(source)})`)) as string[];
    expect(own).toMatch(/^RpcError: Cannot send /);
    expect(other).toBe(own);
  });

  test('a binary frame, whole and in pieces', async () => {
    expect(await page.evaluate('readFrame()')).toEqual([[[1, 5]], [[1, 5]]]);
  });
});
