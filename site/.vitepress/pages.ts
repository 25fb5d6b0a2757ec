/**
 * Rules that select the pages of the site from the Markdown files of the repository, and give each page an address and a
 * group of the sidebar. So a new file becomes a page without a change here.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = join(fileURLToPath(import.meta.url), '../../..');

/** The page that lists all pages by question. The sidebar has the order of its links. */
const INDEX = 'docs/README.md';

/** The start page, which has no sidebar. */
const HOME = 'site/index.md';

/** The Markdown files that are pages. A link to another file leads to its text. */
const SOURCES = [
  '*.md',
  'bench/*.md',
  'docs/**/*.md',
  'runtime/README.md',
  'runtime/docs/**/*.md',
  'site/*.md',
  'template/README.md',
  'torture/*.md',
];

/** Folders and files with Markdown that is not for readers of the site. */
export const EXCLUDED = [
  'examples/**',
  'my-app/**',
  'runtime/{skills,test}/**',
  'template/{vendor/**,AGENTS.md,CLAUDE.md}',
];

/** Groups of the sidebar: their titles by the folder of their addresses. */
const GROUPS = {
  start: 'Start',
  features: 'Features',
  recipes: 'Recipes',
  production: 'In production',
  reference: 'Reference',
  project: 'Project',
  decisions: 'Decisions',
};

type Group = keyof typeof GROUPS;

/** The addresses of pages, by the beginnings of their paths. The first rule that fits counts. `$1` is a part of the path. */
const RULES: [path: RegExp, address: `${Group}/${string}`][] = [
  [/^README\.md$/, 'start/overview'],
  [/^site\/(.+)\.md$/, 'start/$1'],
  [/^template\/README\.md$/, 'start/new-project'],
  [/^docs\/README\.md$/, 'start/all-pages'],
  [/^docs\/(comparison)\.md$/, 'start/$1'],
  [/^runtime\/docs\/guides\/(add-to-a-worker)\.md$/, 'start/$1'],
  [/^runtime\/docs\/guides\/(troubleshooting)\.md$/, 'reference/$1'],
  [/^runtime\/docs\/guides\/(.+)\.md$/, 'recipes/$1'],
  [/^runtime\/README\.md$/, 'features/overview'],
  [/^runtime\/docs\/(reference)\.md$/, 'reference/options-and-limits'],
  [/^runtime\/docs\/(errors|protocol|transports|values)\.md$/, 'reference/$1'],
  [/^runtime\/docs\/(.+)\.md$/, 'features/$1'],
  [/^torture\/README\.md$/, 'production/fault-tests'],
  [/^docs\/architecture\.md$/, 'project/architecture'],
  [/^docs\/decisions\/(.+)\.md$/, 'decisions/$1'],
  [/^docs\/(.+)\.md$/, 'production/$1'],
  [/^bench\/RESULTS\.md$/, 'project/measurements'],
  [/^(?:CHANGELOG)\.md$/, 'project/changelog'],
  [/^(?:CONTRIBUTING)\.md$/, 'project/contributing'],
];

/** Titles in the sidebar for pages whose own title is the name of a package. */
const TITLES: Record<string, string> = {
  'README.md': 'Introduction',
  'runtime/README.md': 'Overview of features',
  'template/README.md': 'A new project',
};

export interface Page {
  /** The path, relative to the repository's root. */
  path: string;
  /** The address, without a slash at its start and without an ending. */
  address: string;
  title: string;
  /** The first sentence of the page. */
  summary: string;
  group: Group;
}

/** Returns the address of a page, such as `features/calls`; `undefined` for a file that no rule names. */
export function addressOf(path: string): string | undefined {
  const [rule, address] = RULES.find(([pattern]) => pattern.test(path)) ?? [];
  return rule && address && path.replace(rule, address);
}

/** All pages but the start page, in the order of the sidebar. */
export function allPages(): Page[] {
  const order = linksOf(INDEX);
  const rule = (path: string): number => RULES.findIndex(([pattern]) => pattern.test(path));
  const place = ({ path, group }: Page): number =>
    group === 'start' ? rule(path) : order.indexOf(path);
  return globSync(SOURCES, { cwd: REPOSITORY })
    .filter((path) => path !== HOME)
    .flatMap((path): Page[] => {
      const address = addressOf(path);
      if (!address) return [];
      const group = address.split('/')[0] as Group;
      return [{ path, address, group, title: titleOf(path), summary: summaryOf(path) }];
    })
    .toSorted((one, other) => place(one) - place(other) || compare(one, other));
}

/** Returns the title of a group. */
export function groupTitle(group: Page['group']): string {
  return GROUPS[group];
}

interface Sidebar {
  text: string;
  items: { text: string; link: string }[];
}

/** The sidebars: one for users, and one for contributors. */
export function sidebars(): Record<string, Sidebar[]> {
  const pages = allPages();
  const groups = Object.entries(GROUPS).map(([group, text]) => ({
    group,
    text,
    items: pages
      .filter((page) => page.group === group)
      .map(({ title, address }) => ({ text: title, link: `/${address}` })),
  }));
  const isForContributors = ({ group }: { group: string }): boolean =>
    group === 'project' || group === 'decisions';
  const own = groups.filter(isForContributors);
  return {
    '/project/': own,
    '/decisions/': own,
    '/': groups.filter((group) => !isForContributors(group)),
  };
}

/** Files of the repository that a page links to. */
function linksOf(page: string): string[] {
  const links = read(page).matchAll(/\]\(([^)#\s]+)/g);
  return Array.from(links, ([, link = '']) => join(dirname(page), link));
}

/** Returns the text of the first heading. */
function titleOf(path: string): string {
  if (TITLES[path]) return TITLES[path];
  const title = /^# (.+)$/m.exec(read(path))?.[1];
  if (!title) throw new Error(`${path} has no title: begin it with "# …"`);
  return title.replaceAll('`', '');
}

/** Returns the first sentence of the text, without links and emphasis. */
function summaryOf(path: string): string {
  const paragraphs = read(path)
    .replaceAll(/^---\n[^]*?\n---\n|^```[^]*?^```$/gm, '')
    .split(/\n{2,}/);
  const first = paragraphs.find((paragraph) => /^[\w*[`]/.test(paragraph)) ?? '';
  const text = first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)|\*\*/g, '$1')
    .replaceAll(/\s+/g, ' ')
    // A decision begins with this word.
    .replace(/^Choice\. /, '');
  const sentence = /^.+?[.:](?= |$)/.exec(text)?.[0] ?? text;
  return sentence.replace(/:$/, '.');
}

function compare(one: Page, other: Page): number {
  return one.title.localeCompare(other.title, 'en');
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), 'utf8');
}
