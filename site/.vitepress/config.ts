/** The site, by VitePress. Its pages are the Markdown files of the repository, at their places: `pages.ts`. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitepress';
import { llmsText } from './llms.ts';
import { extendMarkdown, linkedFiles, SOURCE } from './markdown.ts';
import { addressOf, allPages, EXCLUDED, REPOSITORY, sidebars } from './pages.ts';
import { HTTP_STATUS } from '../../runtime/src/wire/status.ts';
import { search } from './search.ts';
import { slugify } from './slugify.ts';

const HEADERS = `/${SOURCE}/*
  Content-Type: text/plain; charset=utf-8
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

/** An address for each code of an `RpcError`, which stays if the page of errors moves. */
function redirects(): string {
  const codes = Object.keys(HTTP_STATUS);
  return codes.map((code) => `/errors/${code} /reference/errors#${slugify(code)} 302\n`).join('');
}

export default defineConfig({
  title: 'lumenize-rpc',
  description:
    'Typed calls and live data for Durable Objects that hibernate, resume, and are safe to retry',
  lang: 'en',
  srcDir: '..',
  srcExclude: EXCLUDED,
  rewrites: (path) =>
    path === 'site/index.md' ? 'index.md' : `${addressOf(path) ?? path.replace(/\.md$/, '')}.md`,
  cleanUrls: true,
  // Addresses of a program that the reader has started.
  ignoreDeadLinks: 'localhostLinks',
  // A page would load the pages of all links that are in view.
  router: { prefetchLinks: false },
  markdown: {
    anchor: { slugify },
    // The usual themes have too little contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: extendMarkdown,
  },
  vite: {
    resolve: {
      alias: { 'cloudflare:workers': join(import.meta.dirname, '../demo/platform.ts') },
    },
    worker: { format: 'es' },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/start/overview' },
      { text: 'Try it', link: '/start/try' },
      { text: 'Features', link: '/features/overview' },
      { text: 'Reference', link: '/reference/options-and-limits' },
      { text: 'Comparison', link: '/start/comparison' },
      { text: 'Project', link: '/project/contributing' },
    ],
    sidebar: sidebars(),
    outline: [2, 3],
    notFound: {
      title: 'There is no page at this address',
      quote: 'Search, or go to the start page.',
      linkText: 'Start page',
      linkLabel: 'Start page',
    },
    search: { provider: 'local', options: { miniSearch: search } },
  },
  // Without these classes, the bar at the top moves when the page's program starts.
  transformHtml: (html) =>
    html.replace(
      'class="VPNavBar"',
      `class="VPNavBar ${html.includes('class="VPSidebar"') ? 'has-sidebar top' : 'home top'}"`,
    ),
  buildEnd({ outDir }) {
    for (const path of linkedFiles) {
      const target = join(outDir, SOURCE, path);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(REPOSITORY, path), target, { recursive: true });
    }
    const write = (name: string, text: string): void => writeFileSync(join(outDir, name), text);
    write('_headers', HEADERS);
    write('_redirects', redirects());
    write(
      'llms.txt',
      llmsText(allPages(), ({ address }) => `/${address}`),
    );
  },
});
