/** The map of the site: each Markdown file is a page at an address of its own, and in a group of the sidebar. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../site/.vitepress/config.ts';
import { allPages, sidebars } from '../../site/.vitepress/pages.ts';
import { HTTP_STATUS } from '../../runtime/src/wire/status.ts';
import { guides } from '../guides/blocks.mjs';
import { REPOSITORY } from '../setup/outside.mjs';

const pages = allPages();
const addresses = pages.map(({ address }) => address);

/** Markdown for others than readers of the site. */
const NO_PAGES =
  /^(examples\/|runtime\/(skills|test)\/|template\/(AGENTS|CLAUDE)\.md|site\/index\.md$)/;

test.each([...guides, 'CHANGELOG.md'].filter((path) => !NO_PAGES.test(path)))(
  '%s is a page',
  (path) => {
    const known = pages.find((page) => page.path === path);
    expect(known, 'name its folder in SOURCES and RULES of site/.vitepress/pages.ts').toBeDefined();
    expect(known?.summary).toMatch(/^[A-Z`"].{10,250}[.:]$/);
  },
);

test('no two pages have one address', () => {
  expect(addresses.toSorted()).toEqual([...new Set(addresses)].toSorted());
});

test('the sidebar has each page once', () => {
  const groups = [...new Set(Object.values(sidebars()).flat())];
  const links = groups.flatMap(({ items }) => items.map(({ link }) => link));
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

test('each code of an error has a section', () => {
  const text = readFileSync(join(REPOSITORY, 'runtime/docs/errors.md'), 'utf8');
  const sections = Array.from(text.matchAll(/^## ([A-Z_]+)$/gm), ([, code]) => code);
  expect(sections.toSorted()).toEqual(Object.keys(HTTP_STATUS).toSorted());
});
