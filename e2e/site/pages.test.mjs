/** The map of the site: each Markdown file is a page at an address of its own, and in a group of the sidebar. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../site/.vitepress/config.ts';
import { addressOf, allPages, sidebar, sources } from '../../site/.vitepress/pages.ts';
import { REPOSITORY } from '../setup/outside.mjs';

const pages = allPages();
const addresses = pages.map(({ address }) => address);

test.each(sources())('%s has an address', (path) => {
  expect(addressOf(path), 'add a rule to site/.vitepress/pages.ts').toBeDefined();
});

test('no two pages have one address', () => {
  expect(addresses.toSorted()).toEqual([...new Set(addresses)].toSorted());
});

test('the sidebar has each page once', () => {
  const links = sidebar().flatMap(({ items }) => items.map((item) => Reflect.get(item, 'link')));
  expect(links.length).toBeGreaterThan(50);
  expect(links.toSorted()).toEqual(addresses.map((address) => `/${address}`).toSorted());
});

test('the links of the start page and of the navigation lead to pages', () => {
  const home = readFileSync(join(REPOSITORY, 'site/index.md'), 'utf8');
  const inHome = Array.from(home.matchAll(/link: \/(\S+)/g), ([, address]) => address);
  const nav = config.themeConfig?.nav?.map((item) => String(Reflect.get(item, 'link')).slice(1));
  expect(inHome.length).toBeGreaterThan(5);
  expect(nav?.length).toBeGreaterThan(3);
  expect(addresses).toEqual(expect.arrayContaining([...inHome, ...(nav ?? [])]));
});
